// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace posiscope {

/// Part of a field, in cells; may be fractional while zooming.
struct FieldWindow {
  double row = 0;
  double col = 0;
  double rows = 0;
  double cols = 0;

  bool operator==(const FieldWindow&) const = default;
};

/// What a pixel shows when it stands for many cells.
enum class Reduction { nearest, mean, maximum, minimum };

/// A matrix that is asked for a window at a resolution, so that nobody needs to know whether it is stored or
/// computed on demand. Immutable; safe to ask from several threads.
class Field {
 public:
  virtual ~Field() = default;
  virtual std::int64_t rows() const = 0;
  virtual std::int64_t cols() const = 0;
  /// The exact value of one cell; indices inside the field.
  virtual float at(std::int64_t row, std::int64_t col) const = 0;
  /// `height` × `width` samples of the window, row-major: sample (y, x) covers the cells from floor to ceil of its
  /// share. NaN outside the field. Exact wherever a sample covers at most one cell.
  virtual void sample(const FieldWindow& window, std::int64_t height, std::int64_t width, Reduction reduction,
                      std::span<float> out) const;
  /// Smallest and largest finite value (of a bounded sample when computed on demand).
  struct Limits {
    float minimum;
    float maximum;
    bool exact;  ///< false when only a sample was looked at
  };
  virtual Limits limits() const;
  /// All values row-major when they are stored; null when computed on demand.
  virtual const float* stored() const { return nullptr; }
};

/// Stored values; `owner` keeps the memory alive, so that many fields can share one block.
std::shared_ptr<const Field> storedField(std::int64_t rows, std::int64_t cols, std::shared_ptr<const void> owner,
                                         const float* values);
std::shared_ptr<const Field> storedField(std::int64_t rows, std::int64_t cols, std::vector<float> values);
/// Values computed when asked. `value` must be pure. A sample that covers many cells looks at no more than four of
/// them, evenly spread. `limits`, when known to the caller, spares the search for them.
std::shared_ptr<const Field> computedField(std::int64_t rows, std::int64_t cols,
                                           std::function<float(std::int64_t, std::int64_t)> value,
                                           std::optional<Field::Limits> limits = {});

}  // namespace posiscope
