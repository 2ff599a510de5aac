// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/offset_table.h"

namespace posiscope::schemes {

Outcome checkOffsetBias(std::string_view owner, const Shape& shape, std::size_t value_bytes) {
  const double offsets = 2.0 * static_cast<double>(shape.keys()) - 1.0;
  return checkMemory(join(owner, ": the bias"),
                     offsets * static_cast<double>(shape.num_heads) * static_cast<double>(value_bytes));
}

Outcome OffsetTable::check(std::string_view owner, const Shape& shape, std::size_t value_bytes) const {
  const std::vector<std::int64_t> wanted{rows, shape.num_heads};
  if (!params.table.empty() && params.table.shape != wanted)
    return fail(
        ErrorCode::bad_shape,
        join(owner, ": the table must be ", shapeText(wanted), " (rows, num_heads), got ", shapeText(params.table.shape)),
        join(owner, "：偏置表的形状必须是 ", shapeText(wanted), "（行数, num_heads），得到 ", shapeText(params.table.shape)));
  const double drawn = static_cast<double>(rows) * static_cast<double>(shape.num_heads) * sizeof(double);
  if (Outcome ok = checkMemory(join(owner, ": the table"), drawn); !ok) return ok;
  return checkOffsetBias(owner, shape, value_bytes);
}

template <class T>
OffsetBias<T> OffsetTable::bias(const Shape& shape, std::function<std::int64_t(std::int64_t)> row,
                                std::function<std::string(std::int64_t)> row_text) const {
  const std::int64_t heads = shape.num_heads;
  const std::vector<double> drawn =
      params.table.empty() ? drawnTable(params.seed, Draw::normal, params.std, rows * heads) : std::vector<double>{};
  const double* table = params.table.empty() ? drawn.data() : params.table.data();
  OffsetBias<T> bias;
  bias.heads = heads;
  bias.max_offset = shape.keys() - 1;
  const std::int64_t offsets = 2 * bias.max_offset + 1;
  bias.values.resize(static_cast<std::size_t>(heads * offsets));
  for (std::int64_t n = -bias.max_offset; n <= bias.max_offset; ++n) {
    const double* found = table + row(n) * heads;
    for (std::int64_t h = 0; h < heads; ++h)
      bias.values[static_cast<std::size_t>(h * offsets + n + bias.max_offset)] = static_cast<T>(found[h]);
  }
  bias.term = [row, row_text = std::move(row_text)](std::int64_t head, std::int64_t n) {
    return join("b[", row(n), ", ", head, "], ", row(n), " = ", row_text(n));
  };
  return bias;
}

template OffsetBias<float> OffsetTable::bias(const Shape&, std::function<std::int64_t(std::int64_t)>,
                                             std::function<std::string(std::int64_t)>) const;
template OffsetBias<double> OffsetTable::bias(const Shape&, std::function<std::int64_t(std::int64_t)>,
                                              std::function<std::string(std::int64_t)>) const;

}  // namespace posiscope::schemes
