// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/buffers.h"
#include "core/formula_rows.h"
#include "core/measures/axes.h"
#include "core/measures/encoded.h"
#include "core/measures/first_tokens.h"
#include "core/measures/measures.h"
#include "core/measures/pair_bias.h"
#include "core/measures/product_field.h"
#include "core/measures/products.h"
#include "core/measures/terms.h"
#include "core/parallel.h"
#include "core/profile.h"
#include "core/screen_number.h"
#include "core/steps.h"

#include <algorithm>
#include <cmath>

namespace posiscope::measures {
namespace {

enum class Scale { dot, cosine, mean };

struct Options {
  Scale normalize = Scale::dot;
  std::int64_t head = 0;
};

const ParamTable<Options>& optionTable() {
  static const ParamTable<Options> table = [] {
    ParamTable<Options> t;
    t.choice("normalize", &Options::normalize,
             {{"dot", {"dot product", "点积"}}, {"cosine", {"cosine", "余弦"}}, {"mean", {"mean", "均值"}}},
             {{"scale", "归一化"},
              {"Dot product as it is; cosine divides by both lengths; mean divides an added table by d/2 and a "
               "rotation by the dimensions that turn, so that the plain schemes have 1 on the diagonal.",
               "点积：原样；余弦：除以两者的长度；均值：位置表除以 d/2，旋转除以参与旋转的维度数，使基本方案的对角线为 "
               "1。"}});
    t.integer("head", &Options::head, {0, 1023, 0, 31, false},
              {{"head", "头"}, {"The head shown where the heads differ.", "当各头不同时，显示哪一个头。"}});
    return t;
  }();
  return table;
}

/// A Toeplitz map up to this size is copied out (one memcpy a row), so that a pixel can look at every cell.
constexpr double most_copied_bytes = 16.0 * 1024 * 1024;
/// Products of a table up to this size are stored; above, a cell is computed when it is looked at.
constexpr double most_stored_bytes = 64.0 * 1024 * 1024;

double squareBytes(std::int64_t n) { return 4.0 * static_cast<double>(n) * static_cast<double>(n); }

/// The map value(i − j), from the values at −(n−1) … n−1.
std::shared_ptr<const Field> toeplitzField(std::int64_t n, std::vector<float> profile) {
  if (squareBytes(n) <= most_copied_bytes) {
    // Row i reads offsets i, i−1, …: the profile backwards.
    std::ranges::reverse(profile);
    std::vector<float> values = takeBuffer(static_cast<std::size_t>(n * n));
    for (std::int64_t i = 0; i < n; ++i) std::copy_n(profile.data() + (n - 1 - i), n, values.data() + i * n);
    return storedField(n, n, std::move(values));
  }
  const auto [low, high] = std::ranges::minmax(profile);
  auto shared = std::make_shared<const std::vector<float>>(std::move(profile));
  return computedField(
      n, n, [shared, n](std::int64_t i, std::int64_t j) { return (*shared)[static_cast<std::size_t>(i - j + n - 1)]; },
      Field::Limits{low, high, true});
}

/// The symmetric profile of values at 0 … n−1, times `factor`.
std::vector<float> mirrored(const std::vector<double>& values, double factor) {
  const std::size_t n = values.size();
  std::vector<float> profile(2 * n - 1);
  for (std::size_t k = 0; k < n; ++k) profile[n - 1 - k] = profile[n - 1 + k] = static_cast<float>(values[k] * factor);
  return profile;
}

Map mapOf(std::string key, Text label, std::shared_ptr<const Field> field, const Question& question, Text value,
          int head) {
  Axis rows = positionAxis(question.shape);
  Axis cols = keyAxis(question.shape);
  cols.name = {"position", "位置"};
  return {std::move(key),  std::move(label), std::move(field),   std::move(rows),
          std::move(cols), std::move(value), MapKind::diverging, head};
}

/// "P[412] · P[7] / (‖P[412]‖ ‖P[7]‖)"
std::function<std::string(std::int64_t, std::int64_t)> productTerm(const Shape& shape, Scale scale, double mean) {
  return [first = shape.first_position, scale, mean](std::int64_t i, std::int64_t j) {
    const std::string a = "P[" + screenNumber(first + static_cast<double>(i)) + "]";
    const std::string b = "P[" + screenNumber(first + static_cast<double>(j)) + "]";
    const std::string product = a + " · " + b;
    if (scale == Scale::cosine) return product + " / (‖" + a + "‖ ‖" + b + "‖)";
    return scale == Scale::mean ? scaledTerm(1 / mean, product) : product;
  };
}

double scaleOf(Scale scale, double diagonal, double mean) {
  return scale == Scale::cosine ? (diagonal > 0 ? 1 / diagonal : 0) : scale == Scale::mean ? 1 / mean : 1;
}

Outcome addTable(Dataset& dataset, const EncodingPtr& encoding, const Question& question, Scale scale, const Job& job) {
  const InputPart<float>& input = encoding->input;
  const std::int64_t n = input.tableRows();
  const double half = static_cast<double>(input.tableCols()) / 2;
  std::shared_ptr<const Field> field;
  if (isToeplitz(input)) {
    // Every sine has its cosine, so P_i·P_j = amplitude²·Σ cos((i − j)·w).
    const std::vector<double> curve = tableProfile(input, job);
    if (curve.empty()) return stopped();
    field = toeplitzField(n, mirrored(curve, scaleOf(scale, curve.front(), half)));
  } else if (squareBytes(n) <= most_stored_bytes) {
    const std::int64_t taken = question.draft ? draftTokens(n) : n;
    if (Outcome ok = checkAffordable(input, rowsOfProducts(taken)); !ok) return ok;
    std::vector<float> values = selfProducts(input, taken, scale == Scale::cosine, job);
    if (values.empty()) return stopped();
    if (scale == Scale::mean)
      for (float& v : values) v = static_cast<float>(v / half);
    field = storedField(taken, taken, std::move(values));
    dataset.draft = taken < n;
    if (dataset.draft) dataset.scope = firstTokensText(taken, n, true);
  } else {
    // A picture reads no row more than twice, as a query and as a key.
    if (Outcome ok = checkAffordable(input, 2 * n); !ok) return ok;
    field = tableProducts(encoding, scale == Scale::cosine, scaleOf(scale, 1, half));
  }
  dataset.maps.push_back(mapOf("table", {"positions of the added table", "位置表各行"}, std::move(field), question,
                               {"Pᵢ · Pⱼ", "Pᵢ · Pⱼ"}, -1));
  dataset.maps.back().term = productTerm(question.shape, scale, half);
  if (dataset.draft) spreadDraft(dataset, n);
  return {};
}

Outcome addRotation(Dataset& dataset, const EncodingPtr& encoding, const Question& question, const Options& options,
                    const Job& job) {
  const RotationPart& rotation = *encoding->rotation;
  const Expected<std::int64_t> set = headOf(options.head, rotation.sets, question);
  if (!set) return fail(set.error());
  const std::int64_t n = question.shape.keys();
  const double gain = rotation.attention_factor * rotation.attention_factor;
  const auto dims = static_cast<double>(rotation.rotary_dim);
  const double factor = scaleOf(options.normalize, gain * dims, dims);
  std::shared_ptr<const Field> field;
  if (const auto even = offsetRotation(rotation, *set)) {
    // Both signs: xPos shrinks in one direction and grows in the other.
    const std::vector<double> scores = onesScores(*even, -static_cast<double>(n - 1), 2 * n - 1, job);
    if (scores.empty()) return stopped();
    std::vector<float> profile;
    for (const double score : scores) profile.push_back(static_cast<float>(score * factor));
    field = toeplitzField(n, std::move(profile));
  } else if (squareBytes(n) > most_stored_bytes) {
    field = rotationProducts(encoding, *set, factor);
  } else {
    field = computedField(n, n, [encoding, s = *set, factor](std::int64_t i, std::int64_t j) {
      const RotationPart& r = *encoding->rotation;
      double sum = 0;
      for (std::int64_t p = 0; p < r.pairs(); ++p) sum += std::cos(r.angle(s, i, p) - r.angle(s, j, p));
      return static_cast<float>(2 * r.attention_factor * r.attention_factor * factor * sum);
    });
  }
  dataset.maps.push_back(mapOf("rotation", {"score of q = k = 1", "q = k = 1 的分数"}, std::move(field), question,
                               {"score", "分数"}, rotation.sets > 1 ? static_cast<int>(*set) : -1));
  if (rotation.axes == 1 && rotation.log_magnitude.empty())
    dataset.maps.back().term = [encoding, multiplier = 2 * gain * factor](std::int64_t i, std::int64_t j) {
      const std::vector<double>& position = encoding->rotation->position;
      return onesTerm(multiplier, position[static_cast<std::size_t>(i)] - position[static_cast<std::size_t>(j)]);
    };
  else  // several axes or magnitudes: the turned vectors of ones themselves
    dataset.maps.back().term = [](std::int64_t i, std::int64_t j) { return join("R(", i, ")1 · R(", j, ")1"); };
  return {};
}

Outcome addBias(Dataset& dataset, const EncodingPtr& encoding, const Question& question, const Options& options) {
  const auto& bias = std::get<OffsetBias<float>>(encoding->logits.bias);
  const Expected<std::int64_t> head = headOf(options.head, bias.heads, question);
  if (!head) return fail(head.error());
  const std::int64_t n = bias.max_offset + 1;
  const float* row = bias.values.data() + *head * (2 * n - 1);
  const Text label = headText(*head);
  dataset.maps.push_back(mapOf(join("bias head ", *head), {"bias, " + label.en, "偏置，" + label.zh},
                               toeplitzField(n, {row, row + 2 * n - 1}), question, {"bias", "偏置"},
                               static_cast<int>(*head)));
  dataset.maps.back().term = [encoding, h = *head](std::int64_t i, std::int64_t j) {
    return biasTerm(std::get<OffsetBias<float>>(encoding->logits.bias), h, i - j);
  };
  return {};
}

/// A bias that is no function of the offset is as good an answer.
Outcome addPairBias(Dataset& dataset, const EncodingPtr& encoding, const Question& question, const Options& options,
                    const Job& job) {
  const Expected<std::int64_t> head = headOf(options.head, question.shape.num_heads, question);
  if (!head) return fail(head.error());
  Map map = pairBiasMap(encoding, *head, question.shape, job);
  if (!map.field) return stopped();
  const Text label = headText(*head);
  map.label = {"bias, " + label.en, "偏置，" + label.zh};
  dataset.maps.push_back(std::move(map));
  return {};
}

Expected<Dataset> answer(const Question& question, const Job& job) {
  const Expected<Options> options = optionTable().read(question.measure, question.options);
  if (!options) return fail(options.error());
  const Expected<EncodingPtr> encoding = encodingOf(question);
  if (!encoding) return fail(encoding.error());
  const Encoding<float>& e = **encoding;
  Dataset dataset;
  Outcome ok;
  const bool by_pair = std::holds_alternative<PairBias<float>>(e.logits.bias);
  Steps steps(job, (e.input.hasTable() ? 1U : 0U) + (e.rotation ? 1U : 0U) + (by_pair ? 1U : 0U));
  if (e.input.hasTable()) ok = addTable(dataset, *encoding, question, options->normalize, steps.next());
  if (ok && e.rotation) ok = addRotation(dataset, *encoding, question, *options, steps.next());
  if (ok && std::holds_alternative<OffsetBias<float>>(e.logits.bias))
    ok = addBias(dataset, *encoding, question, *options);
  if (ok && by_pair) ok = addPairBias(dataset, *encoding, question, *options, steps.next());
  if (!ok) return fail(ok.error());
  if (dataset.maps.empty())
    dataset.nothing = isNothing(e) ? Text{"Without a positional encoding all positions look alike: there is no "
                                          "similarity to draw.",
                                          "没有位置编码时所有位置都一样：没有可绘制的相似度。"}
                                   : Text{"Here the similarity of two positions depends on the content.",
                                          "此方案中两个位置的相似度取决于内容。"};
  return dataset;
}

}  // namespace

Measure similarity() {
  return {"similarity",
          {"Similarity", "相似度"},
          {"How alike two positions are before any content: dot products of the added rows, the score of equal "
           "all-ones queries and keys, or the bias itself. Equal colours along the diagonals mean that only the "
           "distance counts.",
           "在没有内容时两个位置有多相似：位置表各行的点积、全 1 查询与键的分数，或偏置本身。"
           "沿对角线颜色相同，说明只与距离有关。"},
          "[seq_len, seq_len]; several parts give [maps, seq_len, seq_len]",
          optionTable().specs(),
          answer};
}

}  // namespace posiscope::measures
