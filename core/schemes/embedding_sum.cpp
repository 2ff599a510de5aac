// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel.h"
#include "core/schemes/base_table.h"
#include "core/schemes/learned_weights.h"
#include "core/schemes/schemes.h"

#include <algorithm>

namespace posiscope::schemes {
namespace {

struct SumParams {
  std::int64_t position_offset = 0;
  std::int64_t max_positions = 1024;
  std::int64_t segments = 2;
  std::vector<double> segment_ids;
  std::int64_t second_segment_at = 0;
  bool layer_norm = true;
  double eps = 1e-12;
  double std = 0.02;
  Array position_table;  ///< (positions, d_model)
  Array segment_table;   ///< (segments, d_model)
  Array gamma, beta;     ///< (d_model,)
  std::int64_t seed = 1;
};

void addArrays(ParamTable<SumParams>& t) {
  using P = SumParams;
  t.array("position_table", &P::position_table,
          {{"position table", "位置表"},
           {"Trained rows, positions × d_model.", "训练好的行，位置数 × d_model。"},
           "position_embeddings"});
  t.array("segment_table", &P::segment_table,
          {{"segment table", "段表"},
           {"Trained rows, segments × d_model.", "训练好的行，段数 × d_model。"},
           "token_type_embeddings"});
  t.array("gamma", &P::gamma,
          {{"gain", "增益"},
           {"Gain of the layer norm, (d_model,); 1 when not given.", "层归一化的增益，(d_model,)；未给出时为 1。"}})
      .unset({"1", "1"});
  t.array("beta", &P::beta,
          {{"shift", "偏置"},
           {"Shift of the layer norm, (d_model,); 0 when not given.", "层归一化的偏置，(d_model,)；未给出时为 0。"}})
      .unset({"0", "0"});
}

ParamTable<SumParams> sumTable() {
  using P = SumParams;
  ParamTable<P> t;
  t.list("segment_ids", &P::segment_ids,
         {{"segment ids", "段号"},
          {"The segment of every token, from 0; without any, all are in segment 0.",
           "每个词元所属的段，从 0 开始；不给出时全部属于第 0 段。"},
          "token_type_ids"});
  t.integer("second_segment_at", &P::second_segment_at, {0, 1 << 24, 0, 1024, false},
            {{"second segment from", "第二段起点"},
             {"The token where segment 1 begins when no ids are given; 0 means one segment.",
              "未给出段号时第 1 段开始的词元；0 表示只有一段。"},
             "",
             "tokens"})
      .unset({"one segment", "只有一段"});
  t.integer("segments", &P::segments, {1, 1024, 1, 8, false},
            {{"segments", "段数"}, {"Rows of a drawn segment table.", "随机抽取的段表的行数。"}, "type_vocab_size"});
  t.integer(
      "position_offset", &P::position_offset, {0, 1 << 20, 0, 4, false},
      {{"offset", "偏移"},
       {"Position rows in front that no token uses; RoBERTa has 2.", "前面不被任何词元使用的位置行数；RoBERTa 为 2。"},
       "",
       "tokens"});
  t.integer(
      "max_positions", &P::max_positions, {1, 1 << 24, 16, 1 << 17, true},
      {{"positions", "位置数"},
       {"Rows of a drawn position table; a position past them is an error.", "随机抽取的位置表的行数；超出即为错误。"},
       "max_position_embeddings",
       "tokens"});
  t.boolean("layer_norm", &P::layer_norm,
            {{"layer norm", "层归一化"}, {"Normalises the sum, as BERT does.", "像 BERT 那样对和做归一化。"}});
  t.real("eps", &P::eps, {0, 1, 1e-12, 1e-3, true},
         {{"ε", "ε"},
          {"Added to the variance; BERT has 1e-12, PyTorch's default 1e-5 shrinks rows of small words.",
           "加到方差上的数；BERT 为 1e-12，PyTorch 的默认值 1e-5 会压缩较小的词向量。"},
          "layer_norm_eps"});
  t.real("std", &P::std, {0, 100, 0.001, 1, true},
         {{"std", "标准差"}, {"Spread of the drawn rows.", "随机抽取的行的标准差。"}, "initializer_range"});
  addArrays(t);
  addSeed(t);
  return t;
}

std::int64_t positionRows(const SumParams& p) {
  return (p.position_table.empty() ? p.max_positions : p.position_table.shape[0]) - p.position_offset;
}
std::int64_t segmentRows(const SumParams& p) { return p.segment_table.empty() ? p.segments : p.segment_table.shape[0]; }

Outcome checkTable(const Array& table, std::string_view key, const Shape& s) {
  if (table.empty() || (table.rank() == 2 && table.shape[1] == s.d_model)) return {};
  return fail(
      ErrorCode::bad_shape,
      join("embedding_sum: ", key, " must be (rows, d_model ", s.d_model, "), got ", shapeText(table.shape)),
      join("embedding_sum：", key, " 的形状必须是（行数, d_model ", s.d_model, "），得到 ", shapeText(table.shape)));
}

std::int64_t segmentOf(const SumParams& p, std::int64_t token) {
  if (!p.segment_ids.empty()) return static_cast<std::int64_t>(p.segment_ids[static_cast<std::size_t>(token)]);
  return p.second_segment_at > 0 && token >= p.second_segment_at ? 1 : 0;
}

/// Every token has a segment, every segment a row. Errors: bad_shape, past_table.
Outcome checkSegments(const SumParams& p, const Shape& s) {
  const std::int64_t rows = segmentRows(p);
  if (!p.segment_ids.empty() && static_cast<std::int64_t>(p.segment_ids.size()) != s.keys())
    return fail(ErrorCode::bad_shape,
                join("embedding_sum: segment_ids must have seq_len ", s.keys(), " numbers, got ", p.segment_ids.size()),
                join("embedding_sum：segment_ids 必须有 seq_len ", s.keys(), " 个数，得到 ", p.segment_ids.size()));
  const bool second = p.segment_ids.empty() && p.second_segment_at > 0 && p.second_segment_at < s.keys();
  std::vector<double> asked = p.segment_ids;
  if (second) asked.push_back(1);
  for (const double id : asked)
    if (!(id >= 0 && id < static_cast<double>(rows)) || id != static_cast<double>(static_cast<std::int64_t>(id)))
      return fail(ErrorCode::past_table,
                  join("embedding_sum: there is no segment ", id, "; the table has segments 0 to ", rows - 1),
                  join("embedding_sum：没有第 ", id, " 段；段表只有 0 到 ", rows - 1));
  return {};
}

/// (x − mean) / √(variance + ε) · gain + shift with the biased variance; sums in double. A row of equal numbers is
/// the shift, also with ε = 0.
template <class T>
void normalise(std::span<T> row, double eps, const std::vector<double>& gain, const std::vector<double>& shift) {
  const auto width = static_cast<double>(row.size());
  double mean = 0;
  for (const T x : row) mean += static_cast<double>(x) / width;
  double variance = 0;
  for (const T x : row) variance += (static_cast<double>(x) - mean) * (static_cast<double>(x) - mean) / width;
  const double root = std::sqrt(variance + eps);
  for (std::size_t c = 0; c < row.size(); ++c) {
    const double scaled = root > 0 ? (static_cast<double>(row[c]) - mean) / root : 0;
    row[c] = static_cast<T>(scaled * gain[c] + shift[c]);
  }
}

struct EmbeddingSum {
  Outcome check(const SumParams& p, const Shape& s) const {
    if (Outcome ok = checkTable(p.position_table, "position_table", s); !ok) return ok;
    if (Outcome ok = checkTable(p.segment_table, "segment_table", s); !ok) return ok;
    if (Outcome ok = checkWeights("embedding_sum", "gamma", p.gamma, {s.d_model}); !ok) return ok;
    if (Outcome ok = checkWeights("embedding_sum", "beta", p.beta, {s.d_model}); !ok) return ok;
    if (Outcome ok = checkTableRows("embedding_sum", s, positionRows(p)); !ok) return ok;
    if (Outcome ok = checkSegments(p, s); !ok) return ok;
    const double drawn = s.first_position + static_cast<double>(p.position_offset + segmentRows(p));
    return checkMemory("embedding_sum: the tables",
                       (drawn + 2 * static_cast<double>(s.keys())) * static_cast<double>(s.d_model) * sizeof(double));
  }

  template <class T>
  Encoding<T> encode(const SumParams& p, const Shape& shape) const {
    const std::int64_t width = shape.d_model;
    const std::int64_t first = p.position_offset + static_cast<std::int64_t>(shape.first_position);
    const std::vector<double> positions =
        weightsOf<double>(p.position_table, (first + shape.keys()) * width, {p.seed, "embedding_sum/positions", p.std});
    const std::vector<double> segments =
        weightsOf<double>(p.segment_table, segmentRows(p) * width, {p.seed, "embedding_sum/segments", p.std});
    Encoding<T> encoding;
    encoding.input.table = makeTable<T>(shape.keys(), width);
    for (std::int64_t t = 0; t < shape.keys(); ++t) {
      const double* position = positions.data() + (first + t) * width;
      const double* segment = segments.data() + segmentOf(p, t) * width;
      std::transform(position, position + width, segment, encoding.input.table.row(t).begin(),
                     [](double a, double b) { return static_cast<T>(a + b); });
    }
    if (p.layer_norm)
      encoding.input.transform = normalised(encoding.input.table, p.eps, weightsOf<double>(p.gamma, width, 1.0),
                                            weightsOf<double>(p.beta, width, 0.0));
    encoding.logit_scale = rootScale(shape);
    encoding.offset_only = false;
    return encoding;
  }

  SchemeCost cost(const SumParams& p, const Shape& shape) const {
    const std::int64_t width = shape.d_model;
    const std::int64_t rows = positionRows(p) + p.position_offset;
    // Two rows are added; the norm takes mean, variance, gain and shift. Without it one addition is the table's.
    return {.learned = (rows + segmentRows(p) + (p.layer_norm ? 2 : 0)) * width,
            .per_token = p.layer_norm ? 6 * width : width};
  }

  std::string substitution(const SumParams& p, const Shape& shape) const {
    return join("S = ", segmentRows(p), ", d = ", screenNumber(static_cast<double>(shape.d_model)),
                p.layer_norm ? join(", ε = ", p.eps) : "");
  }

 private:
  template <class T>
  static std::function<void(Rows<T>, std::span<T>)> normalised(const Table<T>& table, double eps,
                                                               std::vector<double> gain, std::vector<double> shift) {
    return [table, eps, gain = std::move(gain), shift = std::move(shift)](Rows<T> x, std::span<T> out) {
      parallelBlocks(x.rows, 64, Job{}, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t t = begin; t < end; ++t) {
          const std::span<T> row = out.subspan(static_cast<std::size_t>(t * x.cols), static_cast<std::size_t>(x.cols));
          std::ranges::transform(x.row(t), table.row(t), row.begin(), std::plus<>());
          normalise(row, eps, gain, shift);
        }
      });
    };
  }
};

}  // namespace

Scheme embeddingSum() {
  return makeScheme({.id = "embedding_sum",
                     .name = {"Word + position + segment", "词、位置与段之和"},
                     .family = Family::combination,
                     .year = 2018,
                     .reference = "BERT, Devlin et al. 2018, arXiv:1810.04805",
                     .summary = {"Word, position and segment vectors are summed and the sum is normalised, as in BERT.",
                                 "像 BERT 那样将词、位置、段三个向量相加，再对和做层归一化。"}},
                    sumTable(), EmbeddingSum{});
}

}  // namespace posiscope::schemes
