// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/model.h"

#include "core/train/check.h"

namespace posiscope::train {

template <class T>
Outcome Model<T>::forward(const Batch& batch) {
  if (Outcome ok = checkBatch(spec_, batch); !ok) return ok;
  if (Outcome ok = fit(batch); !ok) return ok;
  packAhead();
  position_->refresh(parameter(layout_.position));
  inGroups(extent_, [&](const Sequences& s) {
    embed(batch, s);
    T* x = x_.data() + s.firstRow() * spec_.d_model;
    for (std::int64_t l = 0; l < spec_.num_layers; ++l) {
      position_->beforeLayer(l, s, x);
      attend(l, s);
      think(l, s);
      position_->afterLayer(l, s, x);
    }
    read(s);
  });
  return {};
}

template <class T>
void Model<T>::embed(const Batch& batch, const Sequences& s) {
  const std::int64_t d = spec_.d_model;
  for (std::int64_t r = s.firstRow(); r < s.firstRow() + s.rows(); ++r) {
    const std::int32_t token = batch.tokens[static_cast<std::size_t>(r)];
    const T factor = spec_.zero_words && token != 1 ? T(0) : static_cast<T>(spec_.embed_scale);
    const T* word = parameter(token * d);
    T* x = x_.data() + r * d;
    for (std::int64_t c = 0; c < d; ++c) x[c] = word[c] * factor;
  }
  position_->addToInput(s, x_.data() + s.firstRow() * d);
}

template <class T>
void Model<T>::norm(const Sequences& s, LayerOffsets::Norm at, const Buffer<T>& x, Buffer<T>& normal,
                    Buffer<T>& inverse, Buffer<T>& y) const {
  const std::int64_t begin = s.firstRow() * spec_.d_model;
  kernels_->layerNorm(s.rows(), spec_.d_model, x.data() + begin, parameter(at.gain), parameter(at.offset),
                      y.data() + begin, {normal.data() + begin, inverse.data() + s.firstRow()});
}

template <class T>
void Model<T>::attend(std::int64_t layer, const Sequences& s) {
  LayerTrace<T>& t = layers_[static_cast<std::size_t>(layer)];
  const std::int64_t begin = s.firstRow() * spec_.d_model;
  norm(s, layout_.layers[static_cast<std::size_t>(layer)].norm1, x_, t.normal1, t.inverse1, t.h1);
  linear(s, plan(layer, Linear::q), t.h1.data(), t.q.data());
  linear(s, plan(layer, Linear::k), t.h1.data(), t.k.data());
  linear(s, plan(layer, Linear::v), t.h1.data(), t.v.data());
  position_->rotate(s, t.q.data() + begin, t.k.data() + begin);
  for (std::int64_t b = s.first; b < s.first + s.count; ++b)
    for (std::int64_t h = 0; h < spec_.num_heads; ++h) attendHead(headOf(layer, b, h, s.group));
  linear(s, plan(layer, Linear::o), t.attended.data(), x_.data(), true);
}

template <class T>
void Model<T>::attendHead(const Head<T>& head) {
  LayerTrace<T>& t = layers_[static_cast<std::size_t>(head.layer)];
  const std::int64_t n = head.length, begin = head.q - t.q.data();
  T* weights = t.weights.data() + (head.sequence * spec_.num_heads + head.head) * n * n;
  kernels_->product({n,
                     n,
                     head.head_dim,
                     {head.q, head.stride},
                     {head.k, head.stride, true},
                     {weights, n},
                     head.scale,
                     false,
                     head.causal ? ProductShape::lower_result : ProductShape::full});
  position_->addToLogits(head, weights);
  kernels_->softmax(n, n, weights, head.causal);
  T* out = t.attended.data() + begin;
  kernels_->product({n,
                     head.head_dim,
                     n,
                     {weights, n},
                     {t.v.data() + begin, head.stride},
                     {out, head.stride},
                     T(1),
                     false,
                     head.causal ? ProductShape::lower_left : ProductShape::full});
  position_->addToValues(head, weights, out);
}

template <class T>
void Model<T>::think(std::int64_t layer, const Sequences& s) {
  LayerTrace<T>& t = layers_[static_cast<std::size_t>(layer)];
  const std::int64_t f = spec_.hidden(), begin = s.firstRow() * f;
  norm(s, layout_.layers[static_cast<std::size_t>(layer)].norm2, x_, t.normal2, t.inverse2, t.h2);
  linear(s, plan(layer, Linear::up), t.h2.data(), t.slope.data());
  kernels_->gelu(s.rows() * f, t.slope.data() + begin, t.active.data() + begin);
  linear(s, plan(layer, Linear::down), t.active.data(), x_.data(), true);
}

template <class T>
void Model<T>::read(const Sequences& s) {
  norm(s, layout_.final_norm, x_, final_normal_, final_inverse_, final_);
  linear(s, plans_.back(), final_.data(), logits_.data());
}

template class Model<float>;
template class Model<double>;

}  // namespace posiscope::train
