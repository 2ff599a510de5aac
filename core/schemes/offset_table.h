// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/array.h"
#include "core/encoding.h"
#include "core/error.h"
#include "core/sampling.h"

#include <cstdint>
#include <functional>
#include <string_view>

namespace posiscope::schemes {

/// The table of a bias that is looked up by offset: (rows, num_heads), given or drawn from the seed.
struct OffsetTable {
  Array given;
  std::int64_t seed = 1;
  double std = 1;
  std::int64_t rows = 0;

  /// Errors: bad_shape for a given table of another size, too_large for a bias that would not fit.
  Outcome check(std::string_view owner, const Shape& shape, std::size_t value_bytes) const;
  /// The bias whose offset n looks up row `row(n)`; O(seq_len · num_heads).
  template <class T>
  OffsetBias<T> bias(const Shape& shape, const std::function<std::int64_t(std::int64_t)>& row) const;
};

/// Errors: too_large. Bytes of an OffsetBias of this shape.
Outcome checkOffsetBias(std::string_view owner, const Shape& shape, std::size_t value_bytes);

}  // namespace posiscope::schemes
