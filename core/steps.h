// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/job.h"

#include <algorithm>
#include <cstddef>

namespace posiscope {

/// The parts of a job that is done in several steps of about the same size, in order.
class Steps {
 public:
  Steps(const Job& whole, std::size_t count) : whole_(whole), count_(std::max<std::size_t>(1, count)) {}

  /// The part of the next step; steps beyond the count report nothing new.
  Job next() {
    const std::size_t begin = std::min(taken_, count_);
    const std::size_t end = std::min(++taken_, count_);
    return whole_.part(fraction(begin), fraction(end));
  }

 private:
  double fraction(std::size_t steps) const { return static_cast<double>(steps) / static_cast<double>(count_); }

  Job whole_;
  std::size_t count_;
  std::size_t taken_ = 0;
};

}  // namespace posiscope
