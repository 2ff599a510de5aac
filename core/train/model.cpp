// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/model.h"

#include "core/shape.h"
#include "core/train/check.h"
#include "core/train/trainable.h"

#include <algorithm>
#include <cmath>

namespace posiscope::train {

template <class T>
Model<T>::Model(ModelSpec spec, std::unique_ptr<Position<T>> position)
    : spec_(std::move(spec)),
      layout_(layoutOf(spec_, position->parameters())),
      position_(std::move(position)),
      kernels_(&kernels<T>()),
      parameters_(layout_.size),
      gradient_(layout_.size),
      layers_(static_cast<std::size_t>(spec_.num_layers)) {
  planLinears();
}

template <class T>
Expected<Model<T>> Model<T>::create(const ModelSpec& spec) {
  if (Outcome ok = checkModel(spec); !ok) return fail(ok.error());
  Expected<std::unique_ptr<Position<T>>> position = makePosition<T>(spec);
  if (!position) return fail(position.error());
  const Layout layout = layoutOf(spec, (*position)->parameters());
  if (Outcome ok = checkMemory("train: the parameters", bytes(spec, layout, 1, 1)); !ok) return fail(ok.error());
  return Model(spec, std::move(*position));
}

template <class T>
Outcome Model<T>::setPosition(const PositionSpec& position) {
  ModelSpec spec = spec_;
  spec.position = position;
  Expected<std::unique_ptr<Position<T>>> made = makePosition<T>(spec);
  if (!made) return fail(made.error());
  const Layout layout = layoutOf(spec, (*made)->parameters());
  const auto same = [](const Parameter& a, const Parameter& b) { return a.name == b.name && a.shape == b.shape; };
  if (!std::ranges::equal(layout.parameters, layout_.parameters, same))
    return fail(ErrorCode::bad_shape,
                join(position.scheme, ": these constants need other parameters than the model has"),
                join(position.scheme, "：这些常数需要的参数与模型已有的不同"));
  spec_ = std::move(spec);
  position_ = std::move(*made);
  extent_ = {};
  return {};
}

template <class T>
double Model<T>::bytes(const ModelSpec& spec, const Layout& layout, std::int64_t sequences, std::int64_t length) {
  const auto rows = static_cast<double>(sequences * length);
  const auto d = static_cast<double>(spec.d_model), f = static_cast<double>(spec.hidden());
  const double weights = rows * static_cast<double>(spec.num_heads * length);
  const double layer = rows * (8 * d + 2 * f) + weights;
  const double descent = rows * (8 * d + f) + static_cast<double>(Extent{sequences, length}.groups() * length * length);
  const double ends = rows * (3 * d + static_cast<double>(spec.outputs()));
  // Parameter, gradient, two packed copies and two moments.
  const double parameters = 6 * static_cast<double>(layout.size);
  return (static_cast<double>(spec.num_layers) * layer + descent + ends + parameters) * sizeof(T);
}

template <class T>
Outcome Model<T>::fit(const Batch& batch) {
  const Extent extent{batch.sequences, batch.length, batch.grid};
  if (extent == extent_) return {};
  if (Outcome ok = checkMemory("train: the activations", bytes(spec_, layout_, batch.sequences, batch.length)); !ok)
    return ok;
  if (Outcome ok = position_->fit(extent); !ok) return ok;
  extent_ = extent;
  has_descent_ = false;
  const std::int64_t rows = extent.rows(), d = spec_.d_model, f = spec_.hidden();
  for (LayerTrace<T>& l : layers_) {
    for (Buffer<T>* wide : {&l.normal1, &l.h1, &l.q, &l.k, &l.v, &l.attended, &l.normal2, &l.h2})
      wide->resize(rows * d);
    for (Buffer<T>* one : {&l.inverse1, &l.inverse2}) one->resize(rows);
    for (Buffer<T>* hidden : {&l.slope, &l.active}) hidden->resize(rows * f);
    l.weights.resize(rows * spec_.num_heads * extent.length);
  }
  for (Buffer<T>* wide : {&x_, &final_normal_, &final_}) wide->resize(rows * d);
  final_inverse_.resize(rows);
  logits_.resize(rows * spec_.outputs());
  losses_.resize(rows);
  right_.resize(rows);
  return {};
}

template <class T>
void Model<T>::fitDescent() {
  if (has_descent_) return;
  has_descent_ = true;
  const std::int64_t rows = extent_.rows(), d = spec_.d_model, groups = extent_.groups();
  for (Buffer<T>* wide : {&descent_.x[0], &descent_.x[1], &descent_.x[2], &descent_.h, &descent_.q, &descent_.k,
                          &descent_.v, &descent_.attended})
    wide->resize(rows * d);
  descent_.active.resize(rows * spec_.hidden());
  descent_.scores.resize(groups * wholeLines<T>(extent_.length * extent_.length));
  descent_.norms.resize(groups * wholeLines<T>((2 * spec_.num_layers + 1) * 2 * d));
  partial_stride_ = wholeLines<T>(position_->partialSize());
  descent_.partial.resize(groups * partial_stride_);
  descent_.sums.resize(partial_stride_);
}

template <class T>
Head<T> Model<T>::headOf(std::int64_t layer, std::int64_t sequence, std::int64_t head, std::int64_t group) const {
  const LayerTrace<T>& trace = layers_[static_cast<std::size_t>(layer)];
  const std::int64_t begin = sequence * extent_.length * spec_.d_model + head * spec_.headDim();
  const T scale = static_cast<T>(1.0 / std::sqrt(static_cast<double>(spec_.headDim())));
  return {layer,
          head,
          sequence,
          group,
          extent_.length,
          spec_.headDim(),
          spec_.d_model,
          spec_.causal,
          scale,
          trace.q.data() + begin,
          trace.k.data() + begin};
}

template <class T>
std::span<const T> Model<T>::attention(std::int64_t layer, std::int64_t sequence, std::int64_t head) const {
  const std::int64_t size = extent_.length * extent_.length;
  return layers_[static_cast<std::size_t>(layer)].weights.span().subspan(
      static_cast<std::size_t>((sequence * spec_.num_heads + head) * size), static_cast<std::size_t>(size));
}

template class Model<float>;
template class Model<double>;

}  // namespace posiscope::train
