// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula_rows.h"
#include "core/grid.h"
#include "core/measures/axes.h"
#include "core/measures/encoded.h"
#include "core/measures/measures.h"
#include "core/measures/products.h"
#include "core/measures/terms.h"
#include "core/profile.h"
#include "core/screen_number.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace posiscope::measures {
namespace {

enum class Scale { cosine, dot };

struct Options {
  std::int64_t row = -1;
  std::int64_t column = -1;
  Scale normalize = Scale::cosine;
  std::int64_t prefix = 0;
  std::int64_t head = 0;
};

void addPlace(ParamTable<Options>& t) {
  t.integer("row", &Options::row, {-1, 65535, -1, 63, false},
            {{"row", "行"}, {"Row of the chosen patch; −1 is the middle one.", "所选图块的行；−1 表示中间一行。"}});
  t.integer(
      "column", &Options::column, {-1, 65535, -1, 63, false},
      {{"column", "列"}, {"Column of the chosen patch; −1 is the middle one.", "所选图块的列；−1 表示中间一列。"}});
}

const ParamTable<Options>& optionTable() {
  static const ParamTable<Options> table = [] {
    ParamTable<Options> t;
    addPlace(t);
    t.choice("normalize", &Options::normalize, {{"cosine", {"cosine", "余弦"}}, {"dot", {"dot product", "点积"}}},
             {{"scale", "归一化"},
              {"Cosine divides by both lengths, so that tables and rotations compare; dot product as it is.",
               "余弦除以两者的长度，便于比较位置表与旋转；点积为原样。"}});
    t.integer("prefix_tokens", &Options::prefix, {0, 1024, 0, 8, false},
              {{"prefix tokens", "前缀词元数"},
               {"Tokens before the patches for schemes that know no grid (a class token).",
                "对不了解网格的方案：图块之前的词元数（如类别词元）。"},
               "",
               "tokens"});
    t.integer("head", &Options::head, {0, 1023, 0, 31, false},
              {{"head", "头"}, {"The head shown where the heads differ.", "当各头不同时，显示哪一个头。"}});
    return t;
  }();
  return table;
}

/// The chosen patch among the tokens.
struct Chosen {
  Grid grid;
  std::int64_t prefix = 0;  ///< tokens before the patches
  std::int64_t row = 0;
  std::int64_t column = 0;
  double first_position = 0;

  std::int64_t token() const { return prefix + row * grid.width + column; }
  std::int64_t tokenOf(std::int64_t r, std::int64_t c) const { return prefix + r * grid.width + c; }
  /// "121": a token as the axes of other maps number it.
  std::string place(std::int64_t of) const { return screenNumber(first_position + static_cast<double>(of)); }
};

Expected<Chosen> chosenPatch(const Question& question, const Options& options, const Encoding<float>& encoding) {
  const std::int64_t prefix = encoding.prefix_tokens > 0 ? encoding.prefix_tokens : options.prefix;
  const Expected<Grid> grid = gridOf(question.measure, question.shape, prefix);
  if (!grid) return fail(grid.error());
  const auto place = [&](const char* key, std::int64_t asked, std::int64_t side) -> Expected<std::int64_t> {
    if (asked >= side)
      return fail(rangeError(question.measure, key, -1, static_cast<double>(side - 1), static_cast<double>(asked)));
    return asked < 0 ? side / 2 : asked;
  };
  const Expected<std::int64_t> row = place("row", options.row, grid->height);
  if (!row) return fail(row.error());
  const Expected<std::int64_t> column = place("column", options.column, grid->width);
  if (!column) return fail(column.error());
  return Chosen{*grid, prefix, *row, *column, question.shape.first_position};
}

void addPicture(Dataset& dataset, std::string key, Text label, std::vector<float> values, const Chosen& chosen,
                Text value, int head) {
  dataset.maps.push_back({std::move(key), std::move(label),
                          storedField(chosen.grid.height, chosen.grid.width, std::move(values)), patchRowAxis(),
                          patchColumnAxis(), std::move(value), MapKind::diverging, head});
  dataset.maps.back().patches = PatchPlaces{chosen.first_position + static_cast<double>(chosen.prefix),
                                            chosen.grid.width, chosen.first_position + static_cast<double>(chosen.token())};
}

Outcome addTable(Dataset& dataset, const EncodingPtr& encoding, const Chosen& chosen, Scale scale) {
  const InputPart<float>& input = encoding->input;
  if (Outcome ok = checkAffordable(input, chosen.grid.patches()); !ok) return ok;
  std::vector<float> room_of_chosen, room;
  const std::int64_t token = chosen.token();
  const std::span<const float> own = input.tableBlock(token, token + 1, room_of_chosen).row(0);
  const double own_square = dot(own, own);
  std::vector<float> values;
  for (std::int64_t patch = 0; patch < chosen.grid.patches(); ++patch) {
    const std::int64_t t = chosen.prefix + patch;
    const std::span<const float> other = input.tableBlock(t, t + 1, room).row(0);
    const double lengths = scale == Scale::cosine ? std::sqrt(own_square * dot(other, other)) : 1;
    values.push_back(lengths > 0 ? static_cast<float>(dot(own, other) / lengths) : 0.0F);
  }
  const Text value = scale == Scale::cosine ? Text{"cosine similarity", "余弦相似度"} : Text{"Pᵢ · Pⱼ", "Pᵢ · Pⱼ"};
  addPicture(dataset, "table", {"rows of the added table", "位置表各行"}, std::move(values), chosen, value, -1);
  dataset.maps.back().term = [chosen, scale](std::int64_t r, std::int64_t c) {
    const std::string a = join("P[", chosen.place(chosen.token()), "]");
    const std::string b = join("P[", chosen.place(chosen.tokenOf(r, c)), "]");
    return a + " · " + b + (scale == Scale::cosine ? " / (‖" + a + "‖ ‖" + b + "‖)" : "");
  };
  return {};
}

/// The score of q = k = 1: 2·gain·Σ_p growth·cos(difference of the angles).
double onesScore(const RotationPart& rotation, std::int64_t set, std::int64_t query, std::int64_t key) {
  double sum = 0;
  for (std::int64_t p = 0; p < rotation.pairs(); ++p) {
    const auto pair = static_cast<std::size_t>(p);
    const auto position = [&](std::int64_t t) { return rotation.position[static_cast<std::size_t>(t)]; };
    const double growth =
        rotation.log_magnitude.empty() ? 1 : std::exp(rotation.log_magnitude[pair] * (position(query) - position(key)));
    sum += growth * std::cos(rotation.angle(set, query, p) - rotation.angle(set, key, p));
  }
  return 2 * rotation.attention_factor * rotation.attention_factor * sum;
}

Outcome addRotation(Dataset& dataset, const EncodingPtr& encoding, const Question& question, const Options& options,
                    const Chosen& chosen) {
  const RotationPart& rotation = *encoding->rotation;
  const Expected<std::int64_t> set = headOf(options.head, rotation.sets, question);
  if (!set) return fail(set.error());
  const bool cosine = options.normalize == Scale::cosine;
  const double most = onesScore(rotation, *set, chosen.token(), chosen.token());
  const double factor = cosine && most > 0 ? 1 / most : 1;
  std::vector<float> values;
  for (std::int64_t patch = 0; patch < chosen.grid.patches(); ++patch)
    values.push_back(static_cast<float>(factor * onesScore(rotation, *set, chosen.token(), chosen.prefix + patch)));
  const Text value = cosine ? Text{"cosine similarity", "余弦相似度"} : Text{"score", "分数"};
  addPicture(dataset, "rotation", {"score of q = k = 1", "q = k = 1 的分数"}, std::move(values), chosen, value,
             rotation.sets > 1 ? static_cast<int>(*set) : -1);
  dataset.maps.back().term = [chosen, cosine](std::int64_t r, std::int64_t c) {
    return join("R(", chosen.place(chosen.token()), ")1 · R(", chosen.place(chosen.tokenOf(r, c)), ")1",
                cosine ? " / d" : "");
  };
  return {};
}

Outcome addBias(Dataset& dataset, const EncodingPtr& encoding, const Question& question, const Options& options,
                const Chosen& chosen) {
  const auto* offsets = std::get_if<OffsetBias<float>>(&encoding->logits.bias);
  const Expected<std::int64_t> head =
      headOf(options.head, offsets ? offsets->heads : question.shape.num_heads, question);
  if (!head) return fail(head.error());
  const std::int64_t keys = question.shape.keys();
  const std::int64_t token = chosen.token();
  std::vector<float> row(static_cast<std::size_t>(keys));
  if (const auto* pairs = std::get_if<PairBias<float>>(&encoding->logits.bias)) {
    // Where fewer patches ask than are asked, query i is no longer patch i.
    if (question.shape.queries() != keys) return {};
    pairs->fill(*head, token, row);
  } else {
    for (std::int64_t j = 0; j < keys; ++j) row[static_cast<std::size_t>(j)] = offsets->at(*head, token - j);
  }
  row.erase(row.begin(), row.begin() + chosen.prefix);
  row.resize(static_cast<std::size_t>(chosen.grid.patches()));
  const Text label = headText(*head);
  addPicture(dataset, join("bias head ", *head), {"bias, " + label.en, "偏置，" + label.zh}, std::move(row), chosen,
             {"bias", "偏置"}, static_cast<int>(*head));
  dataset.maps.back().term = [encoding, chosen, h = *head](std::int64_t r, std::int64_t c) {
    const std::int64_t key = chosen.tokenOf(r, c);
    if (const auto* offset = std::get_if<OffsetBias<float>>(&encoding->logits.bias))
      return biasTerm(*offset, h, chosen.token() - key);
    return biasTerm(std::get<PairBias<float>>(encoding->logits.bias), encoding->logits.lookup, h, chosen.token(), key);
  };
  return {};
}

Text whyNothing(const Encoding<float>& e, const Question& question) {
  if (isNothing(e))
    return {"Without a positional encoding all patches look alike: there is no similarity to draw.",
            "没有位置编码时所有图块都一样：没有可绘制的相似度。"};
  if (e.logits.hasBias() && question.shape.queries() != question.shape.keys())
    return {"Only some patches ask here, so the chosen one may have no row of its own.",
            "此处只有部分图块提问，所选图块未必有自己的一行。"};
  return {"Here the similarity of two patches depends on the content.", "此方案中两个图块的相似度取决于内容。"};
}

/// Does the picture know the image's rows? One patch below must be nearer than the end of the same row.
void addRemark(Dataset& dataset, const Chosen& chosen) {
  const Field& field = *dataset.maps.front().field;
  if (chosen.grid.height < 2 || chosen.grid.width < 4) return;
  const std::int64_t below = chosen.row + 1 < chosen.grid.height ? chosen.row + 1 : chosen.row - 1;
  const std::int64_t beside = chosen.column + 1 < chosen.grid.width ? chosen.column + 1 : chosen.column - 1;
  const float vertical = field.at(below, chosen.column);
  const float horizontal = field.at(chosen.row, beside);
  const float own = field.at(chosen.row, chosen.column);
  dataset.metrics.push_back({"beside", {"next in the row", "同一行的下一个"}, static_cast<double>(horizontal), ""});
  dataset.metrics.push_back({"below", {"next in the column", "同一列的下一个"}, static_cast<double>(vertical), ""});
  const double near = std::abs(static_cast<double>(own - horizontal));
  const double far = std::abs(static_cast<double>(own - vertical));
  if (near == 0 && far == 0) return;
  constexpr double alike = 1.25;  // a factor that eyes still call the same
  const std::string ratio = readable(near > 0 ? far / near : std::numeric_limits<double>::infinity());
  if (far > alike * near && near > 0)
    dataset.remarks.push_back(
        {Verdict::warning,
         {"One patch down changes " + ratio + " times as much as one patch across: the picture is read as a line.",
          "向下一个图块的变化是向右一个图块的 " + ratio + " 倍：图像被当作一行来读。"}});
  else if (near <= alike * far)
    dataset.remarks.push_back(
        {Verdict::good,
         {"One patch down changes about as much as one patch across.", "向下一个图块与向右一个图块的变化大致相同。"}});
}

Expected<Dataset> answer(const Question& question, const Job&) {
  const Expected<Options> options = optionTable().read(question.measure, question.options);
  if (!options) return fail(options.error());
  const Expected<EncodingPtr> encoding = encodingOf(question);
  if (!encoding) return fail(encoding.error());
  const Encoding<float>& e = **encoding;
  const Expected<Chosen> chosen = chosenPatch(question, *options, e);
  if (!chosen) return fail(chosen.error());
  Dataset dataset;
  Outcome ok;
  if (e.input.hasTable()) ok = addTable(dataset, *encoding, *chosen, options->normalize);
  if (ok && e.rotation) ok = addRotation(dataset, *encoding, question, *options, *chosen);
  if (ok && e.logits.hasBias()) ok = addBias(dataset, *encoding, question, *options, *chosen);
  if (!ok) return fail(ok.error());
  if (dataset.maps.empty())
    dataset.nothing = whyNothing(e, question);
  else
    addRemark(dataset, *chosen);
  return dataset;
}

}  // namespace

Measure gridSimilarity() {
  return {"grid_similarity",
          {"Similarity on the grid", "网格相似度"},
          {"How alike every patch of an image is to the chosen one before any content, laid out as the image. A scheme "
           "that knows two dimensions draws a spot; one that counts along the rows draws a stripe.",
           "在没有内容时，图像中每个图块与所选图块有多相似，按图像布局绘制。"
           "了解二维的方案画出一个亮斑；按行计数的方案画出一条横带。"},
          "[grid_height, grid_width]; several parts give [maps, grid_height, grid_width]",
          optionTable().specs(),
          answer,
          {"sinusoidal", "sinusoidal_2d", "rope_2d"}};
}

}  // namespace posiscope::measures
