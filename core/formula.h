// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"

#include <chrono>
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
  /// How many points times bytes may be asked for at once: a point costs about 5 ns a byte, so this is some ten seconds
  /// on one core. The clock catches the rest.
  static constexpr double most_characters = 2e9;
  static constexpr std::chrono::seconds longest_time{10};
};

/// Can it be computed at `count` points? `owner` ("own") starts the sentence. Errors: bad_value with the column of the
/// first mistake, too_large when the points would take too long.
Outcome checkFormula(std::string_view owner, const Formula& formula, std::int64_t count);

/// Its value at every point; `point(n, values)` gives the variables of point n, pure and safe from several threads. The
/// numbers do not depend on the number of threads. Errors: those of checkFormula; not_defined naming the first point
/// whose value is not finite or beyond the largest; too_large after ten seconds.
Expected<std::vector<double>> evaluateFormula(std::string_view owner, const Formula& formula, std::int64_t count,
                                              const std::function<void(std::int64_t, std::span<double>)>& point);

/// "own: formula, column 5: the formula ends too early"; columns count characters, from 1.
Error formulaMistake(std::string_view owner, std::string_view text, std::size_t byte, const Text& what);
/// Its points would take, or have taken, too long.
Error formulaTooLong(std::string_view owner, std::int64_t count);
/// At this point it has a value that cannot be drawn.
Error formulaNotFinite(std::string_view owner, const Formula& formula, double value, std::span<const double> point);

/// Does the name occur in the text as a word of its own?
bool mentions(std::string_view text, std::string_view name);

}  // namespace posiscope
