// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The sums over all rows of a batch: products of gradients with activations. Each task owns its part of the gradient
// and sums the rows in one order, so nothing has to be added up over threads.
#include "core/train/model.h"

#include <algorithm>
#include <array>

namespace posiscope::train {
namespace {

/// ∂W = dyᵀ·x and ∂b = Σ dy for one linear layer.
template <class T>
struct WeightTask {
  LayerOffsets::Linear at;
  std::int64_t outputs, inputs;
  const T* dy;
  const T* x;
};

constexpr std::int64_t rows_of_task = 128;

template <class T, std::size_t N>
void weightGradients(const Kernels<T>& kernels, const std::array<WeightTask<T>, N>& tasks, std::int64_t rows,
                     T* gradient) {
  std::int64_t count = 0;
  for (const WeightTask<T>& task : tasks) count += (task.outputs + rows_of_task - 1) / rows_of_task;
  inBlocks(count, 1, [&](std::int64_t number, std::int64_t) {
    const WeightTask<T>* task = tasks.data();
    while (number >= (task->outputs + rows_of_task - 1) / rows_of_task) {
      number -= (task->outputs + rows_of_task - 1) / rows_of_task;
      ++task;
    }
    const std::int64_t begin = number * rows_of_task, size = std::min(rows_of_task, task->outputs - begin);
    kernels.product({size,
                     task->inputs,
                     rows,
                     {task->dy + begin, task->outputs, true},
                     {task->x, task->inputs},
                     {gradient + task->at.weight + begin * task->inputs, task->inputs}});
    if (task->at.bias >= 0)
      kernels.columnSums(rows, size, task->outputs, task->dy + begin, gradient + task->at.bias + begin);
  });
}

}  // namespace

template <class T>
void Model<T>::layerWeights(std::int64_t layer) {
  const LayerTrace<T>& t = layers_[static_cast<std::size_t>(layer)];
  const LayerOffsets& at = layout_.layers[static_cast<std::size_t>(layer)];
  const std::int64_t d = spec_.d_model, f = spec_.hidden();
  // The longest first: the threads then end together.
  const std::array<WeightTask<T>, 6> tasks{{{at.down, d, f, descent_.x[0].data(), t.active.data()},
                                            {at.up, f, d, descent_.active.data(), t.h2.data()},
                                            {at.o, d, d, descent_.x[1].data(), t.attended.data()},
                                            {at.q, d, d, descent_.q.data(), t.h1.data()},
                                            {at.k, d, d, descent_.k.data(), t.h1.data()},
                                            {at.v, d, d, descent_.v.data(), t.h1.data()}}};
  weightGradients(*kernels_, tasks, extent_.rows(), gradient_.data());
}

template <class T>
void Model<T>::headWeights() {
  const std::array<WeightTask<T>, 1> task{
      {{plans_.back().at, spec_.outputs(), spec_.d_model, logits_.data(), final_.data()}}};
  weightGradients(*kernels_, task, extent_.rows(), gradient_.data());
}

/// embed.weight: rows of ∂x by token. A tied head has already left its part there.
template <class T>
void Model<T>::wordGradient(const Batch& batch) {
  const std::int64_t d = spec_.d_model;
  constexpr std::int64_t columns = 32;
  inBlocks(d, columns, [&](std::int64_t begin, std::int64_t end) {
    if (!spec_.tied)
      for (std::int64_t v = 0; v < spec_.vocab; ++v)
        std::fill(gradient_.data() + v * d + begin, gradient_.data() + v * d + end, T(0));
    for (std::int64_t r = 0; r < extent_.rows(); ++r) {
      const std::int32_t token = batch.tokens[static_cast<std::size_t>(r)];
      if (spec_.zero_words && token != 1) continue;
      const T* dx = descent_.x[0].data() + r * d;
      T* word = gradient_.data() + token * d;
      const T factor = static_cast<T>(spec_.embed_scale);
      for (std::int64_t c = begin; c < end; ++c) word[c] += factor * dx[c];
    }
  });
}

template <class T>
void Model<T>::gatherNorms() {
  const std::int64_t d = spec_.d_model, stride = descent_.norms.size() / extent_.groups();
  const auto gather = [&](LayerOffsets::Norm at, std::int64_t number) {
    T* gain = gradient_.data() + at.gain;
    T* offset = gradient_.data() + at.offset;
    std::fill_n(gain, d, T(0));
    std::fill_n(offset, d, T(0));
    for (std::int64_t g = 0; g < extent_.groups(); ++g) {
      const T* sums = descent_.norms.data() + g * stride + number * 2 * d;
      kernels_->add(d, sums, gain);
      kernels_->add(d, sums + d, offset);
    }
  };
  for (std::int64_t l = 0; l < spec_.num_layers; ++l) {
    const LayerOffsets& at = layout_.layers[static_cast<std::size_t>(l)];
    gather(at.norm1, 2 * l);
    gather(at.norm2, 2 * l + 1);
  }
  gather(layout_.final_norm, 2 * spec_.num_layers);
}

template <class T>
void Model<T>::gatherPosition() {
  if (layout_.positionSize() == 0) return;
  constexpr std::int64_t block = 4096;
  inBlocks(position_->partialSize(), block, [&](std::int64_t begin, std::int64_t end) {
    T* sums = descent_.sums.data() + begin;
    std::copy_n(descent_.partial.data() + begin, end - begin, sums);
    for (std::int64_t g = 1; g < extent_.groups(); ++g)
      kernels_->add(end - begin, descent_.partial.data() + g * partial_stride_ + begin, sums);
  });
  position_->finish(descent_.sums.data(), gradient_.data() + layout_.position);
}

template class Model<float>;
template class Model<double>;

}  // namespace posiscope::train
