// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace posiscope {

/// An immutable, shared n-dimensional array of numbers, row-major; a value: copies are cheap.
/// Two arrays are equal when shape, values and origin are.
struct Array {
  std::vector<std::int64_t> shape;
  std::shared_ptr<const std::vector<double>> values;
  std::string source;  ///< the file (and tensor, after '#') it came from; empty when computed

  bool empty() const { return !values || values->empty(); }
  std::int64_t size() const { return values ? static_cast<std::int64_t>(values->size()) : 0; }
  const double* data() const { return values ? values->data() : nullptr; }
  int rank() const { return static_cast<int>(shape.size()); }

  bool operator==(const Array& other) const;
};

Array makeArray(std::vector<std::int64_t> shape, std::vector<double> values, std::string source = {});

/// "(2, 3)" for messages.
std::string shapeText(const std::vector<std::int64_t>& shape);

}  // namespace posiscope
