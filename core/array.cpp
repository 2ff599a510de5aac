// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/array.h"

#include <cstring>
#include <utility>

namespace posiscope {

bool Array::operator==(const Array& other) const {
  if (shape != other.shape || source != other.source) return false;
  if (values == other.values) return true;
  // Nothing equals nothing; memcmp must not be given the null pointers of empty vectors.
  if (empty() || other.empty()) return empty() && other.empty();
  // Bytes, not values: a NaN equals itself here, or a session with one would always look modified.
  return values->size() == other.values->size() &&
         std::memcmp(values->data(), other.values->data(), values->size() * sizeof(double)) == 0;
}

Array makeArray(std::vector<std::int64_t> shape, std::vector<double> values, std::string source) {
  return {std::move(shape), std::make_shared<const std::vector<double>>(std::move(values)), std::move(source)};
}

std::string shapeText(const std::vector<std::int64_t>& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

}  // namespace posiscope
