// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Attention weights beside the rate of the products they need.
#include "core/attention/attention.h"
#include "core/bench/cases.h"
#include "core/bench/limits.h"
#include "core/parallel.h"
#include "core/schemes/list.h"

#include <algorithm>
#include <cmath>

namespace posiscope::bench {
namespace {

constexpr double allowed_error = 2e-5;

struct Problem {
  ProductShape product;
  Shape shape;
  Encoding<float> encoding;
  Content<float> content;
  std::vector<float> q, k;  ///< rotated: what the products start from
};

Expected<Problem> makeProblem(const ProductShape& product) {
  Problem p;
  p.product = product;
  p.shape.seq_len = product.tokens;
  p.shape.num_heads = product.heads;
  p.shape.head_dim = product.head_dim;
  Expected<Encoding<float>> encoding = encode<float>(*schemes::find("rope"), {}, p.shape);
  if (!encoding) return fail(encoding.error());
  p.encoding = *std::move(encoding);
  Expected<Content<float>> content = makeContent<float>({}, p.shape, false);
  if (!content) return fail(content.error());
  p.content = *std::move(content);
  p.q = p.content.q;
  p.k = p.content.k;
  const auto head = static_cast<std::size_t>(product.tokens * product.head_dim);
  for (std::int64_t h = 0; h < product.heads; ++h)
    for (auto* rows : {&p.q, &p.k})
      attention::rotate<float>(*p.encoding.rotation, h, 0, rows == &p.k,
                               {rows->data() + static_cast<std::size_t>(h) * head, head}, product.head_dim);
  return p;
}

/// The definition, a number after the other.
void naiveWeights(const Problem& p, float* out) {
  const auto [heads, tokens, dim] = p.product;
  const double scale = p.encoding.logit_scale;
  const std::int64_t n = tokens, d = dim;
  parallelBlocks(heads * n, 16, Job(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r) {
      const float* q = p.q.data() + r * d;
      float* row = out + r * n;
      double top = -INFINITY, total = 0;
      for (std::int64_t j = 0; j < n; ++j) {
        const float* k = p.k.data() + (r / n * n + j) * d;
        double sum = 0;
        for (std::int64_t c = 0; c < d; ++c) sum += static_cast<double>(q[c]) * static_cast<double>(k[c]);
        row[j] = static_cast<float>(scale * sum);
        top = std::max(top, static_cast<double>(row[j]));
      }
      for (std::int64_t j = 0; j < n; ++j) {
        row[j] = static_cast<float>(std::exp(static_cast<double>(row[j]) - top));
        total += static_cast<double>(row[j]);
      }
      for (std::int64_t j = 0; j < n; ++j) row[j] = static_cast<float>(static_cast<double>(row[j]) / total);
    }
  });
}

double largestDifference(const std::vector<float>& ours, std::span<const float> right) {
  if (ours.size() != right.size()) return INFINITY;
  double largest = 0;
  for (std::size_t n = 0; n < ours.size(); ++n) {
    const double off = std::abs(static_cast<double>(ours[n]) - static_cast<double>(right[n]));
    largest = off <= largest ? largest : off;  // also where it is NaN
  }
  return largest;
}

}  // namespace

std::vector<Figure> attentionFigures(const Situation& s) {
  const ProductShape product = s.isTiny() ? ProductShape{2, 64, 16} : ProductShape{12, 1024, 64};
  const std::string size = join(product.heads, " × ", product.tokens, "² × ", product.head_dim);
  Figure figure;
  figure.id = "attention_map";
  figure.what = {"attention weights with softmax, " + size, "注意力权重（含 softmax），" + size};
  figure.limit = "products";
  figure.target = {"≥ 60 % of the products' rate, ≥ 10 × naive", "≥ 矩阵乘法速率的 60%，≥ 10 倍于逐项循环"};
  const Expected<Problem> problem = makeProblem(product);
  if (!problem) return {without(figure, problem.error())};
  const Problem& p = *problem;
  attention::Attention<float> ours;
  if (Outcome ok = attention::attendInto(p.encoding, p.content, Mask(), p.shape, {}, s.job, ours); !ok)
    return {without(figure, ok.error())};
  Floats right(ours.weights.size());
  naiveWeights(p, right.data());
  figure.error = largestDifference(ours.weights, right.span());
  if (!(figure.error <= allowed_error)) return {wrong(figure, figure.error, allowed_error)};
  const Turns turns =
      inTurns({[&] { (void)attention::attendInto(p.encoding, p.content, Mask(), p.shape, {}, Job(), ours); },
               [&] { eigenProducts(product, p.q, p.k, right.data()); }},
              s.seconds(), s.job);
  const Turns naive = inTurns({[&] { naiveWeights(p, right.data()); }}, 0, s.job);
  figure.median = turns.medians[0];
  figure.limit_time = turns.medians[1];
  figure.naive_time = naive.medians[0];
  figure.runs = turns.rounds;
  figure.met = figure.limit_time >= 0.6 * figure.median && 10 * figure.median <= figure.naive_time;
  s.machine.product_rate = product.operations() / figure.limit_time * 1e3;
  return {figure};
}

}  // namespace posiscope::bench
