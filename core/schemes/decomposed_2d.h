// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding.h"
#include "core/grid.h"
#include "core/scheme.h"

#include <array>

namespace posiscope::schemes {

struct DecomposedParams {
  bool class_token = false;       ///< token 0 of queries and keys is no patch and has no bias
  std::int64_t query_height = 0;  ///< grid of the queries; 0 = that of the keys
  std::int64_t query_width = 0;
  Array rel_h, rel_w;  ///< (rows, head_dim), resized to 2·max(q, k) − 1 rows when they have another number
  std::int64_t seed = 1;
};

/// Row of one axis's table for query coordinate y of `queries` and key coordinate z of `keys`:
/// ⌊y·max(c/a, 1) − z·max(a/c, 1) + (c − 1)·max(a/c, 1)⌋, in whole numbers. y − z + a − 1 when both sizes are a.
std::int64_t decomposedRow(std::int64_t y, std::int64_t queries, std::int64_t z, std::int64_t keys);

/// Rows of one axis's table, 2·max(queries, keys) − 1.
std::int64_t decomposedRows(std::int64_t queries, std::int64_t keys);

/// The grids of queries and keys with the two tables at their size.
template <class T>
struct DecomposedAxes {
  Grid asking;
  Grid keys;
  std::int64_t prefix;    ///< 1 with a class token
  Table<T> rel_h, rel_w;  ///< [2·max(q, k) − 1, head_dim] of each axis
  T scale;                ///< of the content term alone
};
template <class T>
DecomposedAxes<T> decomposedAxes(const DecomposedParams& params, const Grid& keys, std::int64_t head_dim);

/// The sum of the wanted terms (content, row, column) of query i over all keys; all three are the logits. Works for
/// any number of queries: pooled ones may outnumber the keys.
template <class T>
void fillDecomposed(const DecomposedAxes<T>& axes, Rows<T> q, Rows<T> k, std::array<bool, 3> wanted, std::int64_t i,
                    std::span<T> out);

/// bias = q·R_h[row] + q·R_w[column], from the query before the scale (MViTv2, SAM, ViTDet).
Scheme decomposed2d();

}  // namespace posiscope::schemes
