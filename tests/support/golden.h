// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/array.h"
#include "core/encoding.h"

#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace posiscope::test {

/// An array of the reference data: "golden/shaw_L9k3__rel" of tests/data/FOLDER. A failure of the calling test when it
/// cannot be read.
Array golden(const std::string& name, const std::string& folder = "reference_bias");

/// Its numbers; every golden input is representable in float.
template <class T>
std::vector<T> numbersOf(const Array& array) {
  if (array.empty()) return {};
  return {array.values->begin(), array.values->end()};
}
template <class T>
Table<T> tableOf(const Array& array) {
  return {array.shape.at(0), array.shape.at(1), numbersOf<T>(array)};
}

/// |x − g| ≤ absolute + relative·|g| for all; infinities equal; names the worst place.
void expectClose(std::span<const double> found, const Array& wanted, double relative, double absolute,
                 const std::string& what);

/// With the tolerance of the scalar: 1e-10 for double, 1e-5 and `float_absolute` for float.
template <class T>
void expectGolden(const std::vector<T>& found, const Array& wanted, double float_absolute, const std::string& what) {
  const std::vector<double> numbers(found.begin(), found.end());
  const bool exact = !std::is_same_v<T, float>;
  expectClose(numbers, wanted, exact ? 1e-10 : 1e-5, exact ? 1e-11 : float_absolute, what);
}

}  // namespace posiscope::test
