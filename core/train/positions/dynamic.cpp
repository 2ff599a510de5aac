// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sinusoidal.h"
#include "core/train/buffer.h"
#include "core/train/kernels/kernels.h"
#include "core/train/positions/dynamic_windows.h"
#include "core/train/positions/list.h"
#include "core/train/positions/wave_constants.h"

#include <algorithm>
#include <cmath>

namespace posiscope::train::positions {
namespace {

struct Constants : WaveConstants {
  std::int64_t context_window = 2;
};

/// x + base·(1 + tanh(W2·gelu(W1·window + b1) + b2)), the window read from the words.
template <class T>
class Dynamic : public Position<T> {
 public:
  Dynamic(const Constants& constants, const ModelSpec& spec)
      : constants_(constants),
        windows_{constants.context_window, spec.causal},
        width_(spec.d_model),
        hidden_(std::max<std::int64_t>(1, spec.d_model / 2)),
        inputs_(windows_.span() * spec.d_model) {}

  std::vector<Parameter> parameters() const override {
    return {{.name = "pe.w1", .shape = {hidden_, inputs_}, .initial = Initial::fanIn(inputs_)},
            {.name = "pe.b1", .shape = {hidden_}, .initial = Initial::constant(0)},
            {.name = "pe.w2", .shape = {width_, hidden_}, .initial = Initial::fanIn(hidden_)},
            {.name = "pe.b2", .shape = {width_}, .initial = Initial::constant(0)}};
  }
  Outcome fit(const Extent& extent) override {
    const std::int64_t rows = extent.rows();
    flat_.resize(rows * inputs_);
    for (Buffer<T>* b : {&slope_, &active_, &d_active_}) b->resize(rows * hidden_);
    for (Buffer<T>* b : {&bend_, &d_bend_}) b->resize(rows * width_);
    d_flat_.resize(rows * inputs_);
    waves_.resize(extent.length * width_);
    const SinusoidalParams params{.base = constants_.base, .scale = constants_.scale};
    std::ranges::copy(sinusoidalTable<T>(params, extent.length, width_, 0).values, waves_.data());
    return {};
  }
  void addToInput(const Sequences& s, T* x) override {
    const Kernels<T>& k = kernels<T>();
    T* flat = flat_.data() + s.firstRow() * inputs_;
    std::fill_n(flat, s.rows() * inputs_, T(0));
    for (std::int64_t r = 0; r < s.rows(); ++r) {
      const std::int64_t i = r % s.length;
      std::copy_n(x + (r - i + windows_.first(i)) * width_, windows_.count(i, s.length) * width_, flat + r * inputs_);
    }
    T* slope = slope_.data() + s.firstRow() * hidden_;
    T* active = active_.data() + s.firstRow() * hidden_;
    T* bend = bend_.data() + s.firstRow() * width_;
    k.product({s.rows(), hidden_, inputs_, {flat, inputs_}, {w1(), inputs_, true}, {slope, hidden_}});
    k.addRow(s.rows(), hidden_, w1() + hidden_ * inputs_, slope);
    k.gelu(s.rows() * hidden_, slope, active);
    k.product({s.rows(), width_, hidden_, {active, hidden_}, {w2(), hidden_, true}, {bend, width_}});
    k.addRow(s.rows(), width_, w2() + width_ * hidden_, bend);
    for (std::int64_t e = 0; e < s.rows() * width_; ++e) {
      bend[e] = std::tanh(bend[e]);
      x[e] += waves_.data()[e % (s.length * width_)] * (T(1) + bend[e]);
    }
  }
  void addToInputBackward(const Sequences& s, T* dx, T* partial) override {
    const Kernels<T>& k = kernels<T>();
    const T* flat = flat_.data() + s.firstRow() * inputs_;
    const T* active = active_.data() + s.firstRow() * hidden_;
    const T* bend = bend_.data() + s.firstRow() * width_;
    T* d_bend = d_bend_.data() + s.firstRow() * width_;
    T* d_active = d_active_.data() + s.firstRow() * hidden_;
    T* d_flat = d_flat_.data() + s.firstRow() * inputs_;
    for (std::int64_t e = 0; e < s.rows() * width_; ++e)
      d_bend[e] = dx[e] * waves_.data()[e % (s.length * width_)] * (T(1) - bend[e] * bend[e]);
    T* d_w2 = partial + hidden_ * inputs_ + hidden_;
    k.product({width_, hidden_, s.rows(), {d_bend, width_, true}, {active, hidden_}, {d_w2, hidden_}, T(1), true});
    k.columnSums(s.rows(), width_, width_, d_bend, d_w2 + width_ * hidden_);
    k.product({s.rows(), hidden_, width_, {d_bend, width_}, {w2(), hidden_}, {d_active, hidden_}});
    k.multiply(s.rows() * hidden_, slope_.data() + s.firstRow() * hidden_, d_active);
    k.product({hidden_, inputs_, s.rows(), {d_active, hidden_, true}, {flat, inputs_}, {partial, inputs_}, T(1), true});
    k.columnSums(s.rows(), hidden_, hidden_, d_active, partial + hidden_ * inputs_);
    k.product({s.rows(), inputs_, hidden_, {d_active, hidden_}, {w1(), inputs_}, {d_flat, inputs_}});
    for (std::int64_t r = 0; r < s.rows(); ++r) {
      const std::int64_t i = r % s.length;
      k.add(windows_.count(i, s.length) * width_, d_flat + r * inputs_, dx + (r - i + windows_.first(i)) * width_);
    }
  }
  std::int64_t partialSize() const override { return hidden_ * inputs_ + hidden_ + width_ * hidden_ + width_; }
  void finish(const T* sums, T* gradient) override { std::copy_n(sums, partialSize(), gradient); }

 private:
  const T* w1() const { return this->values_; }
  const T* w2() const { return this->values_ + hidden_ * inputs_ + hidden_; }

  Constants constants_;
  Windows windows_;
  std::int64_t width_, hidden_, inputs_;
  Buffer<T> waves_;  ///< [length, d_model]
  Buffer<T> flat_, slope_, active_, bend_;
  Buffer<T> d_flat_, d_active_, d_bend_;
};

ParamTable<Constants> constantsTable() {
  ParamTable<Constants> t;
  t.integer("context_window", &Constants::context_window, {0, 64, 0, 16, false},
            {{"context window", "上下文窗口"},
             {"Neighbours that bend a token's position: before it, and without a causal mask also after it.",
              "参与调整该词元位置的邻居数：在它之前；没有因果掩码时也在它之后。"},
             "window",
             "tokens"});
  addWaveConstants(t);
  return t;
}

}  // namespace

Trainable dynamic() {
  return makeTrainable<Dynamic>("dynamic", constantsTable(),
                                {"A small network that reads a token's neighbours and bends its position.",
                                 "一个读取邻近词元并调整其位置的小网络。"});
}

}  // namespace posiscope::train::positions
