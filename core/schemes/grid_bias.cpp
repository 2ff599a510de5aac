// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/grid_bias.h"

#include "core/grid_offsets.h"
#include "core/pooled_queries.h"
#include "core/resample.h"
#include "core/schemes/learned_weights.h"
#include "core/schemes/schemes.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <memory>

namespace posiscope::schemes {

std::int64_t GridBiasIndex::rows() const {
  if (kind_ == GridBiasKind::levit) return grid_.patches();
  return offsetRows(grid_) + (with_class_ ? 3 : 0);
}

std::int64_t GridBiasIndex::row(std::int64_t i, std::int64_t j) const {
  if (kind_ == GridBiasKind::levit) {
    const std::int64_t dy = asking_.row(i) * stride_ - grid_.row(j);
    const std::int64_t dx = asking_.column(i) * stride_ - grid_.column(j);
    return std::abs(dy) * grid_.width + std::abs(dx);
  }
  if (kind_ == GridBiasKind::maxvit) return offsetRow(grid_, j, i);
  if (!with_class_) return offsetRow(grid_, i, j);
  const std::int64_t offsets = offsetRows(grid_);
  if (i == 0) return j == 0 ? offsets + 2 : offsets;
  return j == 0 ? offsets + 1 : offsetRow(grid_, i - 1, j - 1);
}

namespace {

ParamTable<GridBiasParams> gridBiasTable() {
  using P = GridBiasParams;
  ParamTable<P> t;
  t.choice(
      "kind", &P::kind,
      {{"beit", {"BEiT", "BEiT"}}, {"maxvit", {"MaxViT", "MaxViT"}}, {"levit", {"LeViT, TinyViT", "LeViT、TinyViT"}}},
      {{"kind", "种类"},
       {"Query minus key, key minus query, or distances without a sign.", "查询减键、键减查询，或不带符号的距离。"}});
  t.boolean("class_token", &P::class_token,
            {{"class token", "分类词元"},
             {"Token 0 is no patch; its three relations have rows of their own.",
              "词元 0 不是图块；与它有关的三种关系各占一行。"}})
      .when("kind", {"beit"});
  t.integer("stride", &P::stride, {1, 64, 1, 4, false},
            {{"stride", "步长"},
             {"LeViT's down-sampling: queries stand at every stride-th row and column.",
              "LeViT 的下采样：查询取每隔若干行和列的图块。"}})
      .when("kind", {"levit"});
  t.integer("source_height", &P::source_height, {0, 4096, 0, 64, false},
            {{"trained height", "训练网格高度"},
             {"Grid height the table was trained on, when it is resized; 0 means the present one.",
              "缩放偏置表时，训练所用网格的高度；0 表示与当前相同。"},
             "",
             "patches"})
      .unset({"present", "当前"});
  t.integer("source_width", &P::source_width, {0, 4096, 0, 64, false},
            {{"trained width", "训练网格宽度"},
             {"Grid width the table was trained on, when it is resized; 0 means the present one.",
              "缩放偏置表时，训练所用网格的宽度；0 表示与当前相同。"},
             "",
             "patches"})
      .unset({"present", "当前"});
  t.real("std", &P::std, {0, 100, 0.01, 4, true},
         {{"std", "标准差"}, {"Spread of a table that is drawn.", "随机抽取的偏置表的标准差。"}});
  t.array("table", &P::table,
          {{"table", "偏置表"},
           {"A trained table, rows × num_heads, or MaxViT's (num_heads, 2h − 1, 2w − 1); resized bicubically from the "
            "trained grid.",
            "训练好的表，行数 × num_heads，或 MaxViT 的 (num_heads, 2h − 1, 2w − 1)；按训练网格以双三次插值缩放。"},
           "relative_position_bias_table"});
  addSeed(t);
  return t;
}

/// How timm reads LeViT's distances on another grid.
constexpr Resampling levit_resampling{Interpolation::cubic, true};

/// The grid the table belongs to before it is resized.
Grid sourceGrid(const GridBiasParams& p, const Grid& grid) {
  return {p.source_height > 0 ? p.source_height : grid.height, p.source_width > 0 ? p.source_width : grid.width};
}

struct GridBias {
  Outcome check(const GridBiasParams& p, const Shape& shape) const {
    const Expected<Grid> grid = gridOf("grid_bias", shape, p.withClass() ? 1 : 0);
    if (!grid) return fail(grid.error());
    const GridBiasIndex index(p, *grid);
    if (shape.queries() != index.queries())
      return fail(ErrorCode::bad_shape,
                  join("grid_bias: seq_len_q must be the ", index.queries(), " tokens that ask, got ", shape.queries()),
                  join("grid_bias：seq_len_q 必须等于提问的词元数 ", index.queries(), "，得到 ", shape.queries()));
    const Grid source = sourceGrid(p, *grid);
    const std::int64_t rows = GridBiasIndex(p, source).rows();
    const std::vector<std::int64_t> by_head{shape.num_heads, 2 * source.height - 1, 2 * source.width - 1};
    if (!isByHead(p) || p.table.shape != by_head)
      if (Outcome ok = checkWeights("grid_bias", "table", p.table, {rows, shape.num_heads}); !ok) return ok;
    const auto largest = static_cast<double>(std::max(rows, index.rows()));
    return checkMemory("grid_bias: the table", largest * static_cast<double>(shape.num_heads) * sizeof(double));
  }

  template <class T>
  Expected<Encoding<T>> encode(const GridBiasParams& p, const Shape& shape) const {
    const Expected<Grid> grid = gridOf("grid_bias", shape, p.withClass() ? 1 : 0);
    if (!grid) return fail(grid.error());
    const GridBiasIndex index(p, *grid);
    const auto table = std::make_shared<const Table<double>>(tableFor(p, *grid, shape.num_heads));
    Encoding<T> encoding;
    encoding.logits.bias = PairBias<T>{[index, table](std::int64_t head, std::int64_t i, std::span<T> row) {
      for (std::int64_t j = 0; j < static_cast<std::int64_t>(row.size()); ++j)
        row[static_cast<std::size_t>(j)] = static_cast<T>(table->row(index.row(i, j))[static_cast<std::size_t>(head)]);
    }};
    encoding.logits.lookup = {index.rows(), [index](std::int64_t i, std::int64_t j) { return index.row(i, j); }};
    encoding.logit_scale = rootScale(shape);
    encoding.offset_only = false;  // of the two-dimensional offset, not of i − j
    encoding.facts = {{"table_rows", static_cast<double>(index.rows())}};
    encoding.prefix_tokens = p.withClass() ? 1 : 0;
    if (!(index.asking() == *grid))
      std::ranges::copy(pooledFacts(index.asking(), p.stride), std::back_inserter(encoding.facts));
    encoding.logits.patch_bias = patchBias<T>(p, *grid, shape.num_heads);
    return encoding;
  }

  SchemeCost cost(const GridBiasParams& p, const Shape& shape) const {
    const Expected<Grid> grid = gridOf("grid_bias", shape, p.withClass() ? 1 : 0);
    return {.learned = grid ? GridBiasIndex(p, sourceGrid(p, *grid)).rows() * shape.num_heads : 0};
  }

  std::string substitution(const GridBiasParams& p, const Shape& shape) const {
    const Expected<Grid> grid = gridOf("grid_bias", shape, p.withClass() ? 1 : 0);
    if (!grid) return {};
    return join(grid->height, " × ", grid->width, ", B: ", GridBiasIndex(p, *grid).rows(), " × ", shape.num_heads);
  }

 private:
  /// MaxViT's own weights are a picture of the offsets for each head, (num_heads, 2h − 1, 2w − 1).
  static bool isByHead(const GridBiasParams& p) { return p.kind == GridBiasKind::maxvit && p.table.shape.size() == 3; }

  /// The table of the present grid: given or drawn for the trained one, then resized.
  static Table<double> tableFor(const GridBiasParams& p, const Grid& grid, std::int64_t heads) {
    const Grid source = sourceGrid(p, grid);
    const std::int64_t rows = GridBiasIndex(p, source).rows();
    Table<double> table{rows, heads, weightsOf<double>(p.table, rows * heads, {p.seed, "grid_bias/table", p.std})};
    if (isByHead(p)) {
      const std::vector<double> given = table.values;
      for (std::int64_t h = 0; h < heads; ++h)
        for (std::int64_t r = 0; r < rows; ++r)
          table.row(r)[static_cast<std::size_t>(h)] = given[static_cast<std::size_t>(h * rows + r)];
    }
    if (source == grid) return table;
    // LeViT has no picture of all offsets, only their distances.
    if (p.kind == GridBiasKind::levit) return resampleGrid(levit_resampling, rowsOf(table), source, grid);
    return resizedOffsets(table, 2 * source.height - 1, 2 * source.width - 1, 2 * grid.height - 1, 2 * grid.width - 1);
  }

  template <class T>
  static PatchBias<T> patchBias(const GridBiasParams& p, const Grid& present, std::int64_t heads) {
    PatchBias<T> bias;
    bias.present = present;
    bias.trained = sourceGrid(p, present);
    bias.rule = p.kind == GridBiasKind::levit
                    ? Text{"Only distances count; another grid reads them resized bicubically, with antialiasing.",
                           "只看距离；其他网格读取按抗锯齿的双三次插值缩放的表。"}
                    : Text{"Another grid reads the table resized bicubically.", "其他网格读取按双三次插值缩放的表。"};
    // Drawn for the trained grid, also where the present one is another.
    GridBiasParams own = p;
    own.source_height = bias.trained.height;
    own.source_width = bias.trained.width;
    bias.picture = [own, heads](const Grid& grid) { return pictureOf<T>(own, tableFor(own, grid, heads), grid); };
    return bias;
  }

  /// The rows of a table in the order of Δ = query − key, without those of the class token.
  template <class T>
  static OffsetPicture<T> pictureOf(const GridBiasParams& p, const Table<double>& table, const Grid& grid) {
    const bool distances = p.kind == GridBiasKind::levit;
    OffsetPicture<T> picture;
    picture.rows = distances ? grid.height : 2 * grid.height - 1;
    picture.cols = distances ? grid.width : 2 * grid.width - 1;
    picture.first_row = distances ? 0 : 1 - grid.height;
    picture.first_col = distances ? 0 : 1 - grid.width;
    const std::int64_t cells = picture.rows * picture.cols;
    picture.values = makeTable<T>(cells, table.cols);
    for (std::int64_t cell = 0; cell < cells; ++cell)
      std::ranges::transform(table.row(p.kind == GridBiasKind::maxvit ? cells - 1 - cell : cell),
                             picture.values.row(cell).begin(), [](double value) { return static_cast<T>(value); });
    return picture;
  }
};

}  // namespace

Scheme gridBias() {
  return makeScheme({.id = "grid_bias",
                     .name = {"Grid bias table", "网格偏置表"},
                     .family = Family::bias,
                     .year = 2021,
                     .reference = "Bao et al. 2021 (BEiT), arXiv:2106.08254; Graham et al. 2021 (LeViT), "
                                  "arXiv:2104.01136; Tu et al. 2022 (MaxViT), arXiv:2204.01697",
                     .summary = {"A learned bias for each two-dimensional offset of two patches, with the index of "
                                 "BEiT, MaxViT or LeViT.",
                                 "两图块的每个二维偏移对应一个可学习偏置，索引方式取自 BEiT、MaxViT 或 LeViT。"}},
                    gridBiasTable(), GridBias{});
}

}  // namespace posiscope::schemes
