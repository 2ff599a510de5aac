// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/array.h"
#include "core/encoding.h"
#include "core/error.h"
#include "core/param_table.h"
#include "core/sampling.h"

#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>

namespace posiscope::schemes {

/// The parameters of every such table.
struct OffsetTableParams {
  double std = 1;
  std::int64_t seed = 1;
  Array table;  ///< empty: drawn from the seed
};

/// Adds their rows to a scheme's parameter table. `help` says the given table's shape.
template <class P>
void addOffsetTableParams(ParamTable<P>& t, Text help) {
  t.real("std", static_cast<double P::*>(&P::std), {0, 100, 0.01, 4, true},
         {{"std", "标准差"}, {"Spread of a table that is drawn.", "随机抽取的偏置表的标准差。"}});
  t.integer("seed", static_cast<std::int64_t P::*>(&P::seed), {0, 1e9, 0, 100, false},
            {{"seed", "随机种子"}, {"Which table is drawn when none is given.", "未给出表时抽取哪一张。"}});
  t.array("table", static_cast<Array P::*>(&P::table), {{"table", "偏置表"}, std::move(help), "relative_attention_bias"});
}

/// The table of a bias that is looked up by offset: (rows, num_heads), given or drawn.
struct OffsetTable {
  OffsetTableParams params;
  std::int64_t rows = 0;

  /// Errors: bad_shape for a given table of another size, too_large for a bias that would not fit.
  Outcome check(std::string_view owner, const Shape& shape, std::size_t value_bytes) const;
  /// The bias whose offset n looks up row `row(n)`; O(seq_len · num_heads). `row_text(n)` is how the formula finds
  /// that row, for the reader.
  template <class T>
  OffsetBias<T> bias(const Shape& shape, std::function<std::int64_t(std::int64_t)> row,
                     std::function<std::string(std::int64_t)> row_text) const;
};

/// Errors: too_large. Bytes of an OffsetBias of this shape.
Outcome checkOffsetBias(std::string_view owner, const Shape& shape, std::size_t value_bytes);

/// The bias whose head h has value `of_head(h)(n)` at offset n, computed in double.
template <class T, class OfHead>
OffsetBias<T> offsetBias(const Shape& shape, const OfHead& of_head) {
  OffsetBias<T> bias;
  bias.heads = shape.num_heads;
  bias.max_offset = shape.keys() - 1;
  bias.values.reserve(static_cast<std::size_t>(bias.heads * (2 * bias.max_offset + 1)));
  for (std::int64_t head = 0; head < bias.heads; ++head) {
    const auto value = of_head(head);
    for (std::int64_t n = -bias.max_offset; n <= bias.max_offset; ++n) bias.values.push_back(static_cast<T>(value(n)));
  }
  return bias;
}

}  // namespace posiscope::schemes
