// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/map_mask.h"

#include "core/measures/encoded.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace posiscope::ui {
namespace {

using Cells = std::function<bool(std::int64_t row, std::int64_t col)>;

/// The rows of given weights with nothing but zeros; empty when there are none.
Cells emptyRows(const Question& question, const Map& map) {
  const float* values = map.field->stored();
  if (question.content.source != ContentSource::attention || map.kind != MapKind::sequential || !values) return {};
  const auto keys = static_cast<std::size_t>(map.field->cols());
  std::vector<bool> empty;
  for (std::int64_t row = 0; row < map.field->rows(); ++row, values += keys)
    empty.push_back(std::ranges::all_of(std::span(values, keys), [](float weight) { return weight == 0; }));
  if (std::ranges::find(empty, true) == empty.end()) return {};
  return [empty = std::move(empty)](std::int64_t row, std::int64_t) { return empty[static_cast<std::size_t>(row)]; };
}

Cells masked(const Question& question, const Field& field) {
  Mask mask = question.mask;
  Shape shape = question.shape;
  // Given attention is as it is, whatever the scheme would do.
  if (question.content.source != ContentSource::attention)
    mask = narrowed(std::move(mask), measures::reachOf(question.scheme, shape));
  if (mask == Mask{}) return {};
  if (field.cols() != shape.keys() || field.rows() != shape.queries()) {
    if (field.cols() > shape.keys() || field.rows() > shape.queries()) return {};
    mask.blocked.clear();  // its rows have the length of the whole question
    if (shape.queryOffset() != 0) {
      shape.seq_len = field.cols();
      shape.seq_len_q = field.rows();
    }
  }
  return [mask = std::move(mask), shape](std::int64_t row, std::int64_t col) { return !mask.allows(shape, row, col); };
}

}  // namespace

std::function<bool(std::int64_t, std::int64_t)> forbidden(const Question& question, const Map& map) {
  Cells by_mask = masked(question, *map.field);
  Cells empty = emptyRows(question, map);
  if (!empty) return by_mask;
  if (!by_mask) return empty;
  return [by_mask = std::move(by_mask), empty = std::move(empty)](std::int64_t row, std::int64_t col) {
    return by_mask(row, col) || empty(row, col);
  };
}

bool hasNothingToAttendTo(const Map& map, std::int64_t row) {
  const float* values = map.field->stored();
  if (map.value.en != "weight" || !values) return false;
  const auto keys = static_cast<std::size_t>(map.field->cols());
  return std::ranges::all_of(std::span(values + row * map.field->cols(), keys), [](float w) { return w == 0; });
}

std::function<bool(std::int64_t row)> nothingToAttendTo(const Map& map) {
  std::vector<bool> empty;
  for (std::int64_t row = 0; row < map.field->rows(); ++row) empty.push_back(hasNothingToAttendTo(map, row));
  if (std::ranges::find(empty, true) == empty.end()) return {};
  return [empty = std::move(empty)](std::int64_t row) { return empty[static_cast<std::size_t>(row)]; };
}

}  // namespace posiscope::ui
