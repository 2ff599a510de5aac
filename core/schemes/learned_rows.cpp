// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/resample.h"
#include "core/schemes/base_table.h"
#include "core/schemes/learned.h"

#include <algorithm>

namespace posiscope::schemes {
namespace {

using P = LearnedParams;

/// Rows that belong to positions.
std::int64_t usableRows(const P& p) {
  return (p.table.empty() ? p.max_positions : p.table.shape[0]) - p.position_offset;
}

/// The grid of the table's patches. Errors: bad_shape.
Expected<Grid> trainedGrid(const P& p) {
  Shape shape;
  shape.seq_len = usableRows(p);
  shape.grid_height = p.table_height;
  shape.grid_width = p.table_width;
  const Expected<Grid> grid = gridOf("learned", shape, p.prefix_tokens);
  const bool given = p.table_height > 0 || p.table_width > 0;
  if (grid && (given || grid->height == grid->width)) return grid;
  const std::int64_t patches = usableRows(p) - p.prefix_tokens;
  if (!given)
    return fail(ErrorCode::bad_shape,
                join("learned: a table of ", patches, " patches is not square; give table_height and table_width"),
                join("learned：", patches, " 个图块的表不是正方形；请给出 table_height 和 table_width"));
  return fail(ErrorCode::bad_shape,
              join("learned: table_height × table_width = ", p.table_height, " × ", p.table_width,
                   " must make up the table's ", patches, " patches"),
              join("learned：table_height × table_width = ", p.table_height, " × ", p.table_width, " 必须等于表中的 ",
                   patches, " 个图块"));
}

Outcome checkResampling(const P& p, const Shape& shape) {
  if (p.antialias && p.align_corners)
    return fail(ErrorCode::bad_value, "learned: antialias needs half-pixel centres, align_corners must be off",
                "learned：antialias 以半像素为中心，必须关闭 align_corners");
  const std::int64_t fewest = std::min(usableRows(p), shape.keys());
  if (fewest <= p.prefix_tokens)
    return fail(ErrorCode::bad_shape,
                join("learned: resampling needs a row beside the ", p.prefix_tokens, " prefix tokens, got ", fewest),
                join("learned：除 ", p.prefix_tokens, " 个前缀词元外，重采样至少需要一行，得到 ", fewest));
  if (p.resample_along == LearnedAlong::sequence) return {};
  if (const Expected<Grid> from = trainedGrid(p); !from) return fail(from.error());
  if (const Expected<Grid> to = gridOf("learned", shape, p.prefix_tokens); !to) return fail(to.error());
  return {};
}

Table<double> resampled(const P& p, const Shape& shape, Rows<double> patches) {
  const Resampling rule{p.resample == LearnedResample::cubic ? Interpolation::cubic : Interpolation::linear,
                        p.antialias, p.align_corners};
  if (p.resample_along == LearnedAlong::sequence) return resampleRows(rule, patches, shape.keys() - p.prefix_tokens);
  return resampleGrid(rule, patches, *trainedGrid(p), *gridOf("learned", shape, p.prefix_tokens));
}

}  // namespace

Draw drawOf(const P& p) {
  switch (p.initial) {
    case LearnedInitial::truncated_normal: return Draw::truncated_normal;
    case LearnedInitial::truncated_absolute: return Draw::truncated_absolute;
    case LearnedInitial::truncated_rescaled: return Draw::truncated_rescaled;
    case LearnedInitial::normal:
    case LearnedInitial::file: break;
  }
  return Draw::normal;
}

Outcome checkLearnedRows(const P& p, const Shape& shape) {
  if (usableRows(p) < 1)
    return fail(ErrorCode::past_table,
                join("learned: position_offset ", p.position_offset, " leaves no row of a table of ",
                     usableRows(p) + p.position_offset),
                join("learned：position_offset ", p.position_offset, " 使 ", usableRows(p) + p.position_offset,
                     " 行的表没有可用的行"));
  const bool stretched = p.resample != LearnedResample::none;
  if (stretched)
    if (Outcome ok = checkResampling(p, shape); !ok) return ok;
  const std::int64_t rows = stretched ? shape.keys() : usableRows(p);
  return checkTableRows("learned", shape, rows);
}

template <class T>
Table<T> learnedRows(const P& p, const Shape& shape) {
  const std::int64_t width = shape.d_model;
  const bool stretched = p.resample != LearnedResample::none;
  const std::int64_t first = p.position_offset + static_cast<std::int64_t>(shape.first_position);
  const std::int64_t needed = stretched ? p.position_offset + usableRows(p) : first + shape.keys();
  const std::vector<double> drawn =
      p.table.empty() ? drawnTable(p.seed, drawOf(p), p.std, needed * width, p.cut) : std::vector<double>{};
  const double* source = (p.table.empty() ? drawn.data() : p.table.data()) + first * width;
  Table<T> table = makeTable<T>(shape.keys(), width);
  const auto copy = [&](const double* from, std::int64_t rows, std::int64_t to) {
    std::transform(from, from + rows * width, table.values.begin() + to * width,
                   [](double v) { return static_cast<T>(v); });
  };
  if (!stretched) {
    copy(source, shape.keys(), 0);
    return table;
  }
  copy(source, p.prefix_tokens, 0);
  const Rows<double> patches{source + p.prefix_tokens * width, usableRows(p) - p.prefix_tokens, width};
  copy(resampled(p, shape, patches).values.data(), shape.keys() - p.prefix_tokens, p.prefix_tokens);
  return table;
}

template Table<float> learnedRows(const P&, const Shape&);
template Table<double> learnedRows(const P&, const Shape&);

}  // namespace posiscope::schemes
