// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/attention.h"
#include "core/attention/head_inputs.h"
#include "core/attention/logits.h"
#include "core/buffers.h"
#include "core/parallel.h"
#include "core/stored_bytes.h"
#include "core/train/kernels/kernels.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <type_traits>

namespace posiscope::attention {
namespace {

constexpr std::int64_t block_rows = 64;

tl::unexpected<Error> stopped() { return fail(ErrorCode::cancelled, "attention: stopped", "注意力：已停止"); }

Expected<std::vector<std::int64_t>> wantedHeads(const Wanted& wanted, const Shape& shape) {
  std::vector<std::int64_t> heads = wanted.heads;
  if (heads.empty()) {
    heads.resize(static_cast<std::size_t>(shape.num_heads));
    std::iota(heads.begin(), heads.end(), 0);
  }
  for (const std::int64_t head : heads)
    if (head < 0 || head >= shape.num_heads)
      return fail(ErrorCode::bad_shape, join("attention: head must be 0 to ", shape.num_heads - 1, ", got ", head),
                  join("注意力：头的编号必须在 0 到 ", shape.num_heads - 1, " 之间，得到 ", head));
  return heads;
}

/// Queries that may look at no key at all.
std::int64_t countEmptyRows(const Mask& mask, const Shape& shape) {
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < shape.queries(); ++i) {
    auto [j, end] = mask.span(shape, i);
    if (mask.hasHoles())
      while (j < end && !mask.allows(shape, i, j)) ++j;
    count += j >= end ? 1 : 0;
  }
  return count;
}

/// The keys that some query of the block may look at; all of them when the logits themselves are shown.
Mask::Span keysOf(const Mask& mask, const Shape& shape, std::int64_t first, std::int64_t last, bool all) {
  if (all) return {0, shape.keys()};
  Mask::Span keys{shape.keys(), 0};
  for (std::int64_t i = first; i < last; ++i) {
    const Mask::Span row = mask.span(shape, i);
    if (row.begin >= row.end) continue;
    keys.begin = std::min(keys.begin, row.begin);
    keys.end = std::max(keys.end, row.end);
  }
  return keys.begin < keys.end ? keys : Mask::Span{0, 0};
}

/// Makes `values` of `count` numbers, or empties it. Memory that it already has is used again; where it has none, that
/// of an earlier result is taken (fresh pages cost five times the work).
template <class T>
void resize(std::vector<T>& values, std::int64_t count) {
  if constexpr (std::is_same_v<T, float>)
    if (values.empty() && count > 0) values = takeBuffer(static_cast<std::size_t>(count));
  values.resize(static_cast<std::size_t>(count));
}

/// Is there room for the result? `held`: bytes of what it is computed from. Error: too_large.
template <class T>
Outcome checkRoom(const Wanted& wanted, const Shape& shape, std::int64_t heads, std::int64_t value_dim, double held) {
  const double rows = static_cast<double>(heads) * static_cast<double>(shape.queries());
  const double maps = (wanted.logits ? 1.0 : 0.0) + (wanted.weights ? 1.0 : 0.0);
  const double each = maps * static_cast<double>(shape.keys()) + (wanted.output ? static_cast<double>(value_dim) : 0.0);
  const char* what = wanted.weights  ? "attention: the weights"
                     : wanted.logits ? "attention: the logits"
                                     : "attention: the output";
  return checkMemory(join(what, " and what they are computed from"), held + rows * each * sizeof(T));
}

/// Sizes the result.
template <class T>
void allocate(const Wanted& wanted, const Shape& shape, std::int64_t heads, std::int64_t value_dim, Attention<T>& out) {
  out.heads = heads;
  out.queries = shape.queries();
  out.keys = shape.keys();
  out.value_dim = wanted.output ? value_dim : 0;
  const std::int64_t cells = heads * out.queries * out.keys;
  resize(out.logits, wanted.logits ? cells : 0);
  resize(out.weights, wanted.weights ? cells : 0);
  resize(out.output, heads * out.queries * out.value_dim);
}

/// Room for one block's weights when nobody wants to keep them; kept for the next block of this thread.
template <class T>
T* scratch(std::int64_t count) {
  thread_local std::vector<T> room;
  if (room.size() < static_cast<std::size_t>(count)) room.resize(static_cast<std::size_t>(count));
  return room.data();
}

/// The keys of the wanted heads as products read them fastest; neighbours that share a key head share them. Empty for
/// scores of their own, and for a single block of queries, which would read them once.
template <class T>
class PackedKeys {
 public:
  PackedKeys(const HeadInputs<T>& inputs, bool worth_it, const Job& job) {
    if (!worth_it) return;
    std::vector<std::size_t> made;  // the heads whose keys are not those of the head before
    for (std::size_t w = 0; w < inputs.k.size(); ++w) {
      if (w == 0 || inputs.k[w].data != inputs.k[w - 1].data) made.push_back(w);
      place_.push_back(made.size() - 1);
    }
    if (made.empty()) return;
    const Rows<T>& k = inputs.k.front();
    size_ = static_cast<std::size_t>(train::packedSize<T>(k.cols, k.rows));
    resize(values_, static_cast<std::int64_t>(size_ * made.size()));
    parallelBlocks(std::ssize(made), 1, job, [&](std::int64_t m, std::int64_t) {
      const Rows<T>& keys = inputs.k[made[static_cast<std::size_t>(m)]];
      train::kernels<T>().pack({keys.data, keys.cols, true}, keys.cols, keys.rows,
                               values_.data() + static_cast<std::size_t>(m) * size_);
    });
  }
  const T* of(std::size_t w) const { return size_ == 0 ? nullptr : values_.data() + place_[w] * size_; }

 private:
  std::vector<std::size_t> place_;
  std::size_t size_ = 0;
  std::vector<T> values_;
};

template <class T>
struct Work {
  const Encoding<T>& encoding;
  const Mask& mask;
  const Shape& shape;
  const Wanted& wanted;
  const HeadInputs<T>& inputs;
  const std::vector<typename OwnScore<T>::RowScore>& scores;  ///< per wanted head; empty without own scores
  const PackedKeys<T>& keys;
  const Job& job;
};

/// Everything after the projections for one block of rows of the wanted head number `w`.
template <class T>
void attendBlock(const Work<T>& work, std::int64_t w, Block block, Attention<T>& out) {
  const std::int64_t keys = work.shape.keys();
  const std::int64_t rows = block.last - block.first;
  const std::int64_t start = w * work.shape.queries() + block.first;
  const auto slot = static_cast<std::size_t>(w);
  const bool weigh = work.wanted.weights || work.wanted.output;
  block.keys = keysOf(work.mask, work.shape, block.first, block.last, work.wanted.logits);

  T* weights = work.wanted.weights ? out.weights.data() + start * keys : weigh ? scratch<T>(rows * keys) : nullptr;
  T* logits = work.wanted.logits ? out.logits.data() + start * keys : weights;
  if (!logits) return;
  static const typename OwnScore<T>::RowScore none;
  fillLogits(work.encoding, work.scores.empty() ? none : work.scores[slot], work.inputs.q[slot], work.inputs.k[slot],
             work.shape, block, logits, work.job, work.keys.of(slot));
  if (!weigh || work.job.stopped()) return;
  if (logits != weights) std::copy_n(logits, rows * keys, weights);
  for (std::int64_t r = 0; r < rows && !work.job.stopped(); ++r)
    softmaxRow(work.mask, work.shape, block.first + r,
               std::span<T>(weights + r * keys, static_cast<std::size_t>(keys)));
  if (work.wanted.output)
    fillOutput(work.encoding, work.inputs.v[slot], work.shape, block, weights,
               out.output.data() + start * out.value_dim, work.job);
}

template <class T>
bool prepareScores(const Encoding<T>& encoding, const HeadInputs<T>& inputs, const std::vector<std::int64_t>& heads,
                   const Mask& mask, const Shape& shape, const Job& job,
                   std::vector<typename OwnScore<T>::RowScore>& scores) {
  if (!encoding.logits.score.prepare) return true;
  scores.resize(heads.size());
  return parallelBlocks(static_cast<std::int64_t>(heads.size()), 1, job, [&](std::int64_t w, std::int64_t) {
    const auto slot = static_cast<std::size_t>(w);
    scores[slot] = encoding.logits.score.prepare(headContent(inputs, slot, heads[slot], shape, mask));
  });
}

}  // namespace

template <class T>
Outcome attendInto(const Encoding<T>& encoding, const Content<T>& content, const Mask& given, const Shape& shape,
                   const Wanted& wanted, const Job& job, Attention<T>& out) {
  if (Outcome ok = checkShape(shape); !ok) return ok;
  if (Outcome ok = checkMask(given, shape); !ok) return ok;
  const Mask mask = narrowed(given, encoding.reach);
  const auto heads = wantedHeads(wanted, shape);
  if (!heads) return fail(heads.error());
  // Packed keys pay where several blocks read them; a score of its own does not read them.
  const bool packs = !encoding.logits.score.prepare && shape.queries() > block_rows;
  const double packed = packs ? static_cast<double>(heads->size()) * static_cast<double>(shape.keys()) *
                                    static_cast<double>(shape.head_dim) * sizeof(T)
                              : 0;
  // Before the projections, which take seconds where the map has no room.
  const auto count = static_cast<std::int64_t>(heads->size());
  const double made = bytesOfHeads(encoding, content, shape, *heads, wanted.output);
  const double held = storedBytes(encoding) + storedBytes(content) + made + packed;
  if (Outcome ok = checkRoom<T>(wanted, shape, count, valueWidth(content, shape), held); !ok) return ok;
  const auto inputs = prepareHeads(encoding, content, shape, *heads, wanted.output, job.part(0, 0.2));
  if (!inputs) return fail(inputs.error());
  assert(inputs->bytes() == made);
  allocate(wanted, shape, count, inputs->value_dim, out);
  out.empty_rows = countEmptyRows(mask, shape);

  std::vector<typename OwnScore<T>::RowScore> scores;
  if (!prepareScores(encoding, *inputs, *heads, mask, shape, job.part(0.2, 0.3), scores)) return stopped();
  const PackedKeys<T> keys(*inputs, packs, job.part(0.3, 0.3));
  const Work<T> work{encoding, mask, shape, wanted, *inputs, scores, keys, job};
  const std::int64_t blocks_of_head = (shape.queries() + block_rows - 1) / block_rows;
  const Job rest = job.part(0.3, 1);
  const bool finished = parallelBlocks(out.heads * blocks_of_head, 1, rest, [&](std::int64_t number, std::int64_t) {
    const std::int64_t w = number / blocks_of_head;
    const std::int64_t first = number % blocks_of_head * block_rows;
    attendBlock(work, w,
                Block{(*heads)[static_cast<std::size_t>(w)], first, std::min(first + block_rows, shape.queries()), {}},
                out);
  });
  if (!finished || job.stopped()) return stopped();  // a block may have stopped half-way
  return {};
}

template <class T>
Expected<Attention<T>> attend(const Encoding<T>& encoding, const Content<T>& content, const Mask& mask,
                              const Shape& shape, const Wanted& wanted, const Job& job) {
  Attention<T> result;
  if (Outcome ok = attendInto(encoding, content, mask, shape, wanted, job, result); !ok) return fail(ok.error());
  return result;
}

template Outcome attendInto(const Encoding<float>&, const Content<float>&, const Mask&, const Shape&, const Wanted&,
                            const Job&, Attention<float>&);
template Outcome attendInto(const Encoding<double>&, const Content<double>&, const Mask&, const Shape&, const Wanted&,
                            const Job&, Attention<double>&);
template Expected<Attention<float>> attend(const Encoding<float>&, const Content<float>&, const Mask&, const Shape&,
                                           const Wanted&, const Job&);
template Expected<Attention<double>> attend(const Encoding<double>&, const Content<double>&, const Mask&, const Shape&,
                                            const Wanted&, const Job&);

}  // namespace posiscope::attention
