// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/buffer.h"
#include "core/train/kernels/kernels.h"
#include "core/train/positions/fire_network.h"
#include "core/train/positions/list.h"

#include <algorithm>
#include <cstdlib>

namespace posiscope::train::positions {
namespace {

struct Constants {
  std::int64_t width = 32;
  double l_init = 16;
};

constexpr std::int64_t rows_of_task = 8;

/// A bias by head, query and key, the same in every layer, made anew in every step.
template <class T>
class Fire : public Position<T> {
 public:
  Fire(const Constants& constants, const ModelSpec& spec)
      : width_(constants.width),
        heads_(spec.num_heads),
        causal_(spec.causal),
        network_(constants.width, spec.num_heads, constants.l_init) {}

  std::vector<Parameter> parameters() const override {
    return {{.name = "pe.c", .shape = {1}, .initial = Initial::constant(0.1)},
            {.name = "pe.l_mult", .shape = {1}, .initial = Initial::constant(1)},
            {.name = "pe.w1", .shape = {width_, 1}, .initial = Initial::fanIn(1)},
            {.name = "pe.b1", .shape = {width_}, .initial = Initial::constant(0)},
            {.name = "pe.w2", .shape = {heads_, width_}, .initial = Initial::fanIn(width_)},
            {.name = "pe.b2", .shape = {heads_}, .initial = Initial::constant(0)}};
  }
  Outcome fit(const Extent& extent) override {
    length_ = extent.length;
    bias_.resize(heads_ * length_ * length_);
    row_room_.resize(length_ * wholeLines<double>(heads_));
    stride_ = wholeLines<double>(network_.size());
    gradients_.resize(tasks() * stride_);
    return {};
  }
  void refresh(const T* parameters) override {
    network_.load(parameters);
    inBlocks(length_, rows_of_task, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        double* bias = room(i);
        for (std::int64_t j = 0; j < seen(i); ++j) {
          network_.forward(static_cast<double>(i), static_cast<double>(std::abs(i - j)), bias);
          for (std::int64_t h = 0; h < heads_; ++h) bias_.data()[cell(h, i) + j] = static_cast<T>(bias[h]);
        }
      }
    });
  }
  void addToLogits(const Head<T>& head, T* s) override {
    for (std::int64_t i = 0; i < length_; ++i)
      kernels<T>().add(seen(i), bias_.data() + cell(head.head, i), s + i * length_);
  }
  void addToLogitsBackward(const Head<T>& head, T* ds, T*, T*, T* partial) override {
    for (std::int64_t i = 0; i < length_; ++i)
      kernels<T>().add(seen(i), ds + i * length_, partial + cell(head.head, i));
  }
  std::int64_t partialSize() const override { return heads_ * length_ * length_; }
  void finish(const T* sums, T* gradient) override {
    gradients_.clear();
    inBlocks(length_, rows_of_task, [&](std::int64_t begin, std::int64_t end) {
      double* task = gradients_.data() + begin / rows_of_task * stride_;
      for (std::int64_t i = begin; i < end; ++i) {
        double* d_bias = room(i);
        for (std::int64_t j = 0; j < seen(i); ++j) {
          for (std::int64_t h = 0; h < heads_; ++h) d_bias[h] = static_cast<double>(sums[cell(h, i) + j]);
          network_.backward(static_cast<double>(i), static_cast<double>(std::abs(i - j)), d_bias, task);
        }
      }
    });
    for (std::int64_t p = 0; p < network_.size(); ++p) {
      double sum = 0;
      for (std::int64_t t = 0; t < tasks(); ++t) sum += gradients_.data()[t * stride_ + p];
      gradient[p] = static_cast<T>(sum);
    }
  }

 private:
  std::int64_t seen(std::int64_t i) const { return causal_ ? i + 1 : length_; }
  std::int64_t cell(std::int64_t head, std::int64_t i) const { return (head * length_ + i) * length_; }
  std::int64_t tasks() const { return (length_ + rows_of_task - 1) / rows_of_task; }
  double* room(std::int64_t i) { return row_room_.data() + i * wholeLines<double>(heads_); }

  std::int64_t width_, heads_;
  bool causal_;
  FireNetwork network_;
  std::int64_t length_ = 0, stride_ = 0;
  Buffer<T> bias_;            ///< [heads, length, length]
  Buffer<double> row_room_;   ///< [length, heads]
  Buffer<double> gradients_;  ///< [tasks, parameters]
};

ParamTable<Constants> constantsTable() {
  ParamTable<Constants> t;
  t.integer("width", &Constants::width, {1, 4096, 1, 256, true},
            {{"network width", "网络宽度"}, {"Hidden units of the network.", "网络的隐藏单元数。"}, "mlp_width"});
  t.real("l_init", &Constants::l_init, {0.001, 1e9, 1, 8192, true},
         {{"first threshold", "初始阈值"},
          {"Queries up to here share one normaliser at the start; training moves it.",
           "开始时不超过此位置的查询共用一个归一化值；训练会移动它。"},
          "L",
          "tokens"});
  return t;
}

}  // namespace

Trainable fire() {
  return makeTrainable<Fire>("fire", constantsTable(),
                             {"A small network of the normalised log-distance and its stretch, shared by the layers.",
                              "关于归一化对数距离的小网络及其拉伸，各层共用。"});
}

}  // namespace posiscope::train::positions
