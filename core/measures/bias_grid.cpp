// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/axes.h"
#include "core/measures/encoded.h"
#include "core/measures/measures.h"
#include "core/screen_number.h"

#include <algorithm>
#include <memory>

namespace posiscope::measures {
namespace {

struct Options {
  std::vector<double> heads;
  std::int64_t target_height = 0;
  std::int64_t target_width = 0;
};

const ParamTable<Options>& optionTable() {
  static const ParamTable<Options> table = [] {
    ParamTable<Options> t;
    t.list("heads", &Options::heads,
           {{"heads", "头"},
            {"The heads drawn; empty means all, at most 32 evenly spread ones.",
             "绘制的头；留空表示全部，最多均匀取 32 个。"}})
        .unset({"all", "全部"});
    t.integer("target_height", &Options::target_height, {0, 256, 0, 32, false},
              {{"resized height", "缩放后高度"},
               {"Height of the grid the table is resized to; 0 means the present one.",
                "偏置表缩放到的网格高度；0 表示当前网格。"},
               "",
               "patches"})
        .unset({"present", "当前"});
    t.integer("target_width", &Options::target_width, {0, 256, 0, 32, false},
              {{"resized width", "缩放后宽度"},
               {"Width of the grid the table is resized to; 0 means the present one.",
                "偏置表缩放到的网格宽度；0 表示当前网格。"},
               "",
               "patches"})
        .unset({"present", "当前"});
    return t;
  }();
  return table;
}

constexpr std::int64_t most_heads = 32;

/// Does the picture begin at offset 0, because the sign does not count? One of a single offset is the same either way.
bool isOfDistances(const OffsetPicture<float>& picture) {
  return picture.first_row == 0 && picture.first_col == 0 && picture.rows * picture.cols > 1;
}

/// An axis of offsets as one of distances.
Axis withoutSign(Axis offsets, Text name) {
  offsets.name = std::move(name);
  offsets.symbol = "|" + offsets.symbol + "|";
  return offsets;
}

Axis rowAxis(const OffsetPicture<float>& picture) {
  const Axis offsets = rowOffsetAxis(picture.first_row);
  return isOfDistances(picture) ? withoutSign(offsets, {"row distance", "行距离"}) : offsets;
}

Axis columnAxis(const OffsetPicture<float>& picture) {
  const Axis offsets = columnOffsetAxis(picture.first_col);
  return isOfDistances(picture) ? withoutSign(offsets, {"column distance", "列距离"}) : offsets;
}

std::string term(const OffsetPicture<float>& picture, std::int64_t row, std::int64_t col) {
  return "β(" + rowAxis(picture).symbol + " = " + screenNumber(static_cast<double>(picture.first_row + row)) + ", " +
         columnAxis(picture).symbol + " = " + screenNumber(static_cast<double>(picture.first_col + col)) + ")";
}

/// What a picture is called: "table, 7 × 7 patches".
Text titleOf(const Text& what, const Grid& grid, const OffsetPicture<float>& picture) {
  const Text size = patchesText(grid.height, grid.width);
  const bool distances = isOfDistances(picture);
  return {what.en + (distances ? " by distance, " : ", ") + size.en,
          what.zh + (distances ? "（按距离），" : "，") + size.zh};
}

/// Every head of one picture as a map.
void addMaps(Dataset& dataset, const std::string& prefix, const Text& title, OffsetPicture<float> made,
             const std::vector<std::int64_t>& heads) {
  const auto picture = std::make_shared<const OffsetPicture<float>>(std::move(made));
  const std::int64_t shared = picture->values.cols;
  for (const std::int64_t head : heads) {
    std::vector<float> values;
    for (std::int64_t cell = 0; cell < picture->rows * picture->cols; ++cell)
      values.push_back(picture->values.row(cell)[static_cast<std::size_t>(head)]);
    dataset.maps.push_back({join(prefix, " head ", head),
                            title,
                            storedField(picture->rows, picture->cols, std::move(values)),
                            rowAxis(*picture),
                            columnAxis(*picture),
                            {"bias", "偏置"},
                            MapKind::diverging,
                            shared > 1 ? static_cast<int>(head) : -1,
                            [picture](std::int64_t r, std::int64_t c) { return term(*picture, r, c); }});
  }
}

/// The largest difference between Δ and −Δ of the first picture: does the bias tell directions apart?
void addFigures(Dataset& dataset, const OffsetPicture<float>& picture) {
  const std::int64_t cells = picture.rows * picture.cols;
  const bool distances = isOfDistances(picture);
  const Text counted = distances ? Text{"distances", "距离数"} : Text{"offsets", "偏移数"};
  dataset.metrics.push_back({"offsets", counted, static_cast<double>(cells), ""});
  if (distances) return;
  double most = 0;
  for (std::int64_t cell = 0; cell < cells; ++cell)
    for (std::size_t h = 0; h < static_cast<std::size_t>(picture.values.cols); ++h)
      most = std::max(most, std::abs(static_cast<double>(picture.values.row(cell)[h]) -
                                     static_cast<double>(picture.values.row(cells - 1 - cell)[h])));
  dataset.metrics.push_back({"asymmetry", {"largest β(Δ) − β(−Δ)", "最大的 β(Δ) − β(−Δ)"}, most, ""});
}

/// The grid that is drawn beside the trained one.
Grid targetOf(const Options& options, const PatchBias<float>& bias) {
  return {options.target_height > 0 ? options.target_height : bias.present.height,
          options.target_width > 0 ? options.target_width : bias.present.width};
}

Expected<Dataset> answer(const Question& question, const Job&) {
  const Expected<Options> options = optionTable().read(question.measure, question.options);
  if (!options) return fail(options.error());
  const Expected<EncodingPtr> encoding = encodingOf(question);
  if (!encoding) return fail(encoding.error());
  const PatchBias<float>& bias = (*encoding)->logits.patch_bias;
  Dataset dataset;
  if (!bias.picture) {
    dataset.nothing = {"This scheme has no bias by the two-dimensional offset of patches.",
                       "该方案没有按图块二维偏移的偏置。"};
    return dataset;
  }
  const Grid target = targetOf(*options, bias);
  const double cells = 4.0 * static_cast<double>(std::max(target.patches(), bias.trained.patches()));
  if (Outcome ok = checkMemory("bias_grid: the picture", 8 * cells * static_cast<double>(question.shape.num_heads));
      !ok)
    return fail(ok.error());
  OffsetPicture<float> trained = bias.picture(bias.trained);
  std::vector<std::int64_t> heads{0};
  if (trained.values.cols > 1) {
    const Expected<std::vector<std::int64_t>> shown =
        headsShown(options->heads, trained.values.cols, most_heads, question);
    if (!shown) return fail(shown.error());
    heads = *shown;
  }
  addFigures(dataset, trained);
  const Text title = titleOf({"table", "偏置表"}, bias.trained, trained);
  addMaps(dataset, "trained", title, std::move(trained), heads);
  if (!(target == bias.trained)) {
    OffsetPicture<float> resized = bias.picture(target);
    const Text resized_title = titleOf({"resized", "缩放后"}, target, resized);
    addMaps(dataset, "resized", resized_title, std::move(resized), heads);
  }
  dataset.remarks.push_back({Verdict::neutral, bias.rule});
  return dataset;
}

}  // namespace

Measure biasGrid() {
  return {
      "bias_grid",
      {"Bias by patch offset", "按图块偏移的偏置"},
      {"What a head adds for a key that stands so many rows and columns from the query, offset 0 in the middle; "
       "where only the distance counts, distance 0 at the top left. Bright spots are where the head looks; a picture "
       "of offsets that is no mirror image of itself tells directions apart.",
       "某个头对与查询相距若干行、若干列的键所加的值，中间为偏移 0；若只看距离，则左上角为距离 0。"
       "亮处是该头关注的方向；偏移图若不与自身镜像相同，说明能区分方向。"},
      "[heads, 2·height − 1, 2·width − 1] over Δ = query − key, or [heads, height, width] over |Δ| where only the "
      "distance counts (LeViT, TinyViT), of the trained grid; where another is asked for or in use, twice as many "
      "maps, the resized ones last",
      optionTable().specs(),
      answer,
      {"grid_bias", "swin_v2"}};
}

}  // namespace posiscope::measures
