// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/tupe.h"

#include "core/attention/projection.h"
#include "core/dot.h"
#include "core/layer_norm.h"
#include "core/lazy.h"
#include "core/schemes/base_table.h"
#include "core/schemes/learned_weights.h"
#include "core/schemes/schemes.h"
#include "core/screen_number.h"

#include <cmath>
#include <deque>
#include <memory>

namespace posiscope::schemes {

std::int64_t tupeBucket(const BucketParams& params, const std::vector<std::int64_t>& edges, std::int64_t i,
                        std::int64_t j) {
  if (i == 0) return params.num_buckets / 2;
  if (j == 0) return params.num_buckets;
  return bucketOf(params, edges, j - i);
}

namespace {

void addArrays(ParamTable<TupeParams>& t) {
  using P = TupeParams;
  const Text projection{"Projection of shape (heads·head_dim, d_model).", "投影，形状 (头数·head_dim, d_model)。"};
  const Text bias{"Bias of shape (heads·head_dim,).", "偏置，形状 (头数·head_dim,)。"};
  t.array("position_table", &P::position_table,
          {{"position table", "位置表"},
           {"At least first_position + seq_len + 1 rows of width d_model; position t is row t + 1.",
            "至少 first_position + seq_len + 1 行，宽 d_model；位置 t 为第 t + 1 行。"},
           "P"});
  t.array("ln_gamma", &P::ln_gamma,
          {{"norm gain", "归一化增益"}, {"Gain of the layer norm, (d_model,).", "层归一化的增益，形状 (d_model,)。"}})
      .unset({"1", "1"});
  t.array(
       "ln_beta", &P::ln_beta,
       {{"norm offset", "归一化偏移"}, {"Offset of the layer norm, (d_model,).", "层归一化的偏移，形状 (d_model,)。"}})
      .unset({"0", "0"});
  t.array("u_q", &P::u_q, {{"U_Q", "U_Q"}, projection, "U_Q"});
  t.array("b_q", &P::b_q, {{"bias of U_Q", "U_Q 的偏置"}, bias, "b_Q"}).unset({"0", "0"});
  t.array("u_k", &P::u_k, {{"U_K", "U_K"}, projection, "U_K"});
  t.array("b_k", &P::b_k, {{"bias of U_K", "U_K 的偏置"}, bias, "b_K"}).unset({"0", "0"});
  t.array("relative_table", &P::relative_table,
          {{"relative table", "相对位置表"},
           {"Bias of the buckets, (num_buckets + 1, heads).", "各桶的偏置，形状 (num_buckets + 1, 头数)。"}})
      .when("relative", {"true"});
}

ParamTable<TupeParams> tupeTable() {
  using P = TupeParams;
  ParamTable<P> t;
  t.boolean("untie_cls", &P::untie_cls,
            {{"untied [CLS]", "[CLS] 解绑"},
             {"The class token sees, and is seen by, a learned number instead of its position.",
              "分类词元与其他词元之间使用可学习的数，而不是位置。"}});
  t.boolean("relative", &P::relative,
            {{"relative bias (TUPE-R)", "相对偏置（TUPE-R）"},
             {"Adds T5's buckets to the absolute positions.", "在绝对位置之外再加 T5 的分桶偏置。"}});
  t.integer("num_buckets", &P::num_buckets, {4, 1024, 4, 128, true},
            {{"buckets", "桶数"},
             {"Buckets of the relative bias, both directions together.", "相对偏置的桶数，两个方向合计。"}})
      .when("relative", {"true"});
  t.integer("max_distance", &P::max_distance, {2, 1 << 20, 16, 4096, true},
            {{"max distance", "最大距离"},
             {"The logarithmic buckets reach up to here.", "对数分桶延伸到此距离。"},
             "",
             "tokens"})
      .when("relative", {"true"});
  t.real("layer_norm_eps", &P::layer_norm_eps, {0, 1, 1e-12, 0.01, true},
         {{"norm epsilon", "归一化 ε"},
          {"Added to the variance of each position vector.", "加到每个位置向量的方差上。"},
          "ln_eps"});
  addArrays(t);
  addSeed(t);
  return t;
}

/// The rows of the position table that are read: the two of the class token, then those of the tokens.
constexpr std::int64_t class_rows = 2;
/// Row of the position table for a token; position t has row t + 1.
std::int64_t tableRow(const Shape& shape, std::int64_t token) {
  return static_cast<std::int64_t>(shape.first_position) + token + 1;
}

/// Projected positions of one head: the rows 0 and 1 of the table, and that of token t as row class_rows + t.
template <class T>
struct HeadPositions {
  Table<T> q, k;
};

/// Everything that does not depend on content, made head by head when asked for.
template <class T>
class TupeBias {
 public:
  TupeBias(const TupeParams& p, const Shape& shape)
      : params_(p),
        shape_(shape),
        scale_(1.0 / std::sqrt(2.0 * static_cast<double>(shape.head_dim))),
        edges_(p.relative ? bucketEdges(p.buckets().side(), p.max_distance) : std::vector<std::int64_t>{}),
        relative_(weightsOf<T>(p.relative_table, p.relative ? (p.num_buckets + 1) * shape.num_heads : 0,
                               {p.seed, "tupe/relative_table", 1.0})),
        positions_([this] { return normalisedPositions(); }) {
    for (std::int64_t h = 0; h < shape.num_heads; ++h) heads_.emplace_back([this, h] { return ofHead(h); });
  }
  TupeBias(const TupeBias&) = delete;  // its lazy parts point to it
  TupeBias& operator=(const TupeBias&) = delete;

  void fill(std::int64_t head, std::int64_t i, std::span<T> row) const {
    fillPositions(head, i, row);
    if (!params_.relative) return;
    for (std::int64_t j = 0; j < static_cast<std::int64_t>(row.size()); ++j)
      row[static_cast<std::size_t>(j)] += relative(head, i, j);
  }

  /// The product of the positions alone.
  void fillPositions(std::int64_t head, std::int64_t i, std::span<T> row) const {
    const HeadPositions<T>& at = heads_[static_cast<std::size_t>(head)].get();
    const std::int64_t asking = i + shape_.queryOffset();
    const auto product = [&](std::int64_t a, std::int64_t b) {
      return static_cast<T>(scale_) * dot(at.q.row(a), at.k.row(b));
    };
    for (std::int64_t j = 0; j < static_cast<std::int64_t>(row.size()); ++j) {
      T& value = row[static_cast<std::size_t>(j)];
      if (params_.untie_cls && asking == 0)
        value = product(0, 0);
      else if (params_.untie_cls && j == 0)
        value = product(1, 1);
      else
        value = product(class_rows + asking, class_rows + j);
    }
  }

  /// What TUPE-R adds.
  T relative(std::int64_t head, std::int64_t i, std::int64_t j) const {
    return relative_[static_cast<std::size_t>(bucket(i, j) * shape_.num_heads + head)];
  }

  std::int64_t bucket(std::int64_t i, std::int64_t j) const {
    return tupeBucket(params_.buckets(), edges_, i + shape_.queryOffset(), j);
  }

 private:
  Table<T> normalisedPositions() const {
    const std::int64_t width = shape_.d_model;
    const auto rowsFrom = [&](std::int64_t first, std::int64_t count) {
      return weightsPart<T>(params_.position_table, first * width, count * width,
                            {params_.seed, "tupe/position_table", 1.0});
    };
    const std::int64_t rows = class_rows + shape_.keys();
    Table<T> table{rows, width, rowsFrom(0, class_rows)};
    const std::vector<T> of_tokens = rowsFrom(tableRow(shape_, 0), shape_.keys());
    table.values.insert(table.values.end(), of_tokens.begin(), of_tokens.end());
    const auto gain = weightsOf<double>(params_.ln_gamma, width, 1.0);
    const auto offset = weightsOf<double>(params_.ln_beta, width, 0.0);
    for (std::int64_t r = 0; r < rows; ++r) layerNorm<T>(table.row(r), gain, offset, params_.layer_norm_eps);
    return table;
  }

  HeadPositions<T> ofHead(std::int64_t head) const {
    const Table<T>& positions = positions_.get();
    const auto projected = [&](const Array& weight, const Array& bias, const char* name) {
      const std::int64_t width = shape_.head_dim;
      const std::int64_t size = width * shape_.d_model;
      const Drawing drawing{params_.seed, join("tupe/", name), 1.0 / std::sqrt(static_cast<double>(shape_.d_model))};
      const Table<T> part{width, shape_.d_model, weightsPart<T>(weight, head * size, size, drawing)};
      Table<T> out = makeTable<T>(positions.rows, width);
      attention::project<T>(rowsOf(positions), rowsOf(part), 0, width, out.values, Job{});
      if (bias.empty()) return out;
      for (std::int64_t r = 0; r < out.rows; ++r)
        for (std::int64_t d = 0; d < width; ++d)
          out.row(r)[static_cast<std::size_t>(d)] += static_cast<T>(bias.data()[head * width + d]);
      return out;
    };
    return {projected(params_.u_q, params_.b_q, "u_q"), projected(params_.u_k, params_.b_k, "u_k")};
  }

  TupeParams params_;
  Shape shape_;
  double scale_;
  std::vector<std::int64_t> edges_;
  std::vector<T> relative_;
  Lazy<Table<T>> positions_;
  std::deque<Lazy<HeadPositions<T>>> heads_;
};

struct Tupe {
  Outcome check(const TupeParams& p, const Shape& shape) const {
    if (p.relative)
      if (Outcome ok = checkBuckets("tupe", p.buckets()); !ok) return ok;
    if (p.position_table.empty()) {
      if (Outcome ok = checkDrawnRows("tupe", shape); !ok) return ok;
    } else if (p.position_table.rank() == 2 && p.position_table.shape[1] == shape.d_model) {
      if (Outcome ok = checkTableRows("tupe", shape, p.position_table.shape[0] - 1); !ok) return ok;
    } else if (Outcome ok = checkWeights("tupe", "position_table", p.position_table,
                                         {tableRow(shape, shape.keys()), shape.d_model});
               !ok) {
      return ok;
    }
    const std::int64_t inner = shape.num_heads * shape.head_dim;
    const auto ok = [](std::string_view key, const Array& array, const std::vector<std::int64_t>& wanted) {
      return checkWeights("tupe", key, array, wanted);
    };
    for (const Outcome& outcome :
         {ok("ln_gamma", p.ln_gamma, {shape.d_model}), ok("ln_beta", p.ln_beta, {shape.d_model}),
          ok("u_q", p.u_q, {inner, shape.d_model}), ok("u_k", p.u_k, {inner, shape.d_model}), ok("b_q", p.b_q, {inner}),
          ok("b_k", p.b_k, {inner}), ok("relative_table", p.relative_table, {p.num_buckets + 1, shape.num_heads})})
      if (!outcome) return outcome;
    const auto widest = static_cast<double>(std::max(shape.d_model, shape.head_dim));
    return checkMemory("tupe: the positions", static_cast<double>(class_rows + shape.keys()) * widest * sizeof(double));
  }

  template <class T>
  Encoding<T> encode(const TupeParams& p, const Shape& shape) const {
    const auto positions = std::make_shared<const TupeBias<T>>(p, shape);
    Encoding<T> encoding;
    encoding.logits.bias =
        PairBias<T>{[positions](std::int64_t head, std::int64_t i, std::span<T> row) { positions->fill(head, i, row); },
                    [positions, p, shape](std::int64_t head, std::int64_t i, std::int64_t j) {
                      // The rows 0 and 1 stand for the class token, as in `fill`.
                      const std::int64_t asking = i + shape.queryOffset();
                      std::int64_t query = tableRow(shape, asking), key = tableRow(shape, j);
                      if (p.untie_cls && asking == 0)
                        query = key = 0;
                      else if (p.untie_cls && j == 0)
                        query = key = 1;
                      const std::string product = join("s · U_Q P[", query, "] · U_K P[", key, "]");
                      return p.relative ? join(product, " + b[", positions->bucket(i, j), ", ", head, "]") : product;
                    }};
    encoding.logits.terms = termsOf(positions, p.relative);
    if (p.relative)
      encoding.logits.lookup = {p.num_buckets + 1,
                                [positions](std::int64_t i, std::int64_t j) { return positions->bucket(i, j); }};
    encoding.logit_scale = 1.0 / std::sqrt(2.0 * static_cast<double>(shape.head_dim));
    encoding.offset_only = false;
    return encoding;
  }

  SchemeCost cost(const TupeParams& p, const Shape& shape) const {
    // What position contributes has no content in it: it is worked out once, not for every text.
    const std::int64_t width = shape.num_heads * shape.head_dim;
    const std::int64_t rows = p.position_table.empty() ? shape.keys() + 1 : p.position_table.shape[0];
    return {.learned = (rows + 2) * shape.d_model + 2 * width * (shape.d_model + 1) +
                       (p.relative ? (p.num_buckets + 1) * shape.num_heads : 0)};
  }

  std::string substitution(const TupeParams& p, const Shape& shape) const {
    return join("1/√(2·", shape.head_dim, "), P: ", screenNumber(static_cast<double>(shape.keys() + 1)), " × ",
                shape.d_model, p.relative ? join(", ", p.num_buckets + 1, " + ", p.max_distance) : std::string{});
  }

 private:
  template <class T>
  static ScoreTerms<T> termsOf(std::shared_ptr<const TupeBias<T>> positions, bool relative) {
    ScoreTerms<T> terms;
    terms.names = {{"P·P, position to position", "P·P，位置对位置"}};
    if (relative) terms.names.push_back({"relative bias", "相对偏置"});
    terms.prepare = [positions = std::move(positions)](const HeadContent<T>& of) {
      return
          typename ScoreTerms<T>::Fill([positions, head = of.head](std::size_t term, std::int64_t i, std::span<T> row) {
            if (term == 0) return positions->fillPositions(head, i, row);
            for (std::size_t j = 0; j < row.size(); ++j)
              row[j] = positions->relative(head, i, static_cast<std::int64_t>(j));
          });
    };
    return terms;
  }
};

}  // namespace

Scheme tupe() {
  return makeScheme({.id = "tupe",
                     .name = {"TUPE", "TUPE 解绑位置编码"},
                     .family = Family::bias,
                     .year = 2020,
                     .reference = "Ke, He and Liu 2020, arXiv:2006.15595",
                     .summary = {"Words meet words and positions meet positions, each with projections of their own.",
                                 "词与词、位置与位置分别相乘，各用自己的投影。"}},
                    tupeTable(), Tupe{});
}

}  // namespace posiscope::schemes
