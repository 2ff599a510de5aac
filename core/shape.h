// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "core/param_table.h"

#include <cstdint>

namespace posiscope {

/// The sizes a scheme and the attention are asked for. Zero in a field marked "0 = …" means that rule.
struct Shape {
  std::int64_t seq_len = 512;    ///< keys, L_k
  std::int64_t seq_len_q = 0;    ///< queries, the last L_q positions (0 = seq_len)
  std::int64_t d_model = 512;    ///< width of an added table and of the embeddings
  std::int64_t num_heads = 8;
  std::int64_t num_kv_heads = 0;  ///< grouped queries (0 = num_heads)
  std::int64_t head_dim = 64;
  std::int64_t num_layers = 1;
  std::int64_t layer = 0;
  std::int64_t grid_height = 0;  ///< patches (0 = no grid)
  std::int64_t grid_width = 0;
  double first_position = 0;     ///< the position of key 0

  std::int64_t keys() const { return seq_len; }
  std::int64_t queries() const { return seq_len_q > 0 ? seq_len_q : seq_len; }
  std::int64_t kvHeads() const { return num_kv_heads > 0 ? num_kv_heads : num_heads; }
  /// Index of query 0 among the keys: p_i = i + offset.
  std::int64_t queryOffset() const { return keys() - queries(); }

  bool operator==(const Shape&) const = default;
};

/// The table that makes the shape's sliders, flags and session keys.
const ParamTable<Shape>& shapeTable();

/// Whole-shape rules: queries ≤ keys, num_heads a multiple of num_kv_heads, layer < num_layers.
Outcome checkShape(const Shape& shape);

/// Refuses `bytes` above the limit, with a sentence naming `what` and both sizes. Checked before allocation.
Outcome checkMemory(std::string_view what, double bytes);
/// The limit in bytes for the large arrays that one question holds at once (default 4 GiB).
double memoryLimit();
void setMemoryLimit(double bytes);

}  // namespace posiscope
