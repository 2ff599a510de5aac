// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "core/train/batch.h"
#include "core/train/buffer.h"
#include "core/train/extent.h"
#include "core/train/kernels/kernels.h"
#include "core/train/layout.h"
#include "core/train/position.h"

#include <memory>
#include <span>
#include <vector>

namespace posiscope::train {

/// What a forward pass leaves of one layer for the backward pass. [rows, …] unless said.
template <class T>
struct LayerTrace {
  Buffer<T> normal1, inverse1, h1;  ///< first norm: normalised, 1/σ, output
  Buffer<T> q, k, v;                ///< after the rotation
  Buffer<T> weights;                ///< [sequences, heads, length, length]
  Buffer<T> attended;               ///< heads side by side, before o
  Buffer<T> normal2, inverse2, h2;
  Buffer<T> slope, active;  ///< of the GELU: derivative and value
};

/// The gradients that travel down, reused by every layer.
template <class T>
struct Descent {
  Buffer<T> x[3];  ///< ∂x behind the MLP, between MLP and attention, in front of the attention; they rotate
  Buffer<T> h;     ///< behind a norm
  Buffer<T> q, k, v, attended, active;
  Buffer<T> scores;   ///< [groups, length, length]
  Buffer<T> norms;    ///< [groups, norms, 2, d_model]: sums for gain and offset
  Buffer<T> partial;  ///< [groups, …] of the encoding
  Buffer<T> sums;     ///< of the encoding, all groups together
};

/// One linear layer with its weight in the two packed orders: for y = x·Wᵀ and for ∂x = ∂y·W.
struct LinearPlan {
  LayerOffsets::Linear at;
  std::int64_t outputs = 0, inputs = 0;
  std::int64_t ahead = 0, back = 0;  ///< where they start in the packed arrays
};

/// The linear layers of a block, in the order of their plans.
enum class Linear { q, k, v, o, up, down };
inline constexpr std::int64_t linears_of_layer = 6;

struct BatchLoss {
  double loss = 0;  ///< mean over the counted targets; 0 without any
  std::int64_t counted = 0;
  std::int64_t right = 0;  ///< the first largest logit is the target

  double accuracy() const { return counted > 0 ? static_cast<double>(right) / static_cast<double>(counted) : 0; }
};

/// A pre-norm Transformer with one encoding, its parameters and their gradients as flat arrays. The same numbers on any
/// number of threads. Room is made when a batch is larger than any before; otherwise nothing is allocated.
template <class T>
class Model {
 public:
  /// Parameters are 0: see `setInitial`. Errors: out_of_range, bad_shape, unknown_name, not_supported.
  static Expected<Model> create(const ModelSpec& spec);

  const ModelSpec& spec() const { return spec_; }
  const Layout& layout() const { return layout_; }
  std::span<T> parameters() { return parameters_.span(); }
  std::span<const T> parameters() const { return parameters_.span(); }
  std::span<T> gradient() { return gradient_.span(); }
  std::span<const T> gradient() const { return gradient_.span(); }

  /// Other constants of the same encoding (RoPE stretched at evaluation): the parameters stay.
  /// Errors: those of `create`; bad_shape when the parameters would be others.
  Outcome setPosition(const PositionSpec& position);

  /// Logits of a batch whose tokens are within the vocabulary. Errors: of the encoding, such as past_table; bad_shape;
  /// too_large.
  Outcome forward(const Batch& batch);
  /// Loss of the last forward pass and, in place of the logits, the gradient there.
  BatchLoss loss(const Batch& batch);
  /// All gradients, after `loss`.
  void backward(const Batch& batch);
  /// What an encoding needs after a step of the optimiser.
  void clampPosition() { position_->clamp(parameters_.data() + layout_.position); }

  /// Of the last forward pass; [rows, classes], the loss replaces them by its gradient.
  std::span<const T> logits() const { return logits_.span(); }
  /// [rows, d_model] behind the final norm.
  std::span<const T> hidden() const { return final_.span(); }
  /// −log softmax[target] of every row, after `loss`; 0 where nothing is counted.
  std::span<const double> rowLosses() const { return losses_.span(); }
  /// [length, length] of one head of one sequence.
  std::span<const T> attention(std::int64_t layer, std::int64_t sequence, std::int64_t head) const;

  /// Bytes of everything kept for a batch of this size.
  static double bytes(const ModelSpec& spec, const Layout& layout, std::int64_t sequences, std::int64_t length);

 private:
  Model(ModelSpec spec, std::unique_ptr<Position<T>> position);

  Outcome fit(const Batch& batch);
  void fitDescent();

  // Forward, one group of sequences at a time.
  void embed(const Batch& batch, const Sequences& s);
  void attend(std::int64_t layer, const Sequences& s);
  void attendHead(const Head<T>& head);
  void think(std::int64_t layer, const Sequences& s);
  void read(const Sequences& s);

  // Backward.
  void readBackward(const Sequences& s);
  void thinkBackward(std::int64_t layer, const Sequences& s);
  void attendBackward(std::int64_t layer, const Sequences& s);
  void attendHeadBackward(const Head<T>& head, std::int64_t offset);
  void layerWeights(std::int64_t layer);
  void headWeights();
  void wordGradient(const Batch& batch);
  void gatherNorms();
  void gatherPosition();

  // y, [rows of the group, outputs], = x·Wᵀ + b; and back: dx = [dx +] dy·W.
  void linear(const Sequences& s, const LinearPlan& plan, const T* x, T* y, bool add = false) const;
  void linearBackward(const Sequences& s, const LinearPlan& plan, const T* dy, T* dx, bool add = false) const;
  void planLinears();
  void packAhead();
  void packBack();
  const LinearPlan& plan(std::int64_t layer, Linear linear) const {
    return plans_[static_cast<std::size_t>(layer * linears_of_layer) + static_cast<std::size_t>(linear)];
  }
  void norm(const Sequences& s, LayerOffsets::Norm at, const Buffer<T>& x, Buffer<T>& normal, Buffer<T>& inverse,
            Buffer<T>& y) const;
  void normBackward(const Sequences& s, LayerOffsets::Norm at, std::int64_t number, const Buffer<T>& normal,
                    const Buffer<T>& inverse, Buffer<T>& dx);

  Head<T> headOf(std::int64_t layer, std::int64_t sequence, std::int64_t head, std::int64_t group) const;
  T* partialOf(const Sequences& s) { return descent_.partial.data() + s.group * partial_stride_; }
  const T* parameter(std::int64_t offset) const { return parameters_.data() + offset; }

  ModelSpec spec_;
  Layout layout_;
  std::unique_ptr<Position<T>> position_;
  const Kernels<T>* kernels_;
  Buffer<T> parameters_, gradient_;
  std::vector<LinearPlan> plans_;  ///< layer by layer; the head, or the words where it is tied, is the last
  Buffer<T> ahead_, back_;         ///< the packed weights
  Extent extent_;
  std::vector<LayerTrace<T>> layers_;
  Buffer<T> x_;  ///< the residual stream
  Buffer<T> final_normal_, final_inverse_, final_, logits_;
  Buffer<double> losses_;       ///< of each row; 0 where nothing is counted
  Buffer<std::uint8_t> right_;  ///< whether its first largest logit is the target
  Descent<T> descent_;
  bool has_descent_ = false;
  std::int64_t partial_stride_ = 0;
};

}  // namespace posiscope::train
