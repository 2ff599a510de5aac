// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/decomposed_2d.h"

#include "core/dot.h"
#include "core/grid_offsets.h"
#include "core/pooled_queries.h"
#include "core/schemes/learned_weights.h"
#include "core/schemes/schemes.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

namespace posiscope::schemes {

std::int64_t decomposedRow(std::int64_t y, std::int64_t queries, std::int64_t z, std::int64_t keys) {
  if (keys >= queries) return y * keys / queries - z + keys - 1;
  return y + (keys - 1 - z) * queries / keys;
}

std::int64_t decomposedRows(std::int64_t queries, std::int64_t keys) { return 2 * std::max(queries, keys) - 1; }

namespace {

Grid askingGrid(const DecomposedParams& p, const Grid& keys) {
  return {p.query_height > 0 ? p.query_height : keys.height, p.query_width > 0 ? p.query_width : keys.width};
}

/// One axis's table as it is given, or drawn with `rows` rows.
Table<double> sourceTable(const DecomposedParams& p, const Array& given, const char* name, std::int64_t rows,
                          std::int64_t width) {
  // As wide as the scaled dot product of normal q and k, so that the terms can be seen.
  const Drawing drawing{p.seed, join("decomposed_2d/", name), 1.0 / std::sqrt(static_cast<double>(width))};
  const std::int64_t found = given.empty() ? rows : given.shape[0];
  return {found, width, weightsOf<double>(given, found * width, drawing)};
}

template <class T>
Table<T> axisTable(const DecomposedParams& p, const Array& given, const char* name, std::int64_t rows,
                   std::int64_t width) {
  const Table<double> sized = resizedRows(sourceTable(p, given, name, rows, width), rows);
  return {rows, width, std::vector<T>(sized.values.begin(), sized.values.end())};
}

}  // namespace

template <class T>
DecomposedAxes<T> decomposedAxes(const DecomposedParams& p, const Grid& keys, std::int64_t head_dim) {
  const Grid asking = askingGrid(p, keys);
  return {asking,
          keys,
          p.class_token ? 1 : 0,
          axisTable<T>(p, p.rel_h, "rel_h", decomposedRows(asking.height, keys.height), head_dim),
          axisTable<T>(p, p.rel_w, "rel_w", decomposedRows(asking.width, keys.width), head_dim),
          static_cast<T>(1.0 / std::sqrt(static_cast<double>(head_dim)))};
}

template <class T>
void fillDecomposed(const DecomposedAxes<T>& axes, Rows<T> q, Rows<T> k, std::array<bool, 3> wanted, std::int64_t i,
                    std::span<T> out) {
  const std::span<const T> query = q.row(i);
  for (std::int64_t j = 0; j < k.rows; ++j)
    out[static_cast<std::size_t>(j)] = wanted[0] ? axes.scale * dot(query, k.row(j)) : T(0);
  if (i < axes.prefix) return;
  // One number for each row and each column of the keys' grid.
  const std::int64_t token = i - axes.prefix;
  std::vector<T> rows, columns;
  for (std::int64_t z = 0; z < axes.keys.height && wanted[1]; ++z)
    rows.push_back(
        dot(query, axes.rel_h.row(decomposedRow(axes.asking.row(token), axes.asking.height, z, axes.keys.height))));
  for (std::int64_t z = 0; z < axes.keys.width && wanted[2]; ++z)
    columns.push_back(
        dot(query, axes.rel_w.row(decomposedRow(axes.asking.column(token), axes.asking.width, z, axes.keys.width))));
  for (std::int64_t j = axes.prefix; j < k.rows; ++j) {
    const std::int64_t key = j - axes.prefix;
    if (wanted[1]) out[static_cast<std::size_t>(j)] += rows[static_cast<std::size_t>(axes.keys.row(key))];
    if (wanted[2]) out[static_cast<std::size_t>(j)] += columns[static_cast<std::size_t>(axes.keys.column(key))];
  }
}

template DecomposedAxes<float> decomposedAxes(const DecomposedParams&, const Grid&, std::int64_t);
template DecomposedAxes<double> decomposedAxes(const DecomposedParams&, const Grid&, std::int64_t);
template void fillDecomposed(const DecomposedAxes<float>&, Rows<float>, Rows<float>, std::array<bool, 3>, std::int64_t,
                             std::span<float>);
template void fillDecomposed(const DecomposedAxes<double>&, Rows<double>, Rows<double>, std::array<bool, 3>,
                             std::int64_t, std::span<double>);

namespace {

ParamTable<DecomposedParams> decomposedTable() {
  using P = DecomposedParams;
  ParamTable<P> t;
  t.boolean("class_token", &P::class_token,
            {{"class token", "分类词元"},
             {"Token 0 of queries and keys is no patch and has no bias (MViTv2).",
              "查询和键的词元 0 不是图块，没有偏置（MViTv2）。"}});
  t.integer("query_height", &P::query_height, {0, 4096, 0, 64, false},
            {{"query height", "查询网格高度"},
             {"Rows of the queries' grid where pooling made it another; 0 means the keys'.",
              "池化使查询网格不同于键时，查询网格的行数；0 表示与键相同。"},
             "",
             "patches"})
      .unset({"the keys'", "与键相同"});
  t.integer("query_width", &P::query_width, {0, 4096, 0, 64, false},
            {{"query width", "查询网格宽度"},
             {"Columns of the queries' grid where pooling made it another; 0 means the keys'.",
              "池化使查询网格不同于键时，查询网格的列数；0 表示与键相同。"},
             "",
             "patches"})
      .unset({"the keys'", "与键相同"});
  t.array("rel_h", &P::rel_h,
          {{"row table", "行表"},
           {"R_h of shape (rows, head_dim); another number of rows is resized linearly.",
            "R_h，形状 (行数, head_dim)；行数不同时按线性插值缩放。"},
           "rel_pos_h"});
  t.array("rel_w", &P::rel_w,
          {{"column table", "列表"},
           {"R_w of shape (rows, head_dim); another number of rows is resized linearly.",
            "R_w，形状 (行数, head_dim)；行数不同时按线性插值缩放。"},
           "rel_pos_w"});
  addSeed(t);
  return t;
}

struct Decomposed {
  Outcome check(const DecomposedParams& p, const Shape& shape) const {
    const Expected<Grid> keys = gridOf("decomposed_2d", shape, p.class_token ? 1 : 0);
    if (!keys) return fail(keys.error());
    const Grid asking = askingGrid(p, *keys);
    const std::int64_t queries = asking.patches() + (p.class_token ? 1 : 0);
    if (shape.queries() != queries)
      return fail(ErrorCode::bad_shape,
                  join("decomposed_2d: seq_len_q must be the ", queries, " tokens of the queries' grid ", asking.height,
                       " × ", asking.width, ", got ", shape.queries()),
                  join("decomposed_2d：seq_len_q 必须等于查询网格 ", asking.height, " × ", asking.width, " 的词元数 ",
                       queries, "，得到 ", shape.queries()));
    for (const auto& [key, table] : {std::pair{"rel_h", &p.rel_h}, std::pair{"rel_w", &p.rel_w}})
      if (!table->empty() && (table->rank() != 2 || table->shape[1] != shape.head_dim))
        return fail(ErrorCode::bad_shape,
                    join("decomposed_2d: ", key, " must have shape (rows, head_dim ", shape.head_dim, "), got ",
                         shapeText(table->shape)),
                    join("decomposed_2d：", key, " 的形状必须是（行数, head_dim ", shape.head_dim, "），得到 ",
                         shapeText(table->shape)));
    const auto rows =
        static_cast<double>(decomposedRows(asking.height, keys->height) + decomposedRows(asking.width, keys->width));
    return checkMemory("decomposed_2d: the tables", rows * static_cast<double>(shape.head_dim) * sizeof(double));
  }

  template <class T>
  Expected<Encoding<T>> encode(const DecomposedParams& p, const Shape& shape) const {
    const Expected<Grid> keys = gridOf("decomposed_2d", shape, p.class_token ? 1 : 0);
    if (!keys) return fail(keys.error());
    Encoding<T> encoding;
    encoding.logit_scale = rootScale(shape);
    const auto axes = std::make_shared<const DecomposedAxes<T>>(decomposedAxes<T>(p, *keys, shape.head_dim));
    encoding.logits.score.prepare = [axes](const HeadContent<T>& head) {
      return typename OwnScore<T>::RowScore([axes, head](std::int64_t i, std::span<T> logits) {
        fillDecomposed(*axes, head.q, head.k, {true, true, true}, i, logits);
      });
    };
    encoding.logits.terms = {
        {{"q·k, content", "q·k，内容"}, {"q·R_h, row", "q·R_h，行"}, {"q·R_w, column", "q·R_w，列"}},
        [axes](const HeadContent<T>& head) {
          return typename ScoreTerms<T>::Fill([axes, head](std::size_t term, std::int64_t i, std::span<T> row) {
            fillDecomposed(*axes, head.q, head.k, {term == 0, term == 1, term == 2}, i, row);
          });
        }};
    encoding.offset_only = false;  // of the two-dimensional offset, not of i − j
    encoding.prefix_tokens = axes->prefix;
    if (!(axes->asking == *keys)) encoding.facts = pooledFacts(axes->asking, 0);
    encoding.logits.patch_bias = patchBias<T>(p, *keys, shape.head_dim);
    return encoding;
  }

  SchemeCost cost(const DecomposedParams& p, const Shape& shape) const {
    const Expected<Grid> keys = gridOf("decomposed_2d", shape, p.class_token ? 1 : 0);
    if (!keys) return {};
    const Grid asking = askingGrid(p, *keys);
    const auto rows = [](const Array& given, std::int64_t needed) { return given.empty() ? needed : given.shape[0]; };
    // A number for each row and each column of the grid, then two additions for each patch.
    return {.learned = (rows(p.rel_h, decomposedRows(asking.height, keys->height)) +
                        rows(p.rel_w, decomposedRows(asking.width, keys->width))) *
                       shape.head_dim,
            .per_token = shape.num_heads * shape.head_dim * (keys->height + keys->width),
            .per_pair = 2 * shape.num_heads};
  }

  std::string substitution(const DecomposedParams& p, const Shape& shape) const {
    const Expected<Grid> keys = gridOf("decomposed_2d", shape, p.class_token ? 1 : 0);
    if (!keys) return {};
    const Grid asking = askingGrid(p, *keys);
    return join("R_h: ", decomposedRows(asking.height, keys->height), " × ", shape.head_dim,
                ", R_w: ", decomposedRows(asking.width, keys->width), " × ", shape.head_dim);
  }

 private:
  /// The bias that a query of ones gets: one number for each row of each table, and their sums as the picture.
  template <class T>
  static PatchBias<T> patchBias(const DecomposedParams& p, const Grid& keys, std::int64_t head_dim) {
    const Grid asking = askingGrid(p, keys);
    const auto sums = [](const Table<double>& table) {
      std::vector<double> result;
      for (std::int64_t r = 0; r < table.rows; ++r) {
        const std::span<const double> row = table.row(r);
        result.push_back(std::accumulate(row.begin(), row.end(), 0.0));
      }
      return result;
    };
    const std::int64_t own_rows = decomposedRows(asking.height, keys.height);
    const std::int64_t own_cols = decomposedRows(asking.width, keys.width);
    const Grid own{(own_rows + 1) / 2, (own_cols + 1) / 2};
    const Grid trained{p.rel_h.empty() ? own.height : (p.rel_h.shape[0] + 1) / 2,
                       p.rel_w.empty() ? own.width : (p.rel_w.shape[0] + 1) / 2};
    const Text rule{"The query decides; this is what a query of ones gets. Each axis is resized linearly.",
                    "偏置由查询决定；此处为全 1 查询得到的偏置。每个轴按线性插值缩放。"};
    return {trained, own, rule, [p, own_rows, own_cols, head_dim, sums](const Grid& grid) {
              const std::int64_t rows = 2 * grid.height - 1;
              const std::int64_t cols = 2 * grid.width - 1;
              const auto down = sums(resizedRows(sourceTable(p, p.rel_h, "rel_h", own_rows, head_dim), rows));
              const auto across = sums(resizedRows(sourceTable(p, p.rel_w, "rel_w", own_cols, head_dim), cols));
              OffsetPicture<T> picture{rows, cols, 1 - grid.height, 1 - grid.width, makeTable<T>(rows * cols, 1)};
              for (std::int64_t cell = 0; cell < rows * cols; ++cell)
                picture.values.values[static_cast<std::size_t>(cell)] = static_cast<T>(
                    down[static_cast<std::size_t>(cell / cols)] + across[static_cast<std::size_t>(cell % cols)]);
              return picture;
            }};
  }
};

}  // namespace

Scheme decomposed2d() {
  return makeScheme({.id = "decomposed_2d",
                     .name = {"Decomposed 2-D bias", "分解式二维偏置"},
                     .family = Family::bias,
                     .year = 2021,
                     .reference = "Li et al. 2021 (MViTv2), arXiv:2112.01526; SAM, ViTDet",
                     .summary = {"The query meets one learned vector of the row offset and one of the column offset.",
                                 "查询分别与行偏移和列偏移的可学习向量相乘。"}},
                    decomposedTable(), Decomposed{});
}

}  // namespace posiscope::schemes
