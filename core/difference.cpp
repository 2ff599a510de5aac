// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/difference.h"

#include "core/agreement.h"
#include "core/buffers.h"
#include "core/screen_number.h"
#include "core/slow_field.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace posiscope {
namespace {

bool sameIndices(const Axis& a, const Axis& b) {
  return a.symbol == b.symbol && a.first == b.first && a.step == b.step;
}

bool comparable(const Map& a, const Map& b) { return sameIndices(a.rows, b.rows) && sameIndices(a.cols, b.cols); }

/// The map of `others` that stands for the same thing as `map`, which is the `index`-th of its own; null = none.
const Map* partner(const Map& map, std::size_t index, const std::vector<Map>& others) {
  const auto named = std::ranges::find(others, map.key, &Map::key);
  if (named != others.end()) return &*named;
  const auto of_head = std::ranges::find(others, map.head, &Map::head);
  if (map.head >= 0 && of_head != others.end()) return &*of_head;
  return index == 0 && !others.empty() ? &others.front() : nullptr;
}

std::string described(const Axis& axis, Language language) {
  const std::string& name = axis.name.in(language);
  // "offset i − j" is its own formula.
  return axis.symbol.empty() || axis.symbol == name || name.find("−") != std::string::npos ? name
                                                                                           : name + " " + axis.symbol;
}

std::string described(const Map& map, Language language) {
  return described(map.rows, language) + " × " + described(map.cols, language);
}

Text valueOf(const Map& a, const Map& b) {
  if (a.value == b.value) return {"Δ " + a.value.en, "Δ " + a.value.zh};
  return {a.value.en + " − " + b.value.en, a.value.zh + " − " + b.value.zh};
}

/// What the numbers of two stored maps have in common.
std::optional<Remark> remarkOn(const Map& a, const Map& b) {
  const std::optional<Agreement> found = agreement(*a.field, *b.field);
  if (!found) return {};
  if (found->first_column < 0)
    return Remark{Verdict::good, {"They are equal to five digits.", "两者前五位有效数字相同。"}};
  if (found->reordered)
    return Remark{Verdict::good,
                  {"They are equal after the permutation half-split ↔ adjacent of the columns.",
                   "把列按“前后半 ↔ 相邻”重新排列后，两者相等。"}};
  const auto name = [](const Axis& axis) { return axis.symbol.empty() ? axis.name : Text{axis.symbol, axis.symbol}; };
  const auto at = [](const Axis& axis, std::int64_t index) {
    return screenNumber(axis.first + axis.step * static_cast<double>(index));
  };
  const std::string largest = screenNumber(found->largest);
  const Text row = name(a.rows);
  const Text col = name(a.cols);
  return Remark{
      Verdict::neutral,
      {join("The first difference is in ", col.en, " = ", at(a.cols, found->first_column), "; the largest is ", largest,
            " at ", row.en, " = ", at(a.rows, found->row), ", ", col.en, " = ", at(a.cols, found->col), "."),
       join("首个差异在 ", col.zh, " = ", at(a.cols, found->first_column), "；最大差异为 ", largest, "，位于 ", row.zh,
            " = ", at(a.rows, found->row), "，", col.zh, " = ", at(a.cols, found->col), "。")}};
}

}  // namespace

std::shared_ptr<const Field> differenceField(std::shared_ptr<const Field> a, std::shared_ptr<const Field> b) {
  if (slowField(*a) || slowField(*b)) return slowDifference(std::move(a), std::move(b));
  const std::int64_t rows = std::max(a->rows(), b->rows());
  const std::int64_t cols = std::max(a->cols(), b->cols());
  const bool same_shape = a->rows() == b->rows() && a->cols() == b->cols();
  const float* minuend = a->stored();
  const float* subtrahend = b->stored();
  const double bytes = 4.0 * static_cast<double>(rows) * static_cast<double>(cols);
  if (same_shape && minuend && subtrahend && bytes <= most_stored_difference) {
    std::vector<float> values = takeBuffer(static_cast<std::size_t>(rows * cols));
    for (std::size_t n = 0; n < values.size(); ++n) values[n] = minuend[n] - subtrahend[n];
    return storedField(rows, cols, std::move(values));
  }
  return computedField(rows, cols, [a = std::move(a), b = std::move(b)](std::int64_t row, std::int64_t col) {
    const auto inside = [&](const Field& field) { return row < field.rows() && col < field.cols(); };
    if (!inside(*a) || !inside(*b)) return std::numeric_limits<float>::quiet_NaN();
    return a->at(row, col) - b->at(row, col);
  });
}

Expected<Dataset> difference(const Dataset& a, const Dataset& b) {
  Dataset result;
  const Map* refused = nullptr;
  const Map* refused_by = nullptr;
  for (std::size_t m = 0; m < a.maps.size(); ++m) {
    const Map& map = a.maps[m];
    const Map* other = partner(map, m, b.maps);
    if (!other) continue;
    if (!comparable(map, *other)) {
      if (!refused) refused = &map, refused_by = other;
      continue;
    }
    result.maps.push_back({map.key, map.label, differenceField(map.field, other->field), map.rows, map.cols,
                           valueOf(map, *other), MapKind::diverging, map.head});
    if (result.remarks.empty())
      if (const auto remark = remarkOn(map, *other)) result.remarks.push_back(*remark);
  }
  if (result.maps.empty() && refused)
    return fail(ErrorCode::not_defined,
                "they cannot be subtracted: one is " + described(*refused, Language::english) + ", the other " +
                    described(*refused_by, Language::english),
                "两者不能相减：一个是" + described(*refused, Language::chinese) + "，另一个是" +
                    described(*refused_by, Language::chinese));
  if (result.maps.empty())
    return fail(ErrorCode::not_defined, "they cannot be subtracted: at least one of them has no map",
                "两者不能相减：至少有一个没有图");
  // It is of the first map, which is not all that is shown.
  if (result.maps.size() > 1 && !result.remarks.empty()) {
    const Text& label = result.maps.front().label;
    Text& sentence = result.remarks.front().sentence;
    sentence = {label.en + ": " + sentence.en, label.zh + "：" + sentence.zh};
  }
  result.scope = a.scope.en.empty() ? b.scope : a.scope;
  return result;
}

}  // namespace posiscope
