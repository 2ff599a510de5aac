// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dataset.h"
#include "core/encoding.h"
#include "core/grid.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace posiscope {

/// Queries of a coarser grid than that of the keys. They are not the last tokens, as fewer queries are elsewhere: none
/// of them stands at key i + queryOffset.
struct PooledQueries {
  Grid grid;  ///< of the queries
  Grid keys;
  std::int64_t prefix = 0;  ///< tokens before the patches, among the queries as among the keys
  /// They are the patches in every stride-th row and column of the keys; 0 where pooling made them, and they are no
  /// tokens of the keys.
  std::int64_t stride = 0;
  double first_position = 0;

  std::int64_t count() const { return prefix + grid.patches(); }
  /// Position of a query's own token among the keys; only where there is a stride.
  double position(std::int64_t query) const;
  /// Where a query stands: "(2, 3)", row and column of its own grid, or "12 (2, 0)", its token and where that stands
  /// among the keys.
  std::string name(std::int64_t query) const;
  /// "the queries are pooled to a grid of 2 × 3".
  Text place() const;
};

/// What an encoding's facts say of such queries.
std::vector<EncodingFact> pooledFacts(const Grid& grid, std::int64_t stride);
/// None where the queries are tokens from one place on, as they mostly are.
std::optional<PooledQueries> pooledQueries(const Encoding<float>& encoding, const Shape& shape);

/// Pooled queries are numbered by themselves and named by where they stand. What counts offsets i − j between them and
/// the keys averages pairs with nothing in common: it is left out, and where nothing else is left the dataset says so.
/// Is some row of the dataset such a query?
bool labelPooled(Dataset& dataset, const PooledQueries& pooled, const Shape& shape);

}  // namespace posiscope
