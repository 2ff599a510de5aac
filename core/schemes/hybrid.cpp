// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/base_table.h"
#include "core/schemes/learned_weights.h"
#include "core/schemes/offset_table.h"
#include "core/schemes/schemes.h"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

namespace posiscope::schemes {
namespace {

enum class Form { table, bias };
enum class Sign { key_minus_query, query_minus_key };

struct HybridParams {
  Form form = Form::table;
  double alpha = 1;
  double beta = 0.5;
  std::int64_t max_distance = 16;
  Sign sign = Sign::key_minus_query;
  BaseKind table_kind = BaseKind::learned;
  double base = 10000;
  double std = 0.02;
  Array position_table;
  Array relative_table;  ///< (2·max_distance + 1, d_model)
  double relative_std = 0.02;
  std::int64_t seed = 1;
};

ParamTable<HybridParams> hybridTable() {
  using P = HybridParams;
  ParamTable<P> t;
  t.choice("form", &P::form, {{"table", {"table", "位置表"}}, {"bias", {"attention bias", "注意力偏置"}}},
           {{"relative part", "相对部分"},
            {"Averaged over all keys and added to the table, or column h read as the bias of head h.",
             "对所有键取平均后加到位置表上，或将第 h 列作为第 h 个头的偏置。"}});
  t.real("alpha", &P::alpha, {-100, 100, 0, 2, false},
         {{"α", "α"}, {"Share of the absolute table.", "绝对位置表的份额。"}});
  t.real("beta", &P::beta, {-100, 100, 0, 2, false},
         {{"β", "β"}, {"Share of the mean of the relative rows.", "相对行平均值的份额。"}})
      .when("form", {"table"});
  t.integer("max_distance", &P::max_distance, {0, 1 << 20, 1, 512, true},
            {{"max distance", "最大距离"},
             {"Offsets beyond this share the last row on their side.", "超出此距离的偏移共用该侧最后一行。"},
             "max_relative_distance",
             "tokens"});
  t.choice("sign", &P::sign, {{"j-i", {"j − i", "j − i"}}, {"i-j", {"i − j", "i − j"}}},
           {{"direction", "方向"},
            {"Which way rows are counted: key minus query, or query minus key.", "行号按键减查询还是查询减键计数。"}});
  addBaseTable(t);
  t.array("relative_table", &P::relative_table,
          {{"relative table", "相对位置表"},
           {"Trained rows, (2·max_distance + 1) × d_model.", "训练好的行，(2·max_distance + 1) × d_model。"},
           "rel_emb"});
  t.real("relative_std", &P::relative_std, {0, 100, 0.001, 1, true},
         {{"relative std", "相对表标准差"}, {"Spread of a drawn relative table.", "随机抽取的相对位置表的标准差。"}});
  addSeed(t);
  return t;
}

std::int64_t rowsOf(const HybridParams& p) { return 2 * p.max_distance + 1; }

/// Row of the relative table for the offset key − query.
std::int64_t rowOf(const HybridParams& p, std::int64_t key_minus_query) {
  const std::int64_t n = p.sign == Sign::key_minus_query ? key_minus_query : -key_minus_query;
  return std::clamp<std::int64_t>(n, -p.max_distance, p.max_distance) + p.max_distance;
}

/// (1/L)·Σ_j R[row of j − i] for every i, O(L·d): the rows between the clipped ends are a difference of running sums.
Table<double> meanOfRows(const HybridParams& p, const Table<double>& relative, std::int64_t length) {
  const std::int64_t width = relative.cols;
  Table<double> upto = makeTable<double>(relative.rows + 1, width);  // upto[r] = R_0 + … + R_{r−1}
  for (std::int64_t r = 0; r < relative.rows; ++r)
    std::ranges::transform(upto.row(r), relative.row(r), upto.row(r + 1).begin(), std::plus<>());
  Table<double> mean = makeTable<double>(length, width);
  for (std::int64_t i = 0; i < length; ++i) {
    std::int64_t low = -i, high = length - 1 - i;  // offsets that occur, in the table's direction
    if (p.sign == Sign::query_minus_key) std::tie(low, high) = std::pair(-high, -low);
    const std::int64_t k = p.max_distance;
    const auto below = static_cast<double>(std::max<std::int64_t>(0, -k - low));
    const auto above = static_cast<double>(std::max<std::int64_t>(0, high - k));
    const std::span<const double> first = upto.row(std::max(low, -k) + k);
    const std::span<const double> last = upto.row(std::min(high, k) + k + 1);
    for (std::size_t c = 0; c < static_cast<std::size_t>(width); ++c) {
      const double inside = last[c] - first[c];
      const double clipped = below * relative.row(0)[c] + above * relative.row(relative.rows - 1)[c];
      mean.row(i)[c] = (inside + clipped) / static_cast<double>(length);
    }
  }
  return mean;
}

struct Hybrid {
  Outcome check(const HybridParams& p, const Shape& s) const {
    // Without a share of it the table is not read: the bias has a value at any position.
    if (p.form == Form::table || p.alpha != 0)
      if (Outcome ok = baseTableOf(p).check("hybrid", s, s.d_model); !ok) return ok;
    if (Outcome ok = checkWeights("hybrid", "relative_table", p.relative_table, {rowsOf(p), s.d_model}); !ok) return ok;
    if (p.form == Form::bias && s.num_heads > s.d_model)
      return fail(
          ErrorCode::bad_shape,
          join("hybrid: every head needs a column of the relative table, num_heads must be at most d_model ", s.d_model,
               ", got ", s.num_heads),
          join("hybrid：每个头需要相对位置表的一列，num_heads 不能超过 d_model ", s.d_model, "，得到 ", s.num_heads));
    const double relative = 2.0 * static_cast<double>(rowsOf(p)) * static_cast<double>(s.d_model) * sizeof(double);
    if (Outcome ok = checkMemory("hybrid: the relative table", relative); !ok) return ok;
    return p.form == Form::bias
               ? checkOffsetBias("hybrid", s, sizeof(double))
               : checkMemory("hybrid: the tables",
                             3.0 * static_cast<double>(s.keys()) * static_cast<double>(s.d_model) * sizeof(double));
  }

  template <class T>
  Encoding<T> encode(const HybridParams& p, const Shape& shape) const {
    const Table<double> relative{
        rowsOf(p), shape.d_model,
        weightsOf<double>(p.relative_table, rowsOf(p) * shape.d_model, {p.seed, "hybrid/relative", p.relative_std})};
    Encoding<T> encoding;
    encoding.logit_scale = rootScale(shape);
    encoding.offset_only = p.form == Form::bias && p.alpha == 0;
    if (!encoding.offset_only) {
      encoding.warnings = baseTableOf(p).warnings();
      const Table<double> absolute = baseTableOf(p).rows("hybrid", p.seed, shape, shape.d_model);
      const Table<double> mean = p.form == Form::table ? meanOfRows(p, relative, shape.keys()) : Table<double>{};
      encoding.input.table = makeTable<T>(shape.keys(), shape.d_model);
      for (std::size_t e = 0; e < absolute.values.size(); ++e)
        encoding.input.table.values[e] =
            static_cast<T>(p.alpha * absolute.values[e] + (mean.empty() ? 0 : p.beta * mean.values[e]));
    }
    if (p.form == Form::bias) {
      encoding.logits.bias = columns<T>(p, relative, shape);
      encoding.logits.lookup = {rowsOf(p), [p, offset = shape.queryOffset()](std::int64_t i, std::int64_t j) {
                                  return rowOf(p, j - (i + offset));
                                }};
    }
    return encoding;
  }

  SchemeCost cost(const HybridParams& p, const Shape& shape) const {
    return {.learned = baseTableOf(p).learned(shape, shape.d_model) + rowsOf(p) * shape.d_model};
  }

  std::string substitution(const HybridParams& p, const Shape&) const {
    return join("α = ", screenNumber(p.alpha), p.form == Form::table ? ", β = " + screenNumber(p.beta) : "",
                ", K = ", screenNumber(static_cast<double>(p.max_distance)));
  }

 private:
  template <class T>
  static OffsetBias<T> columns(const HybridParams& p, const Table<double>& relative, const Shape& shape) {
    OffsetBias<T> bias{shape.num_heads, shape.keys() - 1, {}, [p](std::int64_t head, std::int64_t n) {
                         return join("R[", rowOf(p, -n), ", ", head, "]");
                       }};
    bias.values.reserve(static_cast<std::size_t>(bias.heads * (2 * bias.max_offset + 1)));
    for (std::size_t h = 0; h < static_cast<std::size_t>(bias.heads); ++h)
      for (std::int64_t n = -bias.max_offset; n <= bias.max_offset; ++n)
        bias.values.push_back(static_cast<T>(relative.row(rowOf(p, -n))[h]));
    return bias;
  }
};

}  // namespace

Scheme hybrid() {
  return makeScheme(
      {.id = "hybrid",
       .name = {"Hybrid", "混合位置编码"},
       .family = Family::combination,
       .year = 2024,
       .reference = "a combination of this program",
       .summary = {"An absolute table plus the mean of clipped relative rows, or these as attention bias.",
                   "绝对位置表加上截断相对行的平均值，或将后者用作注意力偏置。"}},
      hybridTable(), Hybrid{});
}

}  // namespace posiscope::schemes
