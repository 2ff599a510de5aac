// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/content.h"
#include "core/grid.h"
#include "core/measures/axes.h"
#include "core/measures/encoded.h"
#include "core/measures/measures.h"
#include "core/measures/products.h"
#include "core/random.h"

#include <algorithm>
#include <cmath>

namespace posiscope::measures {
namespace {

enum class Image { plain, repeated, shuffled };

struct Options {
  Image content = Image::plain;
};

const ParamTable<Options>& optionTable() {
  static const ParamTable<Options> table = [] {
    ParamTable<Options> t;
    t.choice("picture", &Options::content,
             {{"plain", {"plain", "纯色"}}, {"repeated", {"repeated", "重复"}}, {"shuffled", {"shuffled", "打乱"}}},
             {{"picture", "图像"},
              {"One patch everywhere, four patches that repeat as tiles of 2 × 2, or the same four in random order.",
               "处处相同的图块、按 2 × 2 平铺重复的四个图块，或随机排列的同样四个图块。"}});
    return t;
  }();
  return table;
}

constexpr std::int64_t tile = 2;          ///< side of the pattern that repeats
constexpr double least_deviation = 1e-6;  ///< of a patch's length: float's rounding stays below

/// An endless picture: the patch at any row and column, negative ones too.
class Picture {
 public:
  Picture(Image image, Table<float> patches, std::int64_t seed)
      : image_(image), patches_(std::move(patches)), order_(static_cast<std::uint64_t>(seed), "border_effect/order") {}

  std::span<const float> at(std::int64_t row, std::int64_t column) const {
    if (image_ == Image::plain) return patches_.row(0);
    const auto inside = [](std::int64_t n) { return (n % tile + tile) % tile; };
    std::int64_t which = inside(row) * tile + inside(column);
    if (image_ == Image::shuffled)
      which = static_cast<std::int64_t>(
          order_.below(tile * tile, static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(column)));
    return patches_.row(which % patches_.rows);
  }

 private:
  Image image_;
  Table<float> patches_;
  Stream order_;
};

/// The first few embeddings of the question's content; those drawn from the seed where only q and k are given.
Expected<Table<float>> patchesOf(const Question& question) {
  ContentSpec spec = question.content;
  if (spec.source == ContentSource::arrays && spec.x.empty() && !isMissing(spec.x)) spec.source = ContentSource::random;
  return makeEmbeddings<float>(spec, question.shape);
}

/// What the transform makes of the part of the picture that a grid covers; row 0, column 0 of the grid lies `margin`
/// before that of the picture. [patches, d_model].
Expected<Table<float>> transformed(const Question& question, const Picture& picture, const Grid& grid,
                                   std::int64_t margin, std::int64_t prefix) {
  Shape shape = question.shape;
  shape.seq_len = prefix + grid.patches();
  shape.seq_len_q = 0;
  shape.grid_height = grid.height;
  shape.grid_width = grid.width;
  const double bytes = 2.0 * static_cast<double>(shape.seq_len) * static_cast<double>(shape.d_model) * sizeof(float);
  if (Outcome ok = checkMemory("border_effect: the larger picture", bytes); !ok) return fail(ok.error());
  const Expected<EncodingPtr> encoding = encodingOf(question.scheme, shape);
  if (!encoding) return fail(encoding.error());
  Table<float> x = makeTable<float>(shape.seq_len, shape.d_model);
  for (std::int64_t patch = 0; patch < grid.patches(); ++patch)
    std::ranges::copy(picture.at(grid.row(patch) - margin, grid.column(patch) - margin), x.row(prefix + patch).begin());
  std::vector<float> out(x.values.size());
  (*encoding)->input.transform(rowsOf(x), out);
  out.erase(out.begin(), out.begin() + prefix * shape.d_model);
  return Table<float>{grid.patches(), shape.d_model, std::move(out)};
}

/// How far a patch is from the nearest border; 0 at the border.
std::int64_t depthOf(const Grid& grid, std::int64_t patch) {
  const std::int64_t row = grid.row(patch);
  const std::int64_t column = grid.column(patch);
  return std::min({row, column, grid.height - 1 - row, grid.width - 1 - column});
}

/// Length of the difference to the same patch inside the larger picture, relative to the mean length there.
std::vector<float> deviations(const Table<float>& here, const Table<float>& inside, const Grid& grid,
                              const Grid& larger, std::int64_t margin) {
  std::vector<double> lengths;
  double square = 0;
  for (std::int64_t patch = 0; patch < grid.patches(); ++patch) {
    const std::int64_t other = (grid.row(patch) + margin) * larger.width + grid.column(patch) + margin;
    const std::span<const float> a = here.row(patch);
    const std::span<const float> b = inside.row(other);
    square += dot(b, b);
    double sum = 0;
    for (std::size_t c = 0; c < a.size(); ++c) {
      const double difference = static_cast<double>(a[c]) - static_cast<double>(b[c]);
      sum += difference * difference;
    }
    lengths.push_back(std::sqrt(sum));
  }
  const double mean = std::sqrt(square / static_cast<double>(grid.patches()));
  std::vector<float> values;
  for (const double length : lengths) values.push_back(mean > 0 ? static_cast<float>(length / mean) : 0.0F);
  return values;
}

/// The mean deviation of the patches that are equally far from the border.
void addCurve(Dataset& dataset, const std::vector<float>& values, const Grid& grid) {
  Curve curve{"by_depth", {"mean deviation", "平均偏差"}, CurveRole::line, {}, {}, -1};
  const std::int64_t depths = (std::min(grid.height, grid.width) + 1) / 2;
  for (std::int64_t depth = 0; depth < depths; ++depth) {
    double sum = 0;
    double count = 0;
    for (std::int64_t patch = 0; patch < grid.patches(); ++patch)
      if (depthOf(grid, patch) == depth) {
        sum += static_cast<double>(values[static_cast<std::size_t>(patch)]);
        count += 1;
      }
    curve.x.push_back(static_cast<double>(depth));
    curve.y.push_back(count > 0 ? sum / count : 0);
  }
  curve.term = [](double depth) { return join("mean over depth ", static_cast<std::int64_t>(depth)); };
  dataset.x = valueAxis({"patches from the border", "距边界的图块数"});
  dataset.y = valueAxis({"deviation", "偏差"});
  dataset.curves.push_back(std::move(curve));
}

void addFigures(Dataset& dataset, const std::vector<float>& values, const Grid& grid) {
  std::int64_t deepest = -1;
  double touched = 0;
  double most = 0;
  for (std::int64_t patch = 0; patch < grid.patches(); ++patch) {
    const auto value = static_cast<double>(values[static_cast<std::size_t>(patch)]);
    if (value <= least_deviation) continue;
    deepest = std::max(deepest, depthOf(grid, patch));
    touched += 1;
    most = std::max(most, value);
  }
  dataset.metrics.push_back({"reach", {"reaches in", "向内影响"}, static_cast<double>(deepest + 1), "patches"});
  dataset.metrics.push_back({"touched", {"patches that feel it", "受影响的图块"}, touched, "patches"});
  dataset.metrics.push_back({"largest", {"largest deviation", "最大偏差"}, most, ""});
  if (deepest < 0) {
    dataset.remarks.push_back({Verdict::neutral,
                               {"No patch can tell where the border is: all of them are as inside a larger picture.",
                                "没有图块能得知边界在哪里：它们都与位于更大图像内部时相同。"}});
    return;
  }
  const std::string reach = readable(static_cast<double>(deepest + 1));
  const std::string count = readable(touched);
  const std::string all = readable(static_cast<double>(grid.patches()));
  const std::string size = readable(100 * most);
  dataset.remarks.push_back(
      {Verdict::neutral,
       {"The border is felt " + reach + (deepest == 0 ? " patch deep, by " : " patches deep, by ") + count + " of " +
            all + " patches, up to " + size + " % of a patch's length.",
        "边界的影响向内 " + reach + " 个图块，" + all + " 个图块中有 " + count + " 个受影响，最多为图块长度的 " + size +
            "%。"}});
}

/// Does a token of the sequence change the rows of others?
bool mixesTokens(const InputPart<float>& input, const Shape& shape) {
  if (!input.transform) return false;
  Table<float> x = makeTable<float>(shape.keys(), shape.d_model);
  std::vector<float> without(x.values.size());
  std::vector<float> with(x.values.size());
  input.transform(rowsOf(x), without);
  const std::int64_t token = shape.keys() / 2;
  std::ranges::fill(x.row(token), 1.0F);
  input.transform(rowsOf(x), with);
  const auto row = [&](std::vector<float>& values) { return values.begin() + token * shape.d_model; };
  std::copy_n(row(without), shape.d_model, row(with));
  return with != without;
}

Text notMeasured(const InputPart<float>& input, const Shape& shape) {
  if (mixesTokens(input, shape))
    return {
        "Not measured here: this scheme lets tokens mix along the sequence, not over the picture, and adds a row of "
        "its own at each place; inside a larger picture no patch would keep its place.",
        "此处不测量：该方案让词元沿序列而非在图像上混合，并在每个位置加上各自的一行；"
        "在更大的图像内部，没有图块会保持原来的位置。"};
  return {"No border effect: this scheme does not let neighbouring patches mix.",
          "没有边界效应：该方案不让相邻图块混合。"};
}

Expected<Dataset> answer(const Question& question, const Job&) {
  const Expected<Options> options = optionTable().read(question.measure, question.options);
  if (!options) return fail(options.error());
  const Expected<EncodingPtr> encoding = encodingOf(question);
  if (!encoding) return fail(encoding.error());
  const std::int64_t margin = (*encoding)->input.patch_reach;
  Dataset dataset;
  if (margin < 0) {
    dataset.nothing = notMeasured((*encoding)->input, question.shape);
    return dataset;
  }
  const std::int64_t prefix = (*encoding)->prefix_tokens;
  const Expected<Grid> grid = gridOf(question.measure, question.shape, prefix);
  if (!grid) return fail(grid.error());
  const Grid larger{grid->height + 2 * margin, grid->width + 2 * margin};
  Expected<Table<float>> patches = patchesOf(question);
  if (!patches) return fail(patches.error());
  const Picture picture(options->content, *std::move(patches), question.content.seed);
  const Expected<Table<float>> here = transformed(question, picture, *grid, 0, prefix);
  if (!here) return fail(here.error());
  const Expected<Table<float>> inside = transformed(question, picture, larger, margin, prefix);
  if (!inside) return fail(inside.error());
  std::vector<float> values = deviations(*here, *inside, *grid, larger, margin);
  addFigures(dataset, values, *grid);
  addCurve(dataset, values, *grid);
  dataset.maps.push_back({"deviation",
                          {"deviation from the interior", "与内部的偏差"},
                          storedField(grid->height, grid->width, std::move(values)),
                          patchRowAxis(),
                          patchColumnAxis(),
                          {"relative deviation", "相对偏差"},
                          MapKind::sequential,
                          -1,
                          [](std::int64_t r, std::int64_t c) {
                            return join("‖f(x)[", r, ", ", c, "] − f(x∞)[", r, ", ", c, "]‖ / ‖f(x∞)‖");
                          }});
  return dataset;
}

}  // namespace

Measure borderEffect() {
  return {"border_effect",
          {"Border effect", "边界效应"},
          {"How much each patch differs from the same patch inside a larger picture that goes on beyond the border. "
           "Where it is zero a patch cannot know where it stands; padding with zeros lights up the rim.",
           "每个图块与位于更大图像内部（图像在边界之外继续）的同一图块相差多少。"
           "为零之处图块无从得知自己的位置；以零填充会使边缘亮起。"},
          "[grid_height, grid_width], relative to the mean length of a patch",
          optionTable().specs(),
          answer,
          {"conditional"}};
}

}  // namespace posiscope::measures
