// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/base_table.h"

#include "core/chinese_text.h"
#include "core/schemes/learned_weights.h"
#include "core/screen_number.h"
#include "core/sinusoidal.h"

#include <algorithm>
#include <cmath>

namespace posiscope::schemes {

Outcome checkTableRows(std::string_view owner, const Shape& shape, std::int64_t rows) {
  const double first = shape.first_position;
  const double last = first + static_cast<double>(shape.keys() - 1);
  const auto refuse = [&](double position, std::string_view en, std::string_view zh) {
    const std::string end = screenNumber(static_cast<double>(rows - 1));
    return fail(ErrorCode::past_table,
                join(owner, ": position ", screenNumber(position), " ", en, "; the table has positions 0 to ", end),
                joinChinese(owner, "：位置 ", screenNumber(position), " ", zh, "；位置表只有 0 到 ", end));
  };
  if (first != std::floor(first)) return refuse(first, "is not a whole number", "不是整数");
  if (first < 0) return refuse(first, "is negative", "为负数");
  if (last >= static_cast<double>(rows)) return refuse(last, "is past the table", "超出位置表");
  return {};
}

Outcome checkDrawnRows(std::string_view owner, const Shape& shape, const Text& when) {
  constexpr std::int64_t most_positions = 1 << 24;
  const double first = shape.first_position;
  if (first >= 0 && first == std::floor(first)) return checkTableRows(owner, shape, most_positions);
  return fail(ErrorCode::past_table,
              join(owner, ": rows are drawn for the positions 0, 1, 2 … only, so first_position must be a whole ",
                   "number of at least 0", when.en, ", got ", screenNumber(first)),
              join(owner, "：只为位置 0、1、2 …… 抽取行，因此", when.zh, " first_position 必须是不小于 0 的整数，得到 ",
                   screenNumber(first)));
}

Outcome BaseTable::check(std::string_view owner, const Shape& shape, std::int64_t width) const {
  if (!given.empty() && (given.rank() != 2 || given.shape[1] != width))
    return fail(ErrorCode::bad_shape,
                join(owner, ": position_table must be (positions, ", width, "), got ", shapeText(given.shape)),
                join(owner, "：position_table 的形状必须是（位置数, ", width, "），得到 ", shapeText(given.shape)));
  if (!given.empty()) {
    if (Outcome ok = checkTableRows(owner, shape, given.shape[0]); !ok) return ok;
  } else if (kind == BaseKind::learned) {
    const Text when{" while table_kind is learned", " table_kind 为 learned 时"};
    if (Outcome ok = checkDrawnRows(owner, shape, when); !ok) return ok;
  }
  const double rows =
      static_cast<double>(shape.keys()) + (given.empty() && kind == BaseKind::learned ? shape.first_position : 0);
  return checkMemory(join(owner, ": the position table"), rows * static_cast<double>(width) * sizeof(double));
}

std::vector<Text> BaseTable::warnings() const {
  return given.empty() && kind == BaseKind::sinusoidal ? baseWarnings(base) : std::vector<Text>{};
}

Table<double> BaseTable::rows(std::string_view owner, std::int64_t seed, const Shape& shape, std::int64_t width) const {
  if (given.empty() && kind == BaseKind::sinusoidal) {
    SinusoidalParams sines;
    sines.base = base;
    return sinusoidalTable<double>(sines, shape.keys(), width, shape.first_position);
  }
  const auto begin = static_cast<std::int64_t>(shape.first_position) * width;
  const std::int64_t count = shape.keys() * width;
  const std::vector<double> all = weightsOf<double>(given, begin + count, {seed, join(owner, "/table"), std});
  return {shape.keys(), width, std::vector<double>(all.begin() + begin, all.begin() + begin + count)};
}

}  // namespace posiscope::schemes
