// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Steps of the trainer at the sizes S, M and L (1024 tokens a step), and which share of the products' own rate they
// reach: both are measured in turns, because the rates of a shared machine drift. train_torch.py measures the same
// steps in PyTorch.
#include "core/parallel.h"
#include "core/random.h"
#include "core/train/initial.h"
#include "core/train/model.h"
#include "core/train/optimiser.h"

#include <benchmark/benchmark.h>
#include <chrono>

namespace posiscope::train {
namespace {

struct Size {
  const char* name;
  std::int64_t d_model, heads, layers, length, batch, vocab;
};

constexpr Size sizes[] = {{"S", 64, 4, 2, 32, 32, 32}, {"M", 128, 4, 4, 64, 16, 64}, {"L", 256, 8, 4, 128, 8, 96}};
constexpr const char* schemes[] = {"learned", "rope", "alibi"};

ModelSpec specOf(const Size& size, const std::string& scheme) {
  ModelSpec spec;
  spec.vocab = size.vocab;
  spec.d_model = size.d_model;
  spec.num_heads = size.heads;
  spec.num_layers = size.layers;
  spec.position.scheme = scheme;
  if (scheme == "rope") spec.position.values["pairing"] = std::string("half");
  return spec;
}

Batch randomBatch(const Size& size) {
  Batch batch{size.batch, size.length, std::nullopt, {}, {}};
  const Stream stream(1, "bench");
  for (std::int64_t r = 0; r < batch.rows(); ++r)
    for (std::vector<std::int32_t>* out : {&batch.tokens, &batch.targets})
      out->push_back(static_cast<std::int32_t>(
          stream.below(static_cast<std::uint64_t>(size.vocab), static_cast<std::uint64_t>(r), out == &batch.tokens)));
  return batch;
}

/// Multiply-adds of a step, two operations each: linear layers and attention, forward and twice backward.
double operationsOf(const Size& s) {
  const auto d = static_cast<double>(s.d_model), layers = static_cast<double>(s.layers);
  const double linear = layers * 12 * d * d + d * static_cast<double>(s.vocab);
  const double attention = layers * 2 * static_cast<double>(s.length) * d;
  return 3 * 2 * (linear + attention) * static_cast<double>(s.batch * s.length);
}

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Products of the widest layer of the size on all threads, as the steps form them, for about a tenth of a second.
class ProductRate {
 public:
  explicit ProductRate(const Size& size)
      : d_(size.d_model), x_(rows * d_), w_(packedSize<float>(d_, 4 * d_)), y_(blocks * rows * 4 * d_) {
    for (std::int64_t i = 0; i < x_.size(); ++i) x_.data()[i] = static_cast<float>(i % 17) / 17;
    for (std::int64_t i = 0; i < w_.size(); ++i) w_.data()[i] = static_cast<float>(i % 13) / 13;
  }
  /// Operations per second.
  double measure() {
    const double start = seconds();
    double operations = 0, passed = 0;
    do {
      inBlocks(blocks, 1, [&](std::int64_t b, std::int64_t) {
        Product<float> p{rows, 4 * d_, d_, {x_.data(), d_}, {}, {y_.data() + b * rows * 4 * d_, 4 * d_}};
        p.packed = w_.data();
        kernels<float>().product(p);
      });
      operations += static_cast<double>(2 * blocks * rows * 4 * d_ * d_);
      passed = seconds() - start;
    } while (passed < 0.1);
    return operations / passed;
  }

 private:
  static constexpr std::int64_t rows = 128, blocks = 8;
  std::int64_t d_;
  Buffer<float> x_, w_, y_;
};

void trainStep(benchmark::State& state) {
  const Size& size = sizes[state.range(0)];
  const char* scheme = schemes[state.range(1)];
  auto model = Model<float>::create(specOf(size, scheme));
  setInitial(model->layout(), 1, model->parameters());
  Optimiser<float> optimiser({}, model->layout(), 1 << 20);
  const Batch batch = randomBatch(size);
  ProductRate products(size);
  double steps = 0, busy = 0, rate = 0, rounds = 0;
  for (auto _ : state) {
    const double start = seconds();
    for (int i = 0; i < 8; ++i) {
      if (!model->forward(batch)) return state.SkipWithError("forward");
      model->loss(batch);
      model->backward(batch);
      optimiser.step(model->gradient(), model->parameters());
    }
    const double passed = seconds() - start;
    state.SetIterationTime(passed / 8);
    steps += 8;
    busy += passed;
    rate += products.measure();
    ++rounds;
  }
  const double reached = steps * operationsOf(size) / busy, possible = rate / rounds;
  state.SetLabel(std::string(size.name) + " " + scheme + ", " + kernelName());
  state.counters["steps/s"] = steps / busy;
  state.counters["GFLOPS"] = reached / 1e9;
  state.counters["of products"] = reached / possible;
}
BENCHMARK(trainStep)->ArgsProduct({{0, 1, 2}, {0, 1, 2}})->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace posiscope::train
