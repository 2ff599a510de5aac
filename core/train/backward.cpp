// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/model.h"

#include <algorithm>
#include <utility>

namespace posiscope::train {

template <class T>
void Model<T>::backward(const Batch& batch) {
  fitDescent();
  packBack();
  Descent<T>& d = descent_;
  d.norms.clear();
  d.partial.clear();
  inGroups(extent_, [&](const Sequences& s) { readBackward(s); });
  headWeights();
  for (std::int64_t l = spec_.num_layers; l-- > 0;) {
    inGroups(extent_, [&](const Sequences& s) {
      T* partial = partialOf(s);
      const std::int64_t begin = s.firstRow() * spec_.d_model;
      position_->afterLayerBackward(l, s, d.x[0].data() + begin, partial);
      thinkBackward(l, s);
      attendBackward(l, s);
      position_->beforeLayerBackward(l, s, d.x[2].data() + begin, partial);
    });
    layerWeights(l);
    std::swap(d.x[0], d.x[2]);  // what is in front of this layer is behind the one before
  }
  inGroups(extent_, [&](const Sequences& s) {
    position_->addToInputBackward(s, d.x[0].data() + s.firstRow() * spec_.d_model, partialOf(s));
  });
  wordGradient(batch);
  gatherNorms();
  gatherPosition();
}

template <class T>
void Model<T>::normBackward(const Sequences& s, LayerOffsets::Norm at, std::int64_t number, const Buffer<T>& normal,
                            const Buffer<T>& inverse, Buffer<T>& dx) {
  const std::int64_t d = spec_.d_model, begin = s.firstRow() * d;
  T* sums = descent_.norms.data() + s.group * (descent_.norms.size() / extent_.groups()) + number * 2 * d;
  kernels_->layerNormBackward(s.rows(), d, descent_.h.data() + begin, parameter(at.gain),
                              {normal.data() + begin, inverse.data() + s.firstRow()}, dx.data() + begin, sums,
                              sums + d);
}

template <class T>
void Model<T>::readBackward(const Sequences& s) {
  linearBackward(s, plans_.back(), logits_.data(), descent_.h.data());
  std::fill_n(descent_.x[0].data() + s.firstRow() * spec_.d_model, s.rows() * spec_.d_model, T(0));
  normBackward(s, layout_.final_norm, 2 * spec_.num_layers, final_normal_, final_inverse_, descent_.x[0]);
}

template <class T>
void Model<T>::thinkBackward(std::int64_t layer, const Sequences& s) {
  const LayerTrace<T>& t = layers_[static_cast<std::size_t>(layer)];
  const LayerOffsets& at = layout_.layers[static_cast<std::size_t>(layer)];
  const std::int64_t d = spec_.d_model, f = spec_.hidden(), begin = s.firstRow() * d;
  linearBackward(s, plan(layer, Linear::down), descent_.x[0].data(), descent_.active.data());
  kernels_->multiply(s.rows() * f, t.slope.data() + s.firstRow() * f, descent_.active.data() + s.firstRow() * f);
  linearBackward(s, plan(layer, Linear::up), descent_.active.data(), descent_.h.data());
  std::copy_n(descent_.x[0].data() + begin, s.rows() * d, descent_.x[1].data() + begin);
  normBackward(s, at.norm2, 2 * layer + 1, t.normal2, t.inverse2, descent_.x[1]);
}

template <class T>
void Model<T>::attendBackward(std::int64_t layer, const Sequences& s) {
  const LayerTrace<T>& t = layers_[static_cast<std::size_t>(layer)];
  const LayerOffsets& at = layout_.layers[static_cast<std::size_t>(layer)];
  const std::int64_t d = spec_.d_model, begin = s.firstRow() * d;
  Descent<T>& down = descent_;
  linearBackward(s, plan(layer, Linear::o), down.x[1].data(), down.attended.data());
  for (std::int64_t b = s.first; b < s.first + s.count; ++b)
    for (std::int64_t h = 0; h < spec_.num_heads; ++h)
      attendHeadBackward(headOf(layer, b, h, s.group), b * s.length * d + h * spec_.headDim());
  position_->rotateBackward(s, down.q.data() + begin, down.k.data() + begin);
  linearBackward(s, plan(layer, Linear::q), down.q.data(), down.h.data());
  linearBackward(s, plan(layer, Linear::k), down.k.data(), down.h.data(), true);
  linearBackward(s, plan(layer, Linear::v), down.v.data(), down.h.data(), true);
  std::copy_n(down.x[1].data() + begin, s.rows() * d, down.x[2].data() + begin);
  normBackward(s, at.norm1, 2 * layer, t.normal1, t.inverse1, down.x[2]);
}

template <class T>
void Model<T>::attendHeadBackward(const Head<T>& head, std::int64_t offset) {
  const LayerTrace<T>& t = layers_[static_cast<std::size_t>(head.layer)];
  const std::int64_t n = head.length, width = head.head_dim, stride = head.stride;
  const T* weights = t.weights.data() + (head.sequence * spec_.num_heads + head.head) * n * n;
  T* ds = descent_.scores.data() + head.group * (descent_.scores.size() / extent_.groups());
  T* dq = descent_.q.data() + offset;
  T* dk = descent_.k.data() + offset;
  T* dv = descent_.v.data() + offset;
  T* partial = descent_.partial.data() + head.group * partial_stride_;
  const T* dz = descent_.attended.data() + offset;
  const auto shape = [&](ProductShape causal) { return head.causal ? causal : ProductShape::full; };
  kernels_->product({n,
                     n,
                     width,
                     {dz, stride},
                     {t.v.data() + offset, stride, true},
                     {ds, n},
                     T(1),
                     false,
                     shape(ProductShape::lower_result)});
  position_->addToValuesBackward(head, weights, dz, ds, partial);
  kernels_->product(
      {n, width, n, {weights, n, true}, {dz, stride}, {dv, stride}, T(1), false, shape(ProductShape::upper_left)});
  kernels_->softmaxBackward(n, n, weights, ds, head.causal);
  // The encoding adds to dq and dk, and changes ds, before q·k itself is passed back.
  for (std::int64_t i = 0; i < n; ++i) {
    std::fill_n(dq + i * stride, width, T(0));
    std::fill_n(dk + i * stride, width, T(0));
  }
  position_->addToLogitsBackward(head, ds, dq, dk, partial);
  kernels_->product(
      {n, width, n, {ds, n}, {head.k, stride}, {dq, stride}, head.scale, true, shape(ProductShape::lower_left)});
  kernels_->product(
      {n, width, n, {ds, n, true}, {head.q, stride}, {dk, stride}, head.scale, true, shape(ProductShape::upper_left)});
}

template class Model<float>;
template class Model<double>;

}  // namespace posiscope::train
