// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/grid.h"
#include "core/verify/encode.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace posiscope::verify {

/// The bias of every head, query and key, [heads, L_q, L_k].
template <class T>
Expected<Answer> biasAnswer(const Encoding<T>& encoding, const Shape& shape);

/// A quantity that is the bias of a scheme. `as_product`: sums of products in the kernel's own scalar.
struct BiasCase {
  std::string names;   ///< of the manifests, separated by spaces
  std::string id;      ///< ours
  std::string params;  ///< beside the sizes
  std::string inputs;
  std::function<ParamValues(CaseReader&, const Shape&)> values;
};
void addBiasCase(std::vector<Quantity>& list, const BiasCase& bias);

/// Room for the (query, key) pairs of `layers` heads or terms. Error: too_large.
Outcome roomForPairs(const Shape& shape, double layers);

/// The row that each (query, key) reads, [L_q, L_k].
template <class T>
Expected<Answer> rowsRead(const RowLookup& lookup, const Shape& shape);

/// [height, width] of a parameter; one number is a square.
Grid readGrid(CaseReader& in, const char* key, std::int64_t minimum);

}  // namespace posiscope::verify
