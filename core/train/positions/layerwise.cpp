// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sinusoidal.h"
#include "core/train/buffer.h"
#include "core/train/kernels/kernels.h"
#include "core/train/positions/list.h"
#include "core/train/positions/wave_constants.h"

#include <algorithm>

namespace posiscope::train::positions {
namespace {

/// scale_l · sinusoid + offset_l in front of every layer.
template <class T>
class Layerwise : public Position<T> {
 public:
  Layerwise(const WaveConstants& constants, const ModelSpec& spec)
      : constants_(constants), layers_(spec.num_layers), width_(spec.d_model) {}

  std::vector<Parameter> parameters() const override {
    std::vector<Parameter> all;
    for (std::int64_t l = 0; l < layers_; ++l) {
      all.push_back({.name = join("layers.", l, ".pe.scale"), .shape = {1}, .initial = Initial::constant(1)});
      all.push_back({.name = join("layers.", l, ".pe.offset"), .shape = {width_}, .initial = Initial::constant(0)});
    }
    return all;
  }
  Outcome fit(const Extent& extent) override {
    waves_.resize(extent.length * width_);
    const SinusoidalParams params{.base = constants_.base, .scale = constants_.scale};
    std::ranges::copy(sinusoidalTable<T>(params, extent.length, width_, 0).values, waves_.data());
    return {};
  }
  void beforeLayer(std::int64_t layer, const Sequences& s, T* x) override {
    const T* scale = this->values_ + layer * (width_ + 1);
    for (std::int64_t r = 0; r < s.rows(); ++r, x += width_) {
      const T* wave = waves_.data() + r % s.length * width_;
      for (std::int64_t c = 0; c < width_; ++c) x[c] += *scale * wave[c] + scale[1 + c];
    }
  }
  void beforeLayerBackward(std::int64_t layer, const Sequences& s, T* dx, T* partial) override {
    T* scale = partial + layer * (width_ + 1);
    for (std::int64_t r = 0; r < s.rows(); ++r, dx += width_) {
      const T* wave = waves_.data() + r % s.length * width_;
      T along = 0;
      for (std::int64_t c = 0; c < width_; ++c) along += dx[c] * wave[c];
      *scale += along;
      kernels<T>().add(width_, dx, scale + 1);
    }
  }
  std::int64_t partialSize() const override { return layers_ * (width_ + 1); }
  void finish(const T* sums, T* gradient) override { std::copy_n(sums, partialSize(), gradient); }

 private:
  WaveConstants constants_;
  std::int64_t layers_, width_;
  Buffer<T> waves_;  ///< [length, d_model]
};

ParamTable<WaveConstants> constantsTable() {
  ParamTable<WaveConstants> t;
  addWaveConstants(t);
  return t;
}

}  // namespace

Trainable layerwise() {
  return makeTrainable<Layerwise>("layerwise", constantsTable(),
                                  {"A scale and an offset in front of every layer; the waves are given.",
                                   "每层之前一个缩放和一个偏移；波形是给定的。"});
}

}  // namespace posiscope::train::positions
