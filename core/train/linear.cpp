// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The linear layers of a model, their weights packed once in every pass for all groups of the batch.
#include "core/train/model.h"

namespace posiscope::train {

template <class T>
void Model<T>::planLinears() {
  const std::int64_t d = spec_.d_model, f = spec_.hidden();
  std::int64_t ahead = 0, back = 0;
  const auto add = [&](LayerOffsets::Linear at, std::int64_t outputs, std::int64_t inputs) {
    plans_.push_back({at, outputs, inputs, ahead, back});
    ahead += packedSize<T>(inputs, outputs);
    back += packedSize<T>(outputs, inputs);
  };
  for (const LayerOffsets& l : layout_.layers) {
    for (const LayerOffsets::Linear& square : {l.q, l.k, l.v, l.o}) add(square, d, d);
    add(l.up, f, d);
    add(l.down, d, f);
  }
  add(spec_.tied ? LayerOffsets::Linear{0, -1} : layout_.head, spec_.outputs(), d);
  ahead_.resize(ahead);
  back_.resize(back);
}

template <class T>
void Model<T>::packAhead() {
  inBlocks(static_cast<std::int64_t>(plans_.size()), 1, [&](std::int64_t number, std::int64_t) {
    const LinearPlan& p = plans_[static_cast<std::size_t>(number)];
    kernels_->pack({parameter(p.at.weight), p.inputs, true}, p.inputs, p.outputs, ahead_.data() + p.ahead);
  });
}

template <class T>
void Model<T>::packBack() {
  inBlocks(static_cast<std::int64_t>(plans_.size()), 1, [&](std::int64_t number, std::int64_t) {
    const LinearPlan& p = plans_[static_cast<std::size_t>(number)];
    kernels_->pack({parameter(p.at.weight), p.inputs}, p.outputs, p.inputs, back_.data() + p.back);
  });
}

template <class T>
void Model<T>::linear(const Sequences& s, const LinearPlan& p, const T* x, T* y, bool add) const {
  T* out = y + s.firstRow() * p.outputs;
  Product<T> product{s.rows(), p.outputs, p.inputs, {x + s.firstRow() * p.inputs, p.inputs}, {}, {out, p.outputs}};
  product.add = add;
  product.packed = ahead_.data() + p.ahead;
  kernels_->product(product);
  if (p.at.bias >= 0) kernels_->addRow(s.rows(), p.outputs, parameter(p.at.bias), out);
}

template <class T>
void Model<T>::linearBackward(const Sequences& s, const LinearPlan& p, const T* dy, T* dx, bool add) const {
  Product<T> product{s.rows(),  p.inputs,
                     p.outputs, {dy + s.firstRow() * p.outputs, p.outputs},
                     {},        {dx + s.firstRow() * p.inputs, p.inputs}};
  product.add = add;
  product.packed = back_.data() + p.back;
  kernels_->product(product);
}

template class Model<float>;
template class Model<double>;

}  // namespace posiscope::train
