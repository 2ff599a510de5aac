// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/buffer.h"
#include "core/train/kernels/kernels.h"
#include "core/train/layout.h"
#include "core/train/optimiser_spec.h"

#include <cstdint>
#include <span>
#include <vector>

namespace posiscope::train {

/// What one step did; norms are of the gradients before clipping.
struct StepFacts {
  double norm = 0;
  double clip = 1;  ///< what they were multiplied by
  double lr = 0;
  double position_norm = 0;  ///< 0 where there is no position parameter
  double word_norm = 0;      ///< of embed.weight; with a tied head it contains the head's part
};

/// AdamW or SGD over a flat array of parameters, with its memory.
template <class T>
class Optimiser {
 public:
  Optimiser(const OptimiserSpec& spec, const Layout& layout, std::int64_t total_steps);

  StepFacts step(std::span<const T> gradient, std::span<T> parameters);

  std::int64_t steps() const { return t_; }
  /// Its memory, for a checkpoint: mean and mean square (AdamW), velocity and nothing (SGD).
  std::span<const T> first() const { return first_.span(); }
  std::span<const T> second() const { return second_.span(); }
  /// Goes on where a checkpoint ended.
  void restore(std::int64_t steps, std::span<const T> first, std::span<const T> second);

 private:
  /// Neighbours that are all decayed or all not.
  struct Segment {
    std::int64_t begin, size;
    bool decayed;
  };

  double norm(const T* gradient, std::int64_t begin, std::int64_t end);

  OptimiserSpec spec_;
  std::int64_t total_, position_, words_;
  std::vector<Segment> segments_;
  const Kernels<T>* kernels_;
  Buffer<T> first_, second_;
  Buffer<double> squares_;
  std::int64_t t_ = 0;
};

}  // namespace posiscope::train
