// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/array.h"
#include "core/base_range.h"
#include "core/encoding.h"
#include "core/param_table.h"

#include <cstdint>
#include <string_view>

namespace posiscope::schemes {

enum class BaseKind { sinusoidal, learned };

/// The absolute table that a combination is built on: computed, drawn, or given.
struct BaseTable {
  BaseKind kind = BaseKind::sinusoidal;
  double base = 10000;  ///< of the sines, interleaved
  double std = 0.02;    ///< of the drawn numbers
  Array given;          ///< (positions, width), instead of both

  /// On sines with a base that is hardly meant.
  std::vector<Text> warnings() const;
  /// Errors: bad_shape for another width, past_table for a position without a row.
  Outcome check(std::string_view owner, const Shape& shape, std::int64_t width) const;
  /// Numbers that training changes: none of the sines.
  std::int64_t learned(const Shape& shape, std::int64_t width) const {
    if (!given.empty()) return given.size();
    return kind == BaseKind::learned ? shape.keys() * width : 0;
  }
  /// The rows of the shape's keys, [seq_len, width], in double; drawn ones from the stream "OWNER/table".
  Table<double> rows(std::string_view owner, std::int64_t seed, const Shape& shape, std::int64_t width) const;
};

/// A table has one row for each of the positions 0 … rows − 1: no other one may be asked for, never wrapped, never
/// clamped. Error: past_table.
Outcome checkTableRows(std::string_view owner, const Shape& shape, std::int64_t rows);

/// The same of a table that is drawn: it has a row for every position of a sequence, up to 2^24, but none for a
/// negative or fractional one. `when` narrows the sentence: " while table_kind is learned".
Outcome checkDrawnRows(std::string_view owner, const Shape& shape, const Text& when = {});

/// The parameters `table_kind`, `base`, `std` and `position_table` of a scheme whose struct has such members.
template <class P>
void addBaseTable(ParamTable<P>& t) {
  t.choice("table_kind", &P::table_kind, {{"sinusoidal", {"sinusoidal", "正弦"}}, {"learned", {"drawn", "随机抽取"}}},
           {{"position table", "位置表"},
            {"Sines and cosines, or random numbers as at the start of training.",
             "正弦和余弦，或像训练开始时那样的随机数。"}});
  t.real("base", &P::base, base_range,
         {{"base", "底数"}, {"Sets how slowly the last pair of sines turns.", "决定最后一对正弦转得有多慢。"}})
      .when("table_kind", {"sinusoidal"});
  t.real("std", &P::std, {0, 100, 0.001, 1, true},
         {{"std", "标准差"}, {"Spread of the drawn numbers.", "随机抽取的数的标准差。"}})
      .when("table_kind", {"learned"});
  t.array("position_table", &P::position_table,
          {{"given table", "给定的位置表"},
           {"A table of your own, positions × width; used whenever it is given.",
            "自己的表，位置数 × 宽度；给出后即采用。"},
           "table"})
      .unset({"as set above", "如上设置"});
}
template <class P>
BaseTable baseTableOf(const P& p) {
  return {p.table_kind, p.base, p.std, p.position_table};
}

}  // namespace posiscope::schemes
