// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/grid.h"
#include "core/mask.h"
#include "core/shape.h"
#include "core/text.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace posiscope {

/// A row-major matrix of its own; row = position.
template <class T>
struct Table {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<T> values;

  bool empty() const { return values.empty(); }
  std::span<const T> row(std::int64_t r) const { return {values.data() + r * cols, static_cast<std::size_t>(cols)}; }
  std::span<T> row(std::int64_t r) { return {values.data() + r * cols, static_cast<std::size_t>(cols)}; }
};

template <class T>
Table<T> makeTable(std::int64_t rows, std::int64_t cols) {
  return {rows, cols, std::vector<T>(static_cast<std::size_t>(rows * cols))};
}

/// A read-only view of consecutive rows; what crosses the boundary of the compute kernels.
template <class T>
struct Rows {
  const T* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t cols = 0;

  std::span<const T> row(std::int64_t r) const { return {data + r * cols, static_cast<std::size_t>(cols)}; }
  bool empty() const { return data == nullptr || rows == 0; }
};
template <class T>
Rows<T> rowsOf(const Table<T>& table) {
  return {table.values.data(), table.rows, table.cols};
}

/// Where in a model of several layers the input part acts on the state.
enum class InputEntry { before_first_layer, before_each_layer, after_first_layer };

/// Position enters at the input: x + table, or a function of x.
template <class T>
struct InputPart {
  InputEntry entry = InputEntry::before_first_layer;
  /// [seq_len, d_model], added to the embeddings. Also what can be drawn without content.
  Table<T> table;
  /// A table too large to be stored: fills row r of `rows`, [d_model]. Pure, safe from several threads. When given,
  /// `table` is empty; the numbers are the same as a stored table's.
  std::function<void(std::int64_t r, std::span<T> row)> fill_row;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  /// Which term of the formula a cell is, with its numbers: "sin(412 · 0.0135)". May be empty; so may the others.
  std::function<std::string(std::int64_t row, std::int64_t col)> term;
  /// Angle per position of each pair, when the table is made of sines and cosines of them (radians per token;
  /// pairs in the order of their frequencies). With cols ≥ 2·pairs every sine has its cosine. Empty otherwise.
  std::vector<double> frequency;
  /// When given: replaces x by this function of x (conditional, dynamic). x and out are [seq_len, d_model].
  std::function<void(Rows<T> x, std::span<T> out)> transform;
  /// A transform of patches whose rows depend on so many patches around their own and on nothing else, neither their
  /// place nor the size of the grid; −1 = it is no such transform.
  std::int64_t patch_reach = -1;

  /// Is something added to the embeddings?
  bool hasTable() const { return !table.empty() || static_cast<bool>(fill_row); }
  std::int64_t tableRows() const { return fill_row ? rows : table.rows; }
  std::int64_t tableCols() const { return fill_row ? cols : table.cols; }
  /// Rows [begin, end) of the table, whichever form it has: a view of the stored one, or made in `room`.
  Rows<T> tableBlock(std::int64_t begin, std::int64_t end, std::vector<T>& room) const {
    if (!fill_row) return {table.values.data() + begin * table.cols, end - begin, table.cols};
    room.resize(static_cast<std::size_t>((end - begin) * cols));
    for (std::int64_t r = begin; r < end; ++r)
      fill_row(
          r, std::span<T>(room).subspan(static_cast<std::size_t>((r - begin) * cols), static_cast<std::size_t>(cols)));
    return {room.data(), end - begin, cols};
  }
};

/// How the dimensions of a head form pairs.
enum class Pairing {
  interleaved,  ///< (2p, 2p+1)
  half,         ///< (p, p + rotary_dim/2)
  block_half,   ///< half-split inside each axis's block
};

/// Position enters by rotating q and k. The angle of pair p at token t is Σ_a frequency[s, a, p] · position[a, t],
/// always in double; s is the head when `sets` > 1.
struct RotationPart {
  Pairing pairing = Pairing::interleaved;
  std::int64_t rotary_dim = 0;    ///< dimensions of a head that turn, even; the rest pass through
  std::int64_t first_dim = 0;     ///< the first of them: 0, or what stands before a decoupled rotated part
  std::int64_t sets = 1;          ///< 1, or num_heads where heads differ
  std::int64_t axes = 1;          ///< 1 for text; 2 and 3 for grids and video
  std::vector<double> frequency;  ///< inv_freq, [sets, axes, pairs]
  std::vector<double> position;   ///< [axes, seq_len], of the keys; query i has the position of key i + queryOffset
  double attention_factor = 1.0;  ///< multiplies cos and sin of q and k alike
  /// xPos: q is scaled by exp(+log_magnitude[p]·(position − centre)), k by its inverse. Empty = 1.
  std::vector<double> log_magnitude;
  double magnitude_center = 0.0;

  std::int64_t pairs() const { return rotary_dim / 2; }
  /// The dimension after the last one that turns.
  std::int64_t endDim() const { return first_dim + rotary_dim; }
  double angle(std::int64_t set, std::int64_t token, std::int64_t pair) const;
  double frequencyOf(std::int64_t set, std::int64_t axis, std::int64_t pair) const {
    return frequency[static_cast<std::size_t>((set * axes + axis) * pairs() + pair)];
  }
  /// The two dimensions of a pair.
  std::int64_t firstDim(std::int64_t pair) const;
  std::int64_t secondDim(std::int64_t pair) const;
};

/// Added to the logits, the same along each diagonal: value(head, n), n = p_i − j from −(L_k−1) to L_k−1.
template <class T>
struct OffsetBias {
  std::int64_t heads = 0;
  std::int64_t max_offset = 0;  ///< L_k − 1
  std::vector<T> values;        ///< [heads, 2·max_offset + 1], index n + max_offset
  std::function<std::string(std::int64_t head, std::int64_t n)> term = {};  ///< of a value, as in `InputPart`

  T at(std::int64_t head, std::int64_t n) const {
    return values[static_cast<std::size_t>(head * (2 * max_offset + 1) + n + max_offset)];
  }
};

/// Added to the logits, any function of (head, i, j): fills row i over the first row.size() keys, all of them in
/// attention, fewer where only the start of a sequence is looked at.
template <class T>
struct PairBias {
  std::function<void(std::int64_t head, std::int64_t i, std::span<T> row)> fill;
  std::function<std::string(std::int64_t head, std::int64_t i, std::int64_t j)> term = {};
};

/// What a score of its own sees of one head. q and k are after projection and after the rotation part, if any.
template <class T>
struct HeadContent {
  std::int64_t head = 0;
  Rows<T> q;  ///< [L_q, head_dim]
  Rows<T> k;  ///< [L_k, head_dim]
  Rows<T> x;  ///< [L_k, d_model], the input after the input part; empty when only q and k are known
  const Shape* shape = nullptr;
  const Mask* mask = nullptr;
  Rows<T> w_q = {};  ///< the head's own projections, [head_dim, d_model]; empty when q and k did not come from x
  Rows<T> w_k = {};
};

/// The logits come from a function of the content (Shaw, Transformer-XL, CoPE, cosine, two rotations): prepared
/// once per head, then asked row by row, possibly from several threads at once. Its rows replace scale·q·k; a
/// bias may still be added to it. It must fill every key, masked or not, except where the formula has no value
/// without the mask.
template <class T>
struct OwnScore {
  using RowScore = std::function<void(std::int64_t i, std::span<T> logits)>;
  std::function<RowScore(const HeadContent<T>&)> prepare;
  bool reads_input = false;  ///< it needs x, also where q and k are given (gates computed from the token)
  /// Angle per position of each pair, radians, where a token's own position turns them (PoPE); empty otherwise.
  std::vector<double> frequency = {};
  /// One sentence: why angles are to be had by no token's position, although something turns; may be empty.
  Text no_angle = {};
};

/// What a score of its own is the sum of, for pictures: fills term `term` of row i over all keys, with the scale. The
/// terms add up to the score wherever the mask may allow it; the first is the content's. Without a score of its own
/// they are those of the bias. Prepared once per head, like the score.
template <class T>
struct ScoreTerms {
  using Fill = std::function<void(std::size_t term, std::int64_t i, std::span<T> row)>;
  std::vector<Text> names;
  std::function<Fill(const HeadContent<T>&)> prepare;
};

/// A quantity that a score works out on its way from content to logits: a gate, a counted position.
struct ScoreStage {
  std::string key;  ///< "gate"
  Text name;
  Text value;  ///< what a cell's number is
  bool is_signed = false;
  /// Values end here, because the table does (the last counted position); no end when infinite.
  double ceiling = std::numeric_limits<double>::infinity();
};

/// These quantities for pictures: fills stage `stage` of row i over all keys. Prepared once per head, like the score.
template <class T>
struct ScoreStages {
  using Fill = std::function<void(std::size_t stage, std::int64_t i, std::span<T> row)>;
  std::vector<ScoreStage> stages;
  std::function<Fill(const HeadContent<T>&)> prepare;
};

/// A bias by the two-dimensional offset of two patches as the picture it is: Δ = query − key on both axes.
template <class T>
struct OffsetPicture {
  std::int64_t rows = 0;  ///< Δrow from first_row on
  std::int64_t cols = 0;
  std::int64_t first_row = 0;  ///< −(height − 1), or 0 where only distances count
  std::int64_t first_col = 0;
  Table<T> values;  ///< [rows · cols, heads] row-major; one head where all share it
};

/// Such a bias on any grid, for pictures: the scheme's own rule for grids that it was not trained on.
template <class T>
struct PatchBias {
  Grid trained;  ///< the grid it was made for
  Grid present;  ///< the grid attention reads it on: all patches, or a window
  Text rule;     ///< one sentence: how another grid is served, or what was put in for content
  std::function<OffsetPicture<T>(const Grid& grid)> picture;  ///< empty = the scheme has none
};

/// Where a table is looked up (a bias by bucket, a vector by offset): which of its rows query i reads for key j.
struct RowLookup {
  std::int64_t rows = 0;                                            ///< of the table; 0 = nothing is looked up
  std::function<std::int64_t(std::int64_t i, std::int64_t j)> row;  ///< pure; −1 where no row is read
};

/// Position enters at the logits. `bias` and `score` may both be present (Swin v2).
template <class T>
struct LogitsPart {
  std::variant<std::monostate, OffsetBias<T>, PairBias<T>> bias;
  OwnScore<T> score;
  ScoreTerms<T> terms = {};
  ScoreStages<T> stages = {};
  RowLookup lookup = {};
  PatchBias<T> patch_bias = {};

  bool hasBias() const { return bias.index() != 0; }
};

/// Position enters at the values: adds Σ_j weights_ij · (term of i, j) to the output row.
template <class T>
struct ValuesPart {
  std::function<void(std::int64_t head, std::int64_t i, std::span<const T> weights, std::span<T> out)> add;
  std::int64_t width = 0;  ///< of the values it can be added to; 0 = any
};

/// How far this layer looks, whatever the mask allows besides: layers with a sliding window or in chunks.
struct Reach {
  std::int64_t window = -1;  ///< keys with |n| ≤ window; −1 = all
  std::int64_t chunk = 0;    ///< keys of the query's own chunk of this many tokens; 0 = all

  bool isLimited() const { return window >= 0 || chunk > 0; }
};
/// The mask and the reach together.
Mask narrowed(Mask mask, const Reach& reach);

/// A named number of the formula with these values, for the reader ("attention factor" 1.2773).
struct EncodingFact {
  std::string key;
  double value;
};

/// What one scheme does to a Transformer of one shape. A product: hybrids fill several parts.
/// T is float for the screen, double for verification and gradients; one formula serves both.
template <class T>
struct Encoding {
  InputPart<T> input;
  std::optional<RotationPart> rotation;
  LogitsPart<T> logits;
  ValuesPart<T> values;
  /// Multiplies the query of each token after the rotation (temperature, log-n); [seq_len], query i has the factor of
  /// key i + queryOffset. Empty = 1.
  std::vector<double> query_factor;
  Reach reach;
  std::int64_t prefix_tokens = 0;  ///< tokens before the patches of a grid (class token, registers)
  double logit_scale = 1.0;        ///< filled by every scheme: 1/√head_dim unless its paper says otherwise
  std::vector<EncodingFact> facts;
  /// One sentence each: these values are allowed, but hardly meant ("frequencies grow with the pair").
  std::vector<Text> warnings;

  /// Scores depend on content and on the offset only (no added table, no function of absolute position).
  bool offset_only = true;
};

/// Must the content be embeddings x, not q and k alone?
template <class T>
bool readsEmbeddings(const Encoding<T>& encoding) {
  return encoding.input.hasTable() || encoding.input.transform || encoding.logits.score.reads_input;
}

}  // namespace posiscope
