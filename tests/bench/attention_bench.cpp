// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Attention weights and output with rotary positions against the definition written as loops; both must agree before
// either is timed.
#include "core/attention/attention.h"
#include "core/bench/limits.h"
#include "core/schemes/list.h"
#include "tests/support/reference.h"

#include <benchmark/benchmark.h>

#include <cmath>

namespace posiscope {
namespace {

struct Problem {
  Shape shape;
  Mask mask;
  Encoding<float> encoding;
  Content<float> content;
  std::vector<float> q, k;  ///< rotated: what the naive loops start from
};

Problem makeProblem(std::int64_t tokens, std::int64_t heads) {
  Problem problem;
  problem.shape.seq_len = tokens;
  problem.shape.num_heads = heads;
  problem.shape.head_dim = 64;
  problem.mask.causal = true;
  problem.encoding = encode<float>(*schemes::find("rope"), {}, problem.shape).value();
  problem.content = makeContent<float>({}, problem.shape, false).value();
  problem.q = problem.content.q;
  problem.k = problem.content.k;
  const std::size_t head = static_cast<std::size_t>(tokens * problem.shape.head_dim);
  for (std::int64_t h = 0; h < problem.shape.num_heads; ++h)
    for (auto* rows : {&problem.q, &problem.k}) {
      const std::span<float> of_head(rows->data() + static_cast<std::size_t>(h) * head, head);
      attention::rotate<float>(*problem.encoding.rotation, h, 0, rows == &problem.k, of_head, problem.shape.head_dim);
    }
  return problem;
}

test::NaiveAttention naive(const Problem& p) {
  return test::naiveAttention<float>(p.shape, p.mask, p.encoding.logit_scale, p.q, p.k, p.content.v,
                                     p.content.value_dim);
}

bool agree(const std::vector<float>& ours, const std::vector<double>& right) {
  if (ours.size() != right.size() || ours.empty()) return false;
  for (std::size_t n = 0; n < ours.size(); ++n)
    if (std::abs(static_cast<double>(ours[n]) - right[n]) > 2e-5) return false;
  return true;
}

void attentionBlocked(benchmark::State& state) {
  const Problem p = makeProblem(state.range(0), 8);
  attention::Wanted wanted;
  wanted.output = true;
  const auto first = attention::attend(p.encoding, p.content, p.mask, p.shape, wanted, Job());
  if (!first) return state.SkipWithError(first.error().message.en.c_str());
  const test::NaiveAttention right = naive(p);
  if (!agree(first->weights, right.weights)) return state.SkipWithError("the weights are wrong");
  if (!agree(first->output, right.output)) return state.SkipWithError("the output is wrong");
  attention::Attention<float> out;
  for (auto _ : state)
    if (!attention::attendInto(p.encoding, p.content, p.mask, p.shape, wanted, Job(), out))
      return state.SkipWithError("attention failed");
}
BENCHMARK(attentionBlocked)->Arg(256)->Arg(512)->Unit(benchmark::kMillisecond)->UseRealTime();

void attentionNaive(benchmark::State& state) {
  const Problem p = makeProblem(state.range(0), 8);
  for (auto _ : state) benchmark::DoNotOptimize(naive(p));
}
BENCHMARK(attentionNaive)->Arg(256)->Arg(512)->Unit(benchmark::kMillisecond)->UseRealTime();

// Maps alone, of the size of the target, beside the products that they cannot do without.
void attentionMap(benchmark::State& state) {
  const Problem p = makeProblem(state.range(0), 12);
  attention::Attention<float> out;
  if (!attention::attendInto(p.encoding, p.content, p.mask, p.shape, {}, Job(), out))
    return state.SkipWithError("attention failed");
  if (!agree(out.weights, naive(p).weights)) return state.SkipWithError("the weights are wrong");
  for (auto _ : state)
    if (!attention::attendInto(p.encoding, p.content, p.mask, p.shape, {}, Job(), out))
      return state.SkipWithError("attention failed");
}
BENCHMARK(attentionMap)->Arg(256)->Arg(1024)->Unit(benchmark::kMillisecond)->UseRealTime();

void attentionProductsOfEigen(benchmark::State& state) {
  const Problem p = makeProblem(state.range(0), 12);
  std::vector<float> out(static_cast<std::size_t>(12 * state.range(0) * state.range(0)));
  for (auto _ : state) {
    bench::eigenProducts({12, state.range(0), 64}, p.q, p.k, out.data());
    benchmark::DoNotOptimize(out.data());
  }
}
BENCHMARK(attentionProductsOfEigen)->Arg(256)->Arg(1024)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace posiscope
