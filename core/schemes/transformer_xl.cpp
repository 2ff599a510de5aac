// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/transformer_xl.h"

#include "core/dot.h"
#include "core/lazy.h"
#include "core/schemes/learned_weights.h"
#include "core/schemes/schemes.h"
#include "core/sinusoidal.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

namespace posiscope::schemes {

template <class T>
DistanceRows<T> distanceRows(const TransformerXlParams& params, std::int64_t seq_len, std::int64_t d_model) {
  const std::int64_t farthest = params.clamp_len <= 0 ? seq_len - 1 : std::min(seq_len - 1, params.clamp_len);
  const std::int64_t lowest = params.bidirectional ? -farthest : 0;
  const SinusoidalParams halves{.columns = SinusoidalColumns::concatenated};
  return {lowest, sinusoidalTable<T>(halves, farthest - lowest + 1, d_model, static_cast<double>(lowest))};
}

template <class T>
Table<T> txlRows(const TransformerXlParams& params, std::int64_t seq_len, std::int64_t d_model) {
  const DistanceRows<T> distances = distanceRows<T>(params, seq_len, d_model);
  Table<T> out = makeTable<T>(seq_len, d_model);
  for (std::int64_t r = 0; r < seq_len; ++r)
    std::ranges::copy(distances.rows.row(distances.indexOf(seq_len - 1 - r)), out.row(r).begin());
  return out;
}

template <class T>
Table<T> relativeShift(Rows<T> x) {
  Table<T> out = makeTable<T>(x.rows, x.cols);
  for (std::int64_t t = 0; t < x.rows * x.cols; ++t) {
    const std::int64_t padded = t + x.rows;  // flat index in the (L_q, L_k + 1) matrix with its zero column
    const std::int64_t col = padded % (x.cols + 1);
    out.values[static_cast<std::size_t>(t)] =
        col == 0 ? T(0) : x.row(padded / (x.cols + 1))[static_cast<std::size_t>(col - 1)];
  }
  return out;
}

template <class T>
TransformerXlTerms<T>::TransformerXlTerms(const TransformerXlParams& params, const DistanceRows<T>& distances,
                                          Rows<T> w_r, std::span<const T> u, std::span<const T> v, Rows<T> q, Rows<T> k,
                                          std::int64_t query_offset)
    : bidirectional_(params.bidirectional),
      query_offset_(query_offset),
      r_{distances.lowest, makeTable<T>(distances.rows.rows, w_r.rows)},
      q_(q),
      k_(k) {
  for (std::int64_t n = 0; n < r_.rows.rows; ++n) {
    for (std::int64_t d = 0; d < w_r.rows; ++d)
      r_.rows.row(n)[static_cast<std::size_t>(d)] = dot(w_r.row(d), distances.rows.row(n));
    position_bias_.push_back(dot(v, std::as_const(r_.rows).row(n)));
  }
  for (std::int64_t j = 0; j < k.rows; ++j) key_bias_.push_back(dot(u, k.row(j)));
}

template <class T>
std::array<T, 4> TransformerXlTerms<T>::at(std::int64_t i, std::int64_t j) const {
  const std::int64_t n = i + query_offset_ - j;
  const T content = dot(q_.row(i), k_.row(j));
  const T key_bias = key_bias_[static_cast<std::size_t>(j)];
  if (n < 0 && !bidirectional_) return {content, T(0), key_bias, T(0)};
  const std::int64_t row = r_.indexOf(n);
  return {content, dot(q_.row(i), r_.rows.row(row)), key_bias, position_bias_[static_cast<std::size_t>(row)]};
}

template DistanceRows<float> distanceRows(const TransformerXlParams&, std::int64_t, std::int64_t);
template DistanceRows<double> distanceRows(const TransformerXlParams&, std::int64_t, std::int64_t);
template Table<float> txlRows(const TransformerXlParams&, std::int64_t, std::int64_t);
template Table<double> txlRows(const TransformerXlParams&, std::int64_t, std::int64_t);
template Table<float> relativeShift(Rows<float>);
template Table<double> relativeShift(Rows<double>);
template class TransformerXlTerms<float>;
template class TransformerXlTerms<double>;

namespace {

ParamTable<TransformerXlParams> transformerXlTable() {
  using P = TransformerXlParams;
  ParamTable<P> t;
  t.boolean("bidirectional", &P::bidirectional,
            {{"both directions", "双向"},
             {"XLNet's form, which also has distances below zero.", "XLNet 的形式，也包含负距离。"}});
  t.integer("clamp_len", &P::clamp_len, {-1, 1 << 24, -1, 4096, false},
            {{"largest distance", "最大距离"},
             {"Distances beyond it count as it; 0 and below mean no limit, as in the original code.",
              "超出的距离按此值计算；0 及以下表示不限制，与原代码相同。"},
             "",
             "tokens"});
  t.array("w_r", &P::w_r,
          {{"position weights", "位置权重"},
           {"W_R of shape (heads·head_dim, d_model), or one for each layer.",
            "W_R，形状 (头数·head_dim, d_model)，或每层一个。"},
           "W_R"});
  t.array("u", &P::u,
          {{"content bias", "内容偏置"},
           {"u of shape (heads, head_dim), or one for each layer.", "u，形状 (头数, head_dim)，或每层一个。"},
           "r_w_bias"});
  t.array("v", &P::v,
          {{"position bias", "位置偏置"},
           {"v of shape (heads, head_dim), or one for each layer.", "v，形状 (头数, head_dim)，或每层一个。"},
           "r_r_bias"});
  addSeed(t);
  return t;
}

/// Everything of one head that its terms look at.
template <class T>
struct TransformerXlHead {
  Table<T> w_r, u, v;
  std::optional<TransformerXlTerms<T>> terms;
};

template <class T>
class TransformerXlWeights {
 public:
  TransformerXlWeights(const TransformerXlParams& p, const Shape& shape)
      : params_(p), shape_(shape), distances_([p, shape] { return distanceRows<T>(p, shape.keys(), shape.d_model); }) {
    for (Array* array : {&params_.w_r, &params_.u, &params_.v}) *array = layerPart(*array, 2, shape.layer);
  }

  std::shared_ptr<const TransformerXlHead<T>> ofHead(const HeadContent<T>& head) const {
    auto result = std::make_shared<TransformerXlHead<T>>();
    result->w_r = part(params_.w_r, "w_r", head.head, shape_.head_dim, shape_.d_model);
    result->u = part(params_.u, "u", head.head, 1, shape_.head_dim);
    result->v = part(params_.v, "v", head.head, 1, shape_.head_dim);
    result->terms.emplace(params_, distances_.get(), rowsOf(result->w_r), std::as_const(result->u).row(0),
                          std::as_const(result->v).row(0), head.q, head.k, shape_.queryOffset());
    return result;
  }

 private:
  /// The rows of one head of an array with `rows` for each head.
  Table<T> part(const Array& given, const char* name, std::int64_t head, std::int64_t rows, std::int64_t cols) const {
    const Drawing drawing{params_.seed, join("transformer_xl/", name), 1.0 / std::sqrt(static_cast<double>(cols))};
    return {rows, cols, weightsPart<T>(given, head * rows * cols, rows * cols, drawing)};
  }

  TransformerXlParams params_;
  Shape shape_;
  Lazy<DistanceRows<T>> distances_;
};

struct TransformerXl {
  Outcome check(const TransformerXlParams& p, const Shape& shape) const {
    const std::vector<std::int64_t> bias{shape.num_heads, shape.head_dim};
    const std::vector<std::int64_t> weight{shape.num_heads * shape.head_dim, shape.d_model};
    if (Outcome ok = checkLayerWeights("transformer_xl", "w_r", p.w_r, weight, shape.num_layers); !ok) return ok;
    if (Outcome ok = checkLayerWeights("transformer_xl", "u", p.u, bias, shape.num_layers); !ok) return ok;
    if (Outcome ok = checkLayerWeights("transformer_xl", "v", p.v, bias, shape.num_layers); !ok) return ok;
    const double rows = static_cast<double>(shape.keys()) * (p.bidirectional ? 2 : 1);
    return checkMemory("transformer_xl: R", rows * static_cast<double>(shape.d_model) * sizeof(double));
  }

  template <class T>
  Encoding<T> encode(const TransformerXlParams& p, const Shape& shape) const {
    const auto weights = std::make_shared<const TransformerXlWeights<T>>(p, shape);
    Encoding<T> encoding;
    encoding.logit_scale = rootScale(shape);
    const auto scale = static_cast<T>(encoding.logit_scale);
    encoding.logits.score.prepare = [weights, scale](const HeadContent<T>& content) -> typename OwnScore<T>::RowScore {
      return [head = weights->ofHead(content), scale](std::int64_t i, std::span<T> logits) {
        for (std::size_t j = 0; j < logits.size(); ++j) {
          const auto [a, b, c, d] = head->terms->at(i, static_cast<std::int64_t>(j));
          logits[j] = scale * ((a + c) + (b + d));
        }
      };
    };
    encoding.logits.terms = {{{"(a) q·k, content", "(a) q·k，内容"},
                              {"(b) q·r, position", "(b) q·r，位置"},
                              {"(c) u·k, content bias", "(c) u·k，内容偏置"},
                              {"(d) v·r, position bias", "(d) v·r，位置偏置"}},
                             [weights, scale](const HeadContent<T>& content) -> typename ScoreTerms<T>::Fill {
                               return [head = weights->ofHead(content), scale](std::size_t term, std::int64_t i,
                                                                               std::span<T> row) {
                                 for (std::size_t j = 0; j < row.size(); ++j)
                                   row[j] = scale * head->terms->at(i, static_cast<std::int64_t>(j))[term];
                               };
                             }};
    return encoding;
  }

  SchemeCost cost(const TransformerXlParams&, const Shape& shape) const {
    const std::int64_t width = shape.num_heads * shape.head_dim;
    return {.learned = width * shape.d_model + 2 * width,
            .per_token = width * shape.d_model + 2 * width,
            .per_pair = width};
  }

  std::string substitution(const TransformerXlParams& p, const Shape& shape) const {
    return join("D = ", shape.d_model, ", n ≤ ",
                p.clamp_len <= 0 ? shape.keys() - 1 : std::min(shape.keys() - 1, p.clamp_len),
                p.bidirectional ? ", n ∈ ℤ" : ", n ≥ 0");
  }
};

}  // namespace

Scheme transformerXl() {
  return makeScheme({.id = "transformer_xl",
                     .name = {"Transformer-XL", "Transformer-XL 相对位置"},
                     .family = Family::bias,
                     .year = 2019,
                     .reference = "Dai et al. 2019, arXiv:1901.02860",
                     .summary = {"Four terms: content and a sinusoid of the distance, each met by the query and by a "
                                 "learned bias.",
                                 "四项之和：内容与距离的正弦编码，分别与查询及一个学习到的偏置相乘。"}},
                    transformerXlTable(), TransformerXl{});
}

}  // namespace posiscope::schemes
