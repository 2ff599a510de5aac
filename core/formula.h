// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace posiscope {

/// A formula that a person typed: arithmetic, comparisons, c ? x : y, the usual functions, floor, ceil, mod and pi. It
/// can read its variables and constants and nothing else: no files, no assignments, no loops.
struct Formula {
  std::string text;
  std::vector<std::string> variables;  ///< change from point to point
  std::vector<std::pair<std::string, double>> constants;
  /// Values beyond ± this are none: single precision, in which everything is drawn, has no finite number for them.
  double largest = std::numeric_limits<float>::max();

  /// The most bytes a formula may have.
  static constexpr std::size_t longest = 500;
};

/// Can it be computed at `count` points? `owner` ("own") starts the sentence. Errors: bad_value with the column of the
/// first mistake, too_large when the points would take too long.
Outcome checkFormula(std::string_view owner, const Formula& formula, std::int64_t count);

/// Its value at every point; `point(n, values)` gives the variables of point n, pure and safe from several threads. The
/// numbers do not depend on the number of threads. Errors: those of checkFormula; not_defined naming the first point
/// whose value is not finite or beyond the largest; too_large after ten seconds.
Expected<std::vector<double>> evaluateFormula(std::string_view owner, const Formula& formula, std::int64_t count,
                                              const std::function<void(std::int64_t, std::span<double>)>& point);

/// Does the name occur in the text as a word of its own?
bool mentions(std::string_view text, std::string_view name);

}  // namespace posiscope
