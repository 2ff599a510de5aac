// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/array.h"
#include "core/random.h"

#include <cmath>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace posiscope::test {

/// Random parameters, the same on every run: each call draws the next.
class Drawn {
 public:
  explicit Drawn(std::string_view name) : stream_(20, name) {}

  double between(double low, double high) { return low + (high - low) * stream_.unit(next_++, 0); }
  /// Evenly on a logarithmic axis.
  double logarithmic(double low, double high) { return std::exp(between(std::log(low), std::log(high))); }
  template <class T>
  T oneOf(std::initializer_list<T> values) {
    return values.begin()[stream_.below(values.size(), next_++, 0)];
  }
  std::vector<double> normals(std::int64_t count) {
    std::vector<double> values;
    for (std::int64_t e = 0; e < count; ++e) values.push_back(stream_.normal(next_++));
    return values;
  }
  Array array(std::int64_t rows, std::int64_t cols) { return makeArray({rows, cols}, normals(rows * cols)); }

 private:
  Stream stream_;
  std::uint64_t next_ = 0;
};

}  // namespace posiscope::test
