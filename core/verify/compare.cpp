// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace posiscope::verify {
namespace {

/// 0 where equal, ∞ where an infinity or a NaN makes the distance meaningless.
double distance(double found, double reference) {
  if (found == reference) return 0;
  const double d = std::abs(found - reference);
  return std::isfinite(d) ? d : std::numeric_limits<double>::infinity();
}

/// "[1, 0, 7]" of a flat index.
std::string place(std::int64_t flat, const std::vector<std::int64_t>& shape) {
  std::string text;
  for (auto size = shape.rbegin(); size != shape.rend(); ++size) {
    text = std::to_string(flat % *size) + (text.empty() ? "" : ", ") + text;
    flat /= *size;
  }
  return "[" + text + "]";
}

}  // namespace

Comparison compareArrays(const Array& found, const Array& reference, const Tolerance& tolerance, bool exact) {
  Comparison result;
  if (found.shape != reference.shape) {
    result.error = std::numeric_limits<double>::infinity();
    result.note = join("shape ", shapeText(found.shape), ", the reference has ", shapeText(reference.shape));
    return result;
  }
  result.equal = true;
  std::int64_t worst = 0;
  std::int64_t outside = 0;
  for (std::int64_t e = 0; e < reference.size(); ++e) {
    const double right = reference.data()[e];
    const double error = distance(found.data()[e], right);
    const double allowed = exact ? 0 : tolerance.at(right);
    const bool fails = !(error <= allowed) || std::isinf(error);
    outside += fails;
    // A failing element always wins over one that is only far within a wide tolerance.
    if (e == 0 || (fails && result.equal) || (fails == !result.equal && error > result.error)) {
      result.error = error;
      result.tolerance = allowed;
      worst = e;
    }
    if (fails) result.equal = false;
  }
  if (!result.equal)
    result.note =
        join(outside, " of ", reference.size(), " elements differ, the worst at ", place(worst, reference.shape), ": ",
             found.data()[worst], " instead of ", reference.data()[worst]);
  return result;
}

Comparison compareScalars(const std::map<std::string, double>& found, const std::map<std::string, double>& reference) {
  Comparison result;
  result.equal = true;
  for (const auto& [name, right] : reference) {
    const double value = found.at(name);
    const double error = distance(value, right);
    const double allowed = scalar_tolerance * std::max(1.0, std::abs(right));
    if (error <= allowed) continue;
    return {false, error, allowed, join(name, " is ", value, " instead of ", right)};
  }
  return result;
}

}  // namespace posiscope::verify
