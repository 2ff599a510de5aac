// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "core/train/extent.h"
#include "core/train/layout.h"

#include <cstdint>
#include <vector>

namespace posiscope::train {

/// One head of one sequence, as an encoding that acts on logits or values sees it. q, k and v have `length` rows of
/// `head_dim` numbers, `stride` apart.
template <class T>
struct Head {
  std::int64_t layer, head, sequence, group;
  std::int64_t length, head_dim, stride;
  bool causal;
  T scale;  ///< 1/√head_dim
  const T* q;
  const T* k;
};

/// How one encoding takes part in training: what it adds where, and how gradients pass back through it. Every
/// forward function has its backward one; what a kind does not touch it leaves alone. Gradients of its parameters are
/// first summed group by group into `partial` (`partialSize` numbers for each group, zero at the start of a step), then
/// `finish` turns the sum over the groups into the gradient. The functions are called from several threads, each for
/// its own group.
template <class T>
class Position {
 public:
  virtual ~Position() = default;

  virtual std::vector<Parameter> parameters() const { return {}; }
  /// Makes room and constants for batches of this extent. Errors: past_table, bad_shape, too_large.
  virtual Outcome fit(const Extent&) { return {}; }
  /// What depends on the parameters and not on the batch; the pointer stays valid until the next call.
  virtual void refresh(const T* parameters) { values_ = parameters; }

  /// At the input: x, [rows of the group, d_model], holds the word embeddings.
  virtual void addToInput(const Sequences&, T* /*x*/) {}
  virtual void addToInputBackward(const Sequences&, T* /*dx*/, T* /*partial*/) {}
  /// In front of every layer.
  virtual void beforeLayer(std::int64_t, const Sequences&, T* /*x*/) {}
  virtual void beforeLayerBackward(std::int64_t, const Sequences&, T* /*dx*/, T* /*partial*/) {}
  /// Behind every layer.
  virtual void afterLayer(std::int64_t, const Sequences&, T* /*x*/) {}
  virtual void afterLayerBackward(std::int64_t, const Sequences&, T* /*dx*/, T* /*partial*/) {}
  /// q and k of all heads, [rows of the group, d_model].
  virtual void rotate(const Sequences&, T* /*q*/, T* /*k*/) {}
  virtual void rotateBackward(const Sequences&, T* /*dq*/, T* /*dk*/) {}
  /// s, [length, length], holds scale·q·k; keys after the query need not be filled under a causal mask.
  virtual void addToLogits(const Head<T>&, T* /*s*/) {}
  /// `ds` is the gradient at the logits with what was added; an encoding whose logits were a function of the scaled
  /// q·k as well adds that path to it.
  virtual void addToLogitsBackward(const Head<T>&, T* /*ds*/, T* /*dq*/, T* /*dk*/, T* /*partial*/) {}
  /// z, [length, head_dim] with the head's stride, holds weights·v.
  virtual void addToValues(const Head<T>&, const T* /*weights*/, T* /*z*/) {}
  virtual void addToValuesBackward(const Head<T>&, const T* /*weights*/, const T* /*dz*/, T* /*dweights*/,
                                   T* /*partial*/) {}

  virtual std::int64_t partialSize() const { return 0; }
  /// `sums`: the partial sums of all groups together. Fills the gradient of every parameter.
  virtual void finish(const T* /*sums*/, T* /*gradient*/) {}
  /// After every step: puts parameters back into their range.
  virtual void clamp(T* /*parameters*/) const {}

 protected:
  const T* values_ = nullptr;
};

}  // namespace posiscope::train
