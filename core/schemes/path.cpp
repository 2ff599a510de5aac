// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dot.h"
#include "core/rms_norm.h"
#include "core/schemes/learned_weights.h"
#include "core/schemes/placed_terms.h"
#include "core/schemes/schemes.h"

namespace posiscope::schemes {
namespace {

struct PathParams {
  Array w;     ///< (heads, at least seq_len, head_dim), used as they are
  Array beta;  ///< (heads, at least seq_len)
  std::int64_t seed = 1;
};

ParamTable<PathParams> pathTable() {
  using P = PathParams;
  ParamTable<P> t;
  t.array("w", &P::w,
          {{"directions", "方向"},
           {"w of shape (heads, tokens, head_dim), used as given; otherwise drawn projections of the tokens.",
            "w，形状 (头数, 词元数, head_dim)，按原值使用；未给出时由词元经随机投影得到。"}});
  t.array("beta", &P::beta,
          {{"strengths", "强度"},
           {"β of shape (heads, tokens), 0 to 2; given together with w.",
            "β，形状 (头数, 词元数)，取值 0 到 2；须与 w 一同给出。"}});
  addSeed(t);
  return t;
}

/// H_t = I − β_t w_t w_tᵀ of each token of one head.
struct Reflections {
  Table<double> w;
  std::vector<double> beta;

  /// v becomes H_t v.
  void apply(std::int64_t t, std::vector<double>& v) const {
    const std::span<const double> direction = w.row(t);
    double along = 0;
    for (std::size_t d = 0; d < v.size(); ++d) along += v[d] * direction[d];
    along *= beta[static_cast<std::size_t>(t)];
    for (std::size_t d = 0; d < v.size(); ++d) v[d] -= along * direction[d];
  }
};

Reflections given(const PathParams& p, std::int64_t head, const Shape& shape) {
  const std::int64_t tokens = p.w.shape[1];
  const double* w = p.w.data() + head * tokens * shape.head_dim;
  const double* beta = p.beta.data() + head * tokens;
  return {{shape.keys(), shape.head_dim, std::vector<double>(w, w + shape.keys() * shape.head_dim)},
          std::vector<double>(beta, beta + shape.keys())};
}

/// Unit directions and strengths 2σ(·) from drawn projections of the tokens, as a fresh model has them.
template <class T>
Reflections drawn(const PathParams& p, const HeadContent<T>& head) {
  const std::int64_t dim = head.shape->head_dim, width = head.x.cols;
  const double deviation = 1.0 / std::sqrt(static_cast<double>(width));
  const auto project = weightsOf<double>({}, dim * width, Drawing{p.seed, join("path/w/", head.head), deviation});
  const auto gate = weightsOf<double>({}, width, Drawing{p.seed, join("path/beta/", head.head), deviation});
  const Table<T> x = rmsNormalised(head.x);
  Reflections made{makeTable<double>(x.rows, dim), {}};
  for (std::int64_t t = 0; t < x.rows; ++t) {
    double square = 0, strength = 0;
    for (std::int64_t d = 0; d < dim; ++d) {
      double& out = made.w.row(t)[static_cast<std::size_t>(d)];
      for (std::int64_t c = 0; c < width; ++c)
        out += project[static_cast<std::size_t>(d * width + c)] *
               static_cast<double>(x.row(t)[static_cast<std::size_t>(c)]);
      square += out * out;
    }
    if (square > 0)
      for (double& v : made.w.row(t)) v /= std::sqrt(square);
    for (std::int64_t c = 0; c < width; ++c)
      strength += gate[static_cast<std::size_t>(c)] * static_cast<double>(x.row(t)[static_cast<std::size_t>(c)]);
    made.beta.push_back(2 / (1 + std::exp(-strength)));
  }
  return made;
}

/// Row i: the query walks back through the tokens and each H turns it, the newest first. Its own H counts, the key's
/// does not. O(L·d) with the running vector, in double because thousands of H follow one another.
template <class T>
void pathRow(const Reflections& reflections, std::span<const T> q, Rows<T> k, double scale, std::int64_t newest,
             std::span<T> logits) {
  std::ranges::fill(logits.subspan(static_cast<std::size_t>(newest) + 1), T(0));
  std::vector<double> v(q.begin(), q.end());
  for (std::int64_t j = newest; j >= 0; --j) {
    double sum = 0;
    for (std::size_t d = 0; d < v.size(); ++d) sum += v[d] * static_cast<double>(k.row(j)[d]);
    logits[static_cast<std::size_t>(j)] = static_cast<T>(scale * sum);
    reflections.apply(j, v);
  }
}

/// q·k of the keys that the query may walk back to, as if no token lay between.
template <class T>
typename OwnScore<T>::RowScore directScore(T scale, const HeadContent<T>& head) {
  return [scale, q = head.q, k = head.k, offset = head.shape->queryOffset()](std::int64_t i, std::span<T> row) {
    std::ranges::fill(row, T(0));
    for (std::int64_t j = 0; j <= i + offset; ++j) row[static_cast<std::size_t>(j)] = scale * dot(q.row(i), k.row(j));
  };
}

struct Path {
  Outcome check(const PathParams& p, const Shape& shape) const {
    if (p.w.empty() != p.beta.empty())
      return fail(ErrorCode::bad_value,
                  join("path: w and beta must be given together, got only ", p.w.empty() ? "beta" : "w"),
                  join("path：w 和 beta 必须一同给出，只得到 ", p.w.empty() ? "beta" : "w"));
    if (p.w.empty()) return {};
    if (p.w.rank() != 3 || p.w.shape[0] != shape.num_heads || p.w.shape[1] < shape.keys() ||
        p.w.shape[2] != shape.head_dim)
      return fail(ErrorCode::bad_shape,
                  join("path: w must have shape (heads, tokens, head_dim) with at least the tokens of ",
                       shapeText({shape.num_heads, shape.keys(), shape.head_dim}), ", got ", shapeText(p.w.shape)),
                  join("path：w 的形状必须是（头数, 词元数, head_dim），词元数不少于 ",
                       shapeText({shape.num_heads, shape.keys(), shape.head_dim}), "，得到 ", shapeText(p.w.shape)));
    if (Outcome ok = checkWeights("path", "beta", p.beta, {shape.num_heads, p.w.shape[1]}); !ok) return ok;
    for (const double beta : *p.beta.values)
      if (!(beta >= 0 && beta <= 2)) return fail(rangeError("path", "beta", 0, 2, beta));
    return {};
  }

  template <class T>
  Encoding<T> encode(const PathParams& p, const Shape& shape) const {
    Encoding<T> encoding;
    encoding.logit_scale = rootScale(shape);
    encoding.logits.score.reads_input = p.w.empty();
    encoding.logits.score.prepare = [p, scale = encoding.logit_scale](const HeadContent<T>& head) {
      auto turns = std::make_shared<const Reflections>(p.w.empty() ? drawn(p, head) : given(p, head.head, *head.shape));
      return typename OwnScore<T>::RowScore(
          [turns, scale, q = head.q, k = head.k, offset = head.shape->queryOffset()](std::int64_t i, std::span<T> row) {
            pathRow(*turns, q.row(i), k, scale, i + offset, row);
          });
    };
    encoding.logits.terms = placedTerms<T>(
        [scale = static_cast<T>(encoding.logit_scale)](const HeadContent<T>& head) { return directScore(scale, head); },
        encoding.logits.score.prepare,
        {{"q·k with no token between", "中间没有词元时的 q·k"}, {"what the reflections add", "反射带来的变化"}});
    return encoding;
  }

  SchemeCost cost(const PathParams&, const Shape& shape) const {
    const std::int64_t weights = shape.num_heads * (shape.head_dim + 1) * shape.d_model;
    return {.learned = weights, .per_token = weights, .per_pair = 2 * shape.num_heads * shape.head_dim};
  }

  std::string substitution(const PathParams& p, const Shape& shape) const {
    return join("H: ", shape.head_dim, " × ", shape.head_dim, p.w.empty() ? ", β = 2σ(x·u)" : "");
  }
};

}  // namespace

Scheme path() {
  return makeScheme({.id = "path",
                     .name = {"PaTH", "PaTH 累积反射"},
                     .family = Family::content,
                     .year = 2025,
                     .reference = "Yang et al. 2025, arXiv:2505.16381",
                     .summary = {"Every token between key and query turns the query by a reflection of its own.",
                                 "键与查询之间的每个词元都用自己的反射变换查询。"}},
                    pathTable(), Path{});
}

}  // namespace posiscope::schemes
