// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/grid.h"
#include "core/schemes/learned_weights.h"
#include "core/schemes/schemes.h"

#include <algorithm>
#include <functional>

namespace posiscope::schemes {
namespace {

enum class Join { concatenated, added };
enum class Order { column_first, row_first };
enum class Initial { uniform, normal };

struct Learned2dParams {
  Join mode = Join::concatenated;
  Order order = Order::column_first;
  std::int64_t max_side = 50;
  Initial initial = Initial::uniform;
  double std = 0.02;
  std::int64_t seed = 1;
  Array row_table, column_table;  ///< (positions, d_model / 2), or (positions, d_model) when added
};

ParamTable<Learned2dParams> learned2dTable() {
  using P = Learned2dParams;
  ParamTable<P> t;
  t.choice("mode", &P::mode, {{"concatenated", {"concatenated", "拼接"}}, {"added", {"added", "相加"}}},
           {{"together", "组合方式"},
            {"The vectors of row and column stand side by side, or are summed.", "行向量与列向量并排，或者相加。"}});
  t.choice(
       "order", &P::order, {{"column_first", {"column first", "列在前"}}, {"row_first", {"row first", "行在前"}}},
       {{"order", "次序"},
        {"Which vector fills the first half; DETR puts the column first.", "哪个向量占前一半；DETR 将列放在前面。"}})
      .when("mode", {"concatenated"});
  t.integer("max_side", &P::max_side, {1, 1 << 16, 1, 128, true},
            {{"table rows", "表的行数"},
             {"Rows of each drawn table; a larger picture is an error.", "每张抽取的表的行数；更大的图像即为错误。"},
             "",
             "patches"});
  t.choice("initial", &P::initial,
           {{"uniform", {"uniform, 0 to 1", "0 到 1 的均匀分布"}}, {"normal", {"normal", "正态"}}},
           {{"initial values", "初始值"},
            {"How the tables are drawn; DETR draws them uniformly.", "位置表如何抽取；DETR 采用均匀分布。"}});
  t.real("std", &P::std, {0, 100, 0.001, 1, true},
         {{"std", "标准差"}, {"Spread of normal values.", "正态值的标准差。"}})
      .when("initial", {"normal"});
  t.array("row_table", &P::row_table,
          {{"row table", "行表"},
           {"Trained vectors of the rows, positions × d_model/2 (× d_model when added).",
            "训练好的行向量，位置数 × d_model/2（相加时为 × d_model）。"},
           "row_embed"});
  t.array("column_table", &P::column_table,
          {{"column table", "列表"},
           {"Trained vectors of the columns, positions × d_model/2 (× d_model when added).",
            "训练好的列向量，位置数 × d_model/2（相加时为 × d_model）。"},
           "col_embed"});
  addSeed(t);
  return t;
}

std::int64_t widthOf(const Learned2dParams& p, const Shape& shape) {
  return p.mode == Join::added ? shape.d_model : shape.d_model / 2;
}

/// The side must be inside its table. Errors: bad_shape, past_table.
Outcome checkSide(const Learned2dParams& p, const Shape& shape, const Array& table, std::string_view key,
                  std::int64_t side) {
  const std::int64_t width = widthOf(p, shape);
  if (!table.empty() && (table.rank() != 2 || table.shape[1] != width))
    return fail(ErrorCode::bad_shape,
                join("learned_2d: ", key, " must be (positions, ", width, "), got ", shapeText(table.shape)),
                join("learned_2d：", key, " 的形状必须是（位置数, ", width, "），得到 ", shapeText(table.shape)));
  const std::int64_t rows = table.empty() ? p.max_side : table.shape[0];
  if (side <= rows) return {};
  return fail(ErrorCode::past_table, join("learned_2d: ", key, " has ", rows, " rows, the grid needs ", side),
              join("learned_2d：", key, " 只有 ", rows, " 行，网格需要 ", side, " 行"));
}

template <class T>
std::vector<T> vectorsOf(const Learned2dParams& p, const Array& given, const char* name, std::int64_t count) {
  if (!given.empty() || p.initial == Initial::normal)
    return weightsOf<T>(given, count, {p.seed, join("learned_2d/", name), p.std});
  const Stream stream(static_cast<std::uint64_t>(p.seed), join("learned_2d/", name));
  std::vector<T> values(static_cast<std::size_t>(count));
  for (std::size_t e = 0; e < values.size(); ++e) values[e] = static_cast<T>(stream.unit(e, 0));
  return values;
}

struct Learned2d {
  Outcome check(const Learned2dParams& p, const Shape& shape) const {
    const Expected<Grid> grid = gridOf("learned_2d", shape);
    if (!grid) return fail(grid.error());
    if (p.mode == Join::concatenated && shape.d_model % 2 != 0)
      return fail(
          ErrorCode::bad_shape,
          join("learned_2d: d_model must be even, half for the row and half for the column, got ", shape.d_model),
          join("learned_2d：d_model 必须为偶数，行、列各占一半，得到 ", shape.d_model));
    if (Outcome ok = checkSide(p, shape, p.row_table, "row_table", grid->height); !ok) return ok;
    if (Outcome ok = checkSide(p, shape, p.column_table, "column_table", grid->width); !ok) return ok;
    return room<float>(shape);
  }

  template <class T>
  Expected<Encoding<T>> encode(const Learned2dParams& p, const Shape& shape) const {
    if (Outcome ok = room<T>(shape); !ok) return fail(ok.error());
    const Grid grid = *gridOf("learned_2d", shape);
    const std::int64_t width = widthOf(p, shape);
    const std::vector<T> rows = vectorsOf<T>(p, p.row_table, "row_table", grid.height * width);
    const std::vector<T> columns = vectorsOf<T>(p, p.column_table, "column_table", grid.width * width);
    const bool row_first = p.order == Order::row_first;
    Encoding<T> encoding;
    encoding.input.table = makeTable<T>(shape.keys(), shape.d_model);
    for (std::int64_t t = 0; t < shape.keys(); ++t) {
      const T* row = rows.data() + grid.row(t) * width;
      const T* column = columns.data() + grid.column(t) * width;
      T* out = encoding.input.table.row(t).data();
      if (p.mode == Join::added) {
        std::transform(row, row + width, column, out, std::plus<>());
        continue;
      }
      std::copy_n(row_first ? row : column, width, out);
      std::copy_n(row_first ? column : row, width, out + width);
    }
    encoding.logit_scale = rootScale(shape);
    encoding.offset_only = false;
    return encoding;
  }

  SchemeCost cost(const Learned2dParams& p, const Shape& shape) const {
    const auto rows = [&p](const Array& table) { return table.empty() ? p.max_side : table.shape[0]; };
    return {.learned = (rows(p.row_table) + rows(p.column_table)) * widthOf(p, shape)};
  }

  std::string substitution(const Learned2dParams& p, const Shape& shape) const {
    const Expected<Grid> grid = gridOf("learned_2d", shape);
    if (!grid) return {};
    return join("(", grid->height, " + ", grid->width, ") × ", widthOf(p, shape));
  }

 private:
  template <class T>
  static Outcome room(const Shape& shape) {
    return checkMemory("learned_2d: the table",
                       static_cast<double>(shape.keys()) * static_cast<double>(shape.d_model) * sizeof(T));
  }
};

}  // namespace

Scheme learned2d() {
  return makeScheme({.id = "learned_2d",
                     .name = {"Learned 2-D", "二维可学习位置编码"},
                     .family = Family::absolute,
                     .year = 2020,
                     .reference = "DETR, Carion et al. 2020, arXiv:2005.12872",
                     .summary = {"One trained vector for each row and one for each column of a picture, side by side "
                                 "or summed.",
                                 "图像的每一行、每一列各有一个训练得到的向量，并排或相加。"}},
                    learned2dTable(), Learned2d{});
}

}  // namespace posiscope::schemes
