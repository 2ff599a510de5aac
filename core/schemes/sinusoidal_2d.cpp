// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base_range.h"
#include "core/grid.h"
#include "core/schemes/schemes.h"
#include "core/sinusoidal_axes.h"

#include <numbers>

namespace posiscope::schemes {
namespace {

enum class Variant {
  mae,
  moco_v3,
  big_vision,
  timm,
  timm_interleaved,
  timm_reversed,
  detr,
  detr_raw,
  deformable_detr,
  custom
};
enum class FirstAxis { y, x };
enum class TokenOrder { row_major, column_major };

/// Everything in which the published tables differ.
struct Layout {
  FirstAxis first_axis = FirstAxis::x;
  AxesColumns columns = AxesColumns::concatenated;
  SinusoidalFrequencies frequencies = SinusoidalFrequencies::paper;
  TokenOrder token_order = TokenOrder::row_major;
  double start = 0;   ///< number of the first row and column
  double offset = 0;  ///< added to all of them
  bool normalize = false;
};

struct GridParams {
  Variant variant = Variant::mae;
  double base = 10000;
  double scale = 1;  ///< multiplies the table
  std::int64_t prefix_tokens = 0;
  Array valid;  ///< (height, width), 0 = padding
  // What the variant `custom` is made of.
  FirstAxis first_axis = FirstAxis::x;
  AxesColumns columns = AxesColumns::concatenated;
  SinusoidalFrequencies frequencies = SinusoidalFrequencies::paper;
  TokenOrder token_order = TokenOrder::row_major;
  double start = 0;
  double offset = 0;
  bool normalize = false;
};

Layout layoutOf(const GridParams& p) {
  const auto paper = SinusoidalFrequencies::paper;
  const auto rows = TokenOrder::row_major;
  switch (p.variant) {
    case Variant::mae: return {};
    case Variant::moco_v3: return {.token_order = TokenOrder::column_major};
    case Variant::big_vision: return {.frequencies = SinusoidalFrequencies::endpoint};
    case Variant::timm: return {FirstAxis::y, AxesColumns::grouped};
    case Variant::timm_interleaved: return {FirstAxis::y, AxesColumns::concatenated};
    case Variant::timm_reversed: return {FirstAxis::x, AxesColumns::grouped, paper, TokenOrder::column_major};
    case Variant::detr: return {FirstAxis::y, AxesColumns::interleaved, paper, rows, 1, 0, true};
    case Variant::detr_raw: return {FirstAxis::y, AxesColumns::interleaved, paper, rows, 1, 0, false};
    case Variant::deformable_detr: return {FirstAxis::y, AxesColumns::interleaved, paper, rows, 1, -0.5, true};
    case Variant::custom: break;
  }
  return {p.first_axis, p.columns, p.frequencies, p.token_order, p.start, p.offset, p.normalize};
}

void addCustom(ParamTable<GridParams>& t) {
  using P = GridParams;
  t.choice(
       "first_axis", &P::first_axis, {{"y", {"row (y)", "行 (y)"}}, {"x", {"column (x)", "列 (x)"}}},
       {{"first block", "首个区块"}, {"The axis that fills the first half of the columns.", "占据前一半列的坐标轴。"}})
      .when("variant", {"custom"});
  t.choice("columns", &P::columns,
           {{"concatenated", {"sine and cosine blocks", "正弦块、余弦块"}},
            {"interleaved", {"interleaved", "交错"}},
            {"sin_then_cos", {"all sines, then all cosines", "先全部正弦，后全部余弦"}}},
           {{"columns", "列的排列"},
            {"The order of sines and cosines: inside each axis, or for both axes together.",
             "正弦和余弦的次序：在每个坐标轴之内，或两轴一起排列。"},
            "layout"})
      .when("variant", {"custom"});
  t.choice("frequencies", &P::frequencies, {{"paper", {"paper", "论文"}}, {"endpoint", {"endpoint", "端点"}}},
           {{"frequencies", "频率间隔"},
            {"b^(−i/q), or b^(−i/(q − 1)), which ends exactly at wavelength 2πb.",
             "b^(−i/q)，或 b^(−i/(q − 1))（最后一个波长恰为 2πb）。"}})
      .when("variant", {"custom"});
  t.choice("token_order", &P::token_order,
           {{"row_major", {"along the rows", "逐行"}}, {"column_major", {"down the columns", "逐列"}}},
           {{"token order", "词元次序"},
            {"How the patches are numbered; most models count along the rows.", "图块如何编号；多数模型逐行编号。"}})
      .when("variant", {"custom"});
  t.real("start", &P::start, {-1e6, 1e6, 0, 2, false},
         {{"start", "起始编号"}, {"The number of the first row and column.", "第一行和第一列的编号。"}, "pos_start"})
      .when("variant", {"custom"});
  t.real("offset", &P::offset, {-1e6, 1e6, -1, 1, false},
         {{"offset", "偏移"}, {"Added to every row and column number.", "加到每个行号和列号上的数。"}})
      .when("variant", {"custom"});
  t.boolean("normalize", &P::normalize,
            {{"normalised", "归一化"},
             {"Divides each coordinate by the size of its axis and stretches it to 2π.",
              "每个坐标除以该轴的长度，再拉伸到 2π。"}})
      .when("variant", {"custom"});
}

ParamTable<GridParams> gridTable() {
  using P = GridParams;
  ParamTable<P> t;
  t.choice("variant", &P::variant,
           {{"mae", {"MAE", "MAE"}},
            {"moco_v3", {"MoCo v3", "MoCo v3"}},
            {"big_vision", {"big_vision", "big_vision"}},
            {"timm", {"timm", "timm"}},
            {"timm_interleaved", {"timm, interleaved", "timm（交错）"}},
            {"timm_reversed", {"timm, reversed", "timm（坐标反转）"}},
            {"detr", {"DETR", "DETR"}},
            {"detr_raw", {"DETR, not normalised", "DETR（未归一化）"}},
            {"deformable_detr", {"Deformable DETR", "Deformable DETR"}},
            {"custom", {"custom", "自定义"}}},
           {{"variant", "形式"},
            {"Whose table; they differ in the order of axes and columns, in spacing and in where counting starts.",
             "采用哪家的表；它们在轴与列的次序、频率间隔和起始编号上不同。"}});
  t.real("base", &P::base, base_range,
         {{"base", "底数"}, {"Sets how slowly the last pair turns.", "决定最后一对转得有多慢。"}, "temperature"});
  t.real("scale", &P::scale, {0, 1000, 0.01, 4, true},
         {{"scale", "缩放"}, {"A number that multiplies the table.", "整张表乘以此数。"}});
  t.integer("prefix_tokens", &P::prefix_tokens, {0, 1024, 0, 8, false},
            {{"prefix tokens", "前缀词元数"},
             {"Tokens before the patches (class token, registers); their rows are zero.",
              "图块之前的词元（类别词元、寄存器词元），其行为零。"},
             "",
             "tokens"});
  t.array("valid", &P::valid,
          {{"valid pixels", "有效像素"},
           {"A (height, width) picture of 1 and 0; padding (0) is not counted, as DETR's masks do.",
            "由 1 和 0 组成的 (高, 宽) 图；填充处 (0) 不计数，与 DETR 的掩码相同。"}})
      .unset({"all pixels", "所有像素"});
  addCustom(t);
  return t;
}

/// How many pixels count up to and including each one, along the rows' numbers (y) or along the columns' (x), and how
/// many there are in its column or row.
struct Counts {
  std::vector<double> upto, all;
};

Counts countsAlong(const Array& valid, const Grid& grid, FirstAxis axis) {
  const std::int64_t lines = axis == FirstAxis::y ? grid.width : grid.height;
  const std::int64_t length = axis == FirstAxis::y ? grid.height : grid.width;
  Counts counts;
  counts.upto.resize(static_cast<std::size_t>(grid.patches()));
  counts.all.resize(counts.upto.size());
  for (std::int64_t line = 0; line < lines; ++line) {
    const auto patch = [&](std::int64_t step) {
      return static_cast<std::size_t>(axis == FirstAxis::y ? step * grid.width + line : line * grid.width + step);
    };
    double count = 0;
    for (std::int64_t step = 0; step < length; ++step) {
      count += valid.empty() || valid.data()[patch(step)] != 0 ? 1 : 0;
      counts.upto[patch(step)] = count;
    }
    for (std::int64_t step = 0; step < length; ++step) counts.all[patch(step)] = count;
  }
  return counts;
}

/// The coordinate of every token along one axis.
std::vector<double> coordinates(const Layout& layout, const Array& valid, const Grid& grid, FirstAxis axis) {
  constexpr double epsilon = 1e-6;  // DETR's, keeps an axis of padding at zero
  const Counts counts = countsAlong(valid, grid, axis);
  std::vector<double> result;
  for (std::int64_t t = 0; t < grid.patches(); ++t) {
    const bool by_column = layout.token_order == TokenOrder::column_major;
    const auto patch = static_cast<std::size_t>(by_column ? t % grid.height * grid.width + t / grid.height : t);
    const double number = counts.upto[patch] - 1 + layout.start + layout.offset;
    result.push_back(layout.normalize ? number / (counts.all[patch] + epsilon) * 2 * std::numbers::pi : number);
  }
  return result;
}

struct Sinusoidal2d {
  Outcome check(const GridParams& p, const Shape& shape) const {
    const Expected<Grid> grid = gridOf("sinusoidal_2d", shape, p.prefix_tokens);
    if (!grid) return fail(grid.error());
    if (shape.d_model % 4 != 0)
      return fail(
          ErrorCode::bad_shape,
          join("sinusoidal_2d: d_model must be a multiple of 4 (sine and cosine of two axes), got ", shape.d_model),
          join("sinusoidal_2d：d_model 必须是 4 的倍数（两个轴各有正弦和余弦），得到 ", shape.d_model));
    const std::vector<std::int64_t> picture{grid->height, grid->width};
    if (!p.valid.empty() && p.valid.shape != picture)
      return fail(
          ErrorCode::bad_shape,
          join("sinusoidal_2d: valid must have the grid's shape ", shapeText(picture), ", got ",
               shapeText(p.valid.shape)),
          join("sinusoidal_2d：valid 的形状必须与网格 ", shapeText(picture), " 相同，得到 ", shapeText(p.valid.shape)));
    return room<float>(shape);
  }

  template <class T>
  Expected<Encoding<T>> encode(const GridParams& p, const Shape& shape) const {
    if (Outcome ok = room<T>(shape); !ok) return fail(ok.error());
    const Grid grid = *gridOf("sinusoidal_2d", shape, p.prefix_tokens);
    const Layout layout = layoutOf(p);
    const FirstAxis second = layout.first_axis == FirstAxis::y ? FirstAxis::x : FirstAxis::y;
    Encoding<T> encoding;
    encoding.input.table = sinusoidalAxesTable<T>(
        {layout.columns, layout.frequencies, p.base},
        {coordinates(layout, p.valid, grid, layout.first_axis), coordinates(layout, p.valid, grid, second)},
        shape.d_model);
    std::vector<T>& values = encoding.input.table.values;
    for (T& value : values) value = static_cast<T>(static_cast<double>(value) * p.scale);
    values.insert(values.begin(), static_cast<std::size_t>(p.prefix_tokens * shape.d_model), T(0));
    encoding.input.table.rows = shape.keys();
    encoding.prefix_tokens = p.prefix_tokens;
    encoding.warnings = baseWarnings(p.base);
    encoding.logit_scale = rootScale(shape);
    encoding.offset_only = false;
    return encoding;
  }

  std::string substitution(const GridParams& p, const Shape& shape) const {
    const Expected<Grid> grid = gridOf("sinusoidal_2d", shape, p.prefix_tokens);
    if (!grid) return {};
    return join("b = ", screenNumber(p.base), ", ", grid->height, " × ", grid->width, ", q = ", shape.d_model / 4);
  }

 private:
  /// The table, and the waves in double: with a mask every patch may have a coordinate of its own.
  template <class T>
  static Outcome room(const Shape& shape) {
    return checkMemory(
        "sinusoidal_2d: the table",
        static_cast<double>(shape.keys()) * static_cast<double>(shape.d_model) * (sizeof(T) + sizeof(double)));
  }
};

}  // namespace

Scheme sinusoidal2d() {
  return makeScheme({.id = "sinusoidal_2d",
                     .name = {"Sinusoidal 2-D", "二维正弦位置编码"},
                     .family = Family::absolute,
                     .year = 2020,
                     .reference = "DETR, Carion et al. 2020, arXiv:2005.12872; MAE, He et al. 2021, arXiv:2111.06377",
                     .summary = {"Half of the columns are sines and cosines of the patch's row, half of its column.",
                                 "一半的列是图块行号的正弦和余弦，另一半是列号的正弦和余弦。"}},
                    gridTable(), Sinusoidal2d{});
}

}  // namespace posiscope::schemes
