// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/buffer.h"
#include "core/train/kernels/kernels.h"
#include "core/train/positions/grid_check.h"
#include "core/train/positions/list.h"

#include <algorithm>

namespace posiscope::train::positions {
namespace {

struct NoConstants {};

constexpr std::int64_t taps = 9;  // 3 × 3, row-major, zero padding, not flipped

/// x + b + a depthwise 3 × 3 convolution of x over the grid, behind the first layer.
template <class T>
class Conditional : public Position<T> {
 public:
  Conditional(const NoConstants&, const ModelSpec& spec) : width_(spec.d_model) {}

  static Outcome check(const NoConstants&, const ModelSpec& spec) {
    if (!spec.causal) return {};
    return fail(ErrorCode::bad_shape,
                "conditional: its convolution reads patches after a query, so it needs an encoder (causal false)",
                "conditional：卷积会读取查询之后的图块，因此需要编码器（causal 为 false）");
  }
  std::vector<Parameter> parameters() const override {
    return {{.name = "pe.weight", .shape = {width_, 3, 3}, .initial = Initial::normal(0.1)},
            {.name = "pe.bias", .shape = {width_}, .initial = Initial::constant(0)}};
  }
  Outcome fit(const Extent& extent) override {
    if (Outcome ok = checkGrid("conditional", extent); !ok) return ok;
    grid_ = *extent.grid;
    for (Buffer<T>* b : {&before_, &d_after_}) b->resize(extent.rows() * width_);
    kernel_.resize(taps * width_);
    return {};
  }
  void refresh(const T* parameters) override {
    this->values_ = parameters;
    for (std::int64_t c = 0; c < width_; ++c)
      for (std::int64_t t = 0; t < taps; ++t) kernel_.data()[t * width_ + c] = parameters[c * taps + t];
  }
  void afterLayer(std::int64_t layer, const Sequences& s, T* x) override {
    if (layer != 0) return;
    T* before = before_.data() + s.firstRow() * width_;
    std::copy_n(x, s.rows() * width_, before);
    kernels<T>().addRow(s.rows(), width_, this->values_ + width_ * taps, x);
    eachTap(s, [&](std::int64_t patch, std::int64_t neighbour, std::int64_t tap) {
      const T *in = before + neighbour * width_, *weight = kernel_.data() + tap * width_;
      T* out = x + patch * width_;
      for (std::int64_t c = 0; c < width_; ++c) out[c] += weight[c] * in[c];
    });
  }
  void afterLayerBackward(std::int64_t layer, const Sequences& s, T* dx, T* partial) override {
    if (layer != 0) return;
    const T* before = before_.data() + s.firstRow() * width_;
    T* d_after = d_after_.data() + s.firstRow() * width_;
    std::copy_n(dx, s.rows() * width_, d_after);
    for (std::int64_t r = 0; r < s.rows(); ++r) kernels<T>().add(width_, d_after + r * width_, partial + taps * width_);
    eachTap(s, [&](std::int64_t patch, std::int64_t neighbour, std::int64_t tap) {
      const T *out = d_after + patch * width_, *in = before + neighbour * width_;
      const T* weight = kernel_.data() + tap * width_;
      T *d_in = dx + neighbour * width_, *d_weight = partial + tap * width_;
      for (std::int64_t c = 0; c < width_; ++c) {
        d_in[c] += weight[c] * out[c];
        d_weight[c] += in[c] * out[c];
      }
    });
  }
  std::int64_t partialSize() const override { return (taps + 1) * width_; }
  void finish(const T* sums, T* gradient) override {
    for (std::int64_t c = 0; c < width_; ++c)
      for (std::int64_t t = 0; t < taps; ++t) gradient[c * taps + t] = sums[t * width_ + c];
    std::copy_n(sums + taps * width_, width_, gradient + taps * width_);
  }

 private:
  /// visit(patch, neighbour, tap) for every neighbour inside the grid; rows within the group.
  template <class Visit>
  void eachTap(const Sequences& s, const Visit& visit) const {
    for (std::int64_t r = 0; r < s.rows(); ++r) {
      const std::int64_t token = r % s.length, first = r - token;
      for (std::int64_t t = 0; t < taps; ++t) {
        const std::int64_t row = grid_.row(token) + t / 3 - 1, column = grid_.column(token) + t % 3 - 1;
        if (row >= 0 && row < grid_.height && column >= 0 && column < grid_.width)
          visit(r, first + row * grid_.width + column, t);
      }
    }
  }

  std::int64_t width_;
  Grid grid_;
  Buffer<T> kernel_;            ///< [taps, d_model]
  Buffer<T> before_, d_after_;  ///< [rows, d_model]
};

}  // namespace

Trainable conditional() {
  return makeTrainable<Conditional>(
      "conditional", ParamTable<NoConstants>{},
      {"A 3 × 3 kernel for each channel, behind the first layer.", "第一层之后，每个通道一个 3 × 3 卷积核。"});
}

}  // namespace posiscope::train::positions
