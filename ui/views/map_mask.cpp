// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/map_mask.h"

#include <utility>

namespace posiscope::ui {

std::function<bool(std::int64_t, std::int64_t)> forbidden(const Question& question, const Field& field) {
  Mask mask = question.mask;
  Shape shape = question.shape;
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

}  // namespace posiscope::ui
