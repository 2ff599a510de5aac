// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/core/invariants/drawn.h"
#include "tests/support/attending.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace posiscope::test {

/// Queries and keys of all heads, each token its own, or all queries alike. As many key heads as heads.
inline Content<double> drawnContent(Drawn& drawn, const Shape& shape, bool equal_queries = false) {
  Content<double> content;
  content.q = drawn.normals(shape.num_heads * shape.seq_len * shape.head_dim);
  content.k = drawn.normals(shape.num_heads * shape.seq_len * shape.head_dim);
  const std::int64_t head = shape.seq_len * shape.head_dim;
  for (std::int64_t e = 0; equal_queries && e < std::ssize(content.q); ++e)
    content.q[static_cast<std::size_t>(e)] = content.q[static_cast<std::size_t>(e / head * head + e % shape.head_dim)];
  return content;
}

/// [heads, L_q, L_k], after the scale and before the mask.
inline std::vector<double> logitsOf(const Encoding<double>& encoding, const Content<double>& content,
                                    const Shape& shape) {
  return attending(encoding, content, {}, shape, {true, false, false, {}}).logits;
}

inline double at(const Table<double>& t, std::int64_t i, std::int64_t j) {
  return t.row(i)[static_cast<std::size_t>(j)];
}

/// The rows of one head of [heads, L, L].
inline Table<double> rowsOfHead(const std::vector<double>& values, const Shape& shape, std::int64_t head) {
  const auto first = values.begin() + head * shape.seq_len * shape.seq_len;
  return {shape.seq_len, shape.seq_len, {first, first + shape.seq_len * shape.seq_len}};
}

/// What a bias of pairs adds for one head, [L, L].
inline Table<double> pairBiasOf(const Encoding<double>& encoding, const Shape& shape, std::int64_t head) {
  Table<double> rows = makeTable<double>(shape.seq_len, shape.seq_len);
  for (std::int64_t i = 0; i < rows.rows; ++i)
    std::get<PairBias<double>>(encoding.logits.bias).fill(head, i, rows.row(i));
  return rows;
}

/// Rows i of term (or stage) number `which` of one head, [L_q, L_k].
template <class Parts>
Table<double> partOf(const Parts& parts, std::size_t which, const Content<double>& content, const Shape& shape,
                     std::int64_t head, const Mask& mask = {}) {
  const std::int64_t size = shape.seq_len * shape.head_dim;
  HeadContent<double> seen{head,
                           {content.q.data() + head * size, shape.seq_len, shape.head_dim},
                           {content.k.data() + head * size, shape.seq_len, shape.head_dim},
                           {},
                           &shape,
                           &mask};
  const auto fill = parts.prepare(seen);
  Table<double> rows = makeTable<double>(shape.seq_len, shape.seq_len);
  for (std::int64_t i = 0; i < rows.rows; ++i) fill(which, i, rows.row(i));
  return rows;
}

/// The largest difference of two arrays of one size.
inline double farthestApart(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double largest = 0;
  for (std::size_t e = 0; e < std::min(a.size(), b.size()); ++e) largest = std::max(largest, std::abs(a[e] - b[e]));
  return largest;
}

/// The largest difference between two cells of one diagonal.
inline double alongDiagonals(const Table<double>& t) {
  double largest = 0;
  for (std::int64_t i = 1; i < t.rows; ++i)
    for (std::int64_t j = 1; j < t.cols; ++j) largest = std::max(largest, std::abs(at(t, i, j) - at(t, i - 1, j - 1)));
  return largest;
}

}  // namespace posiscope::test
