// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/transformer_xl.h"

#include "core/train/buffer.h"
#include "core/train/kernels/kernels.h"
#include "core/train/positions/list.h"

#include <algorithm>

namespace posiscope::train::positions {
namespace {

struct NoConstants {};

/// ((q + u)·k + (q + v)·W_R R_n)/√d; u, v and W_R belong to the layer.
template <class T>
class TransformerXl : public Position<T> {
 public:
  TransformerXl(const NoConstants&, const ModelSpec& spec)
      : layers_(spec.num_layers), width_(spec.d_model), head_dim_(spec.headDim()), causal_(spec.causal) {}

  std::vector<Parameter> parameters() const override {
    std::vector<Parameter> all;
    const std::vector<std::int64_t> heads{width_ / head_dim_, head_dim_};
    for (std::int64_t l = 0; l < layers_; ++l) {
      all.push_back(
          {.name = join("layers.", l, ".pe.r.weight"), .shape = {width_, width_}, .initial = Initial::fanIn(width_)});
      all.push_back({.name = join("layers.", l, ".pe.u"), .shape = heads, .initial = Initial::normal(0.02)});
      all.push_back({.name = join("layers.", l, ".pe.v"), .shape = heads, .initial = Initial::normal(0.02)});
    }
    return all;
  }
  Outcome fit(const Extent& extent) override {
    distances_ = causal_ ? extent.length : 2 * extent.length - 1;
    waves_.resize(distances_ * width_);
    projected_.resize(layers_ * distances_ * width_);
    stride_ = wholeLines<T>(extent.length * std::max(distances_, head_dim_));
    products_.resize(extent.groups() * stride_);
    queries_.resize(extent.groups() * stride_);
    // Row r belongs to n = length − 1 − r: along a row of keys, n falls and r rises.
    schemes::TransformerXlParams params;
    params.bidirectional = !causal_;
    const Table<T> rows = schemes::distanceRows<T>(params, extent.length, width_).rows;
    for (std::int64_t r = 0; r < distances_; ++r)
      std::ranges::copy(rows.row(distances_ - 1 - r), waves_.data() + r * width_);
    return {};
  }
  void refresh(const T* parameters) override {
    this->values_ = parameters;
    for (std::int64_t l = 0; l < layers_; ++l)
      kernels<T>().product({distances_,
                            width_,
                            width_,
                            {waves_.data(), width_},
                            {weight(l), width_, true},
                            {projected_.data() + l * distances_ * width_, width_}});
  }
  void addToLogits(const Head<T>& head, T* s) override {
    const T* products = positionProducts(head);
    const T* u = bias(head, 0);
    for (std::int64_t j = 0; j < head.length; ++j) {
      T key = 0;
      for (std::int64_t c = 0; c < head_dim_; ++c) key += u[c] * head.k[j * head.stride + c];
      for (std::int64_t i = head.causal ? j : 0; i < head.length; ++i) s[i * head.length + j] += head.scale * key;
    }
    for (std::int64_t i = 0; i < head.length; ++i) {
      const T* row = products + i * distances_ + head.length - 1 - i;
      for (std::int64_t j = 0; j < seen(head, i); ++j) s[i * head.length + j] += head.scale * row[j];
    }
  }
  void addToLogitsBackward(const Head<T>& head, T* ds, T* dq, T* dk, T* partial) override {
    T* sums = partial + head.layer * layerPartial();
    T* du = sums + distances_ * width_ + head.head * head_dim_;
    T* dv = du + width_;
    keyBackward(head, ds, dk, du);
    const T* queries = biasedQueries(head);
    // The gradient at (q + v)·r, by distance; what no key has stays 0.
    T* products = products_.data() + head.group * stride_;
    std::fill_n(products, head.length * distances_, T(0));
    for (std::int64_t i = 0; i < head.length; ++i) {
      T* row = products + i * distances_ + head.length - 1 - i;
      for (std::int64_t j = 0; j < seen(head, i); ++j) row[j] = head.scale * ds[i * head.length + j];
    }
    kernels<T>().product({distances_,
                          head_dim_,
                          head.length,
                          {products, distances_, true},
                          {queries, head_dim_},
                          {sums + head.head * head_dim_, width_},
                          T(1),
                          true});
    // q + v is needed no more: its gradient takes its place.
    T* back = queries_.data() + head.group * stride_;
    kernels<T>().product(
        {head.length, head_dim_, distances_, {products, distances_}, {rotated(head), width_}, {back, head_dim_}});
    for (std::int64_t i = 0; i < head.length; ++i)
      for (std::int64_t c = 0; c < head_dim_; ++c) {
        dq[i * head.stride + c] += back[i * head_dim_ + c];
        dv[c] += back[i * head_dim_ + c];
      }
  }
  std::int64_t partialSize() const override { return layers_ * layerPartial(); }
  void finish(const T* sums, T* gradient) override {
    for (std::int64_t l = 0; l < layers_; ++l) {
      const T* layer = sums + l * layerPartial();
      T* out = gradient + l * layerSize();
      kernels<T>().product({width_, width_, distances_, {layer, width_, true}, {waves_.data(), width_}, {out, width_}});
      std::copy_n(layer + distances_ * width_, 2 * width_, out + width_ * width_);
    }
  }

 private:
  static std::int64_t seen(const Head<T>& head, std::int64_t i) { return head.causal ? i + 1 : head.length; }
  std::int64_t layerSize() const { return width_ * width_ + 2 * width_; }
  std::int64_t layerPartial() const { return distances_ * width_ + 2 * width_; }
  const T* weight(std::int64_t layer) const { return this->values_ + layer * layerSize(); }
  /// u (0) or v (1) of the head.
  const T* bias(const Head<T>& head, std::int64_t which) const {
    return weight(head.layer) + width_ * width_ + which * width_ + head.head * head_dim_;
  }
  const T* rotated(const Head<T>& head) const {
    return projected_.data() + head.layer * distances_ * width_ + head.head * head_dim_;
  }
  const T* biasedQueries(const Head<T>& head) {
    T* queries = queries_.data() + head.group * stride_;
    const T* v = bias(head, 1);
    for (std::int64_t i = 0; i < head.length; ++i)
      for (std::int64_t c = 0; c < head_dim_; ++c) queries[i * head_dim_ + c] = head.q[i * head.stride + c] + v[c];
    return queries;
  }
  /// (q + v)·W_R R of every distance, [length, distances].
  const T* positionProducts(const Head<T>& head) {
    T* products = products_.data() + head.group * stride_;
    kernels<T>().product({head.length,
                          distances_,
                          head_dim_,
                          {biasedQueries(head), head_dim_},
                          {rotated(head), width_, true},
                          {products, distances_}});
    return products;
  }
  void keyBackward(const Head<T>& head, const T* ds, T* dk, T* du) const {
    const T* u = bias(head, 0);
    for (std::int64_t j = 0; j < head.length; ++j) {
      T sum = 0;
      for (std::int64_t i = head.causal ? j : 0; i < head.length; ++i) sum += ds[i * head.length + j];
      sum *= head.scale;
      for (std::int64_t c = 0; c < head_dim_; ++c) {
        dk[j * head.stride + c] += sum * u[c];
        du[c] += sum * head.k[j * head.stride + c];
      }
    }
  }

  std::int64_t layers_, width_, head_dim_;
  bool causal_;
  std::int64_t distances_ = 0, stride_ = 0;
  Buffer<T> waves_;               ///< R, [distances, d_model]
  Buffer<T> projected_;           ///< W_R R, [layers, distances, d_model]
  Buffer<T> products_, queries_;  ///< of each group
};

}  // namespace

Trainable transformerXl() {
  return makeTrainable<TransformerXl>("transformer_xl", ParamTable<NoConstants>{},
                                      {"A projection of the distances and two vectors for each head, in every layer.",
                                       "每层一个距离投影，每个头两个向量。"});
}

}  // namespace posiscope::train::positions
