// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/axes.h"
#include "core/measures/encoded.h"
#include "core/measures/frequencies.h"
#include "core/measures/measures.h"
#include "core/measures/turning.h"
#include "core/screen_number.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace posiscope::measures {
namespace {

struct Options {
  bool wrapped = true;
  std::int64_t head = 0;
};

const ParamTable<Options>& optionTable() {
  static const ParamTable<Options> table = [] {
    ParamTable<Options> t;
    t.boolean("wrapped", &Options::wrapped,
              {{"within one turn", "只看一圈之内"},
               {"Angles from 0 to 2π; otherwise as far as the pair has turned altogether.",
                "角度取 0 到 2π；否则显示累计转过的角度。"}});
    t.integer(
        "head", &Options::head, {0, 1023, 0, 31, false},
        {{"head", "头"}, {"The head shown where the heads turn differently.", "当各头旋转不同时，显示哪一个头。"}});
    return t;
  }();
  return table;
}

double withinTurn(double angle) {
  const double turn = 2 * std::numbers::pi;
  const double rest = angle - turn * std::floor(angle / turn);
  return rest < turn ? rest : 0.0;
}

struct AxisName {
  const char* key;
  Text name;
};
/// What the axes of a rotation are called: two are those of an image, three have time before them.
AxisName axisName(std::int64_t axes, std::int64_t axis) {
  static const AxisName names[] = {
      {"time", {"time", "时间"}}, {"height", {"height", "高"}}, {"width", {"width", "宽"}}};
  return names[axis + (axes == 2 ? 1 : 0)];
}

MapKind kindOf(bool wrapped, const Turning& t) {
  if (wrapped) return MapKind::cyclic;
  const auto negative = [](double v) { return v < 0; };
  return std::ranges::any_of(t.frequency, negative) || std::ranges::any_of(t.position, negative) ? MapKind::diverging
                                                                                                 : MapKind::sequential;
}

/// The angle of each pair where `angle(row, pair)` says; a wrapped one has the whole turn as its limits.
std::shared_ptr<const Field> angleField(std::int64_t rows, std::int64_t pairs, bool wrapped,
                                        std::function<double(std::int64_t, std::int64_t)> angle) {
  std::optional<Field::Limits> limits;
  if (wrapped) limits = Field::Limits{0, static_cast<float>(2 * std::numbers::pi), false};
  return computedField(
      rows, pairs,
      [=](std::int64_t r, std::int64_t p) {
        const double a = angle(r, p);
        return static_cast<float>(wrapped ? withinTurn(a) : a);
      },
      limits);
}

std::string partOfAngle(double position, double frequency) {
  return screenNumber(position) + " · " + screenFactor(frequency, position);
}

void addTokens(Dataset& dataset, const TurningPtr& t, const Question& question, bool wrapped, int head) {
  const auto angle = [t](std::int64_t i, std::int64_t p) { return t->angle(i, p); };
  dataset.maps.push_back({"token",
                          {"by token", "按词元"},
                          angleField(t->tokens, t->pairs, wrapped, angle),
                          positionAxis(question.shape),
                          pairAxis(),
                          {"angle (rad)", "角度（rad）"},
                          kindOf(wrapped, *t),
                          head});
  dataset.maps.back().term = [t, wrapped](std::int64_t i, std::int64_t p) {
    std::string text;
    for (std::int64_t a = 0; a < t->axes; ++a)
      if (t->axes == 1 || t->reads(a, p))
        text += (text.empty() ? "" : " + ") + partOfAngle(t->positionOf(a, i), t->frequencyOf(a, p));
    if (text.empty()) return std::string("0");
    return text + (wrapped ? " mod 2π" : "");
  };
}

/// Evenly spaced places on an axis that hold all the positions of its tokens.
struct Places {
  double first = 0;
  double step = 1;
  std::int64_t count = 1;
};
Places placesOf(const Turning& t, std::int64_t axis) {
  constexpr std::int64_t most = 1 << 20;
  const auto begin = t.position.begin() + axis * t.tokens;
  std::vector<double> ids(begin, begin + t.tokens);
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  if (ids.size() == 1) return {ids.front(), 1, 1};
  double step = ids.back() - ids.front();
  for (std::size_t k = 1; k < ids.size(); ++k) step = std::min(step, ids[k] - ids[k - 1]);
  const double count = std::min(std::round((ids.back() - ids.front()) / step) + 1, static_cast<double>(most));
  return {ids.front(), (ids.back() - ids.front()) / (count - 1), static_cast<std::int64_t>(count)};
}

void addAxis(Dataset& dataset, const TurningPtr& t, std::int64_t axis, bool wrapped, int head) {
  const Places places = placesOf(*t, axis);
  const AxisName name = axisName(t->axes, axis);
  Axis rows;
  rows.name = {"position in " + name.name.en, name.name.zh + "方向的位置"};
  rows.first = places.first;
  rows.step = places.step;
  const auto place = [places](std::int64_t r) { return places.first + static_cast<double>(r) * places.step; };
  const auto angle = [=](std::int64_t r, std::int64_t p) { return t->frequencyOf(axis, p) * place(r); };
  dataset.maps.push_back({name.key,
                          name.name,
                          angleField(places.count, t->pairs, wrapped, angle),
                          rows,
                          pairAxis(),
                          {"angle (rad)", "角度（rad）"},
                          kindOf(wrapped, *t),
                          head});
  dataset.maps.back().term = [=](std::int64_t r, std::int64_t p) {
    if (!t->reads(axis, p)) return std::string("0");
    return partOfAngle(place(r), t->frequencyOf(axis, p)) + (wrapped ? " mod 2π" : "");
  };
}

/// 1 where a pair turns with an axis, 0 elsewhere: not a line to be drawn, but what the axis's map leaves blank.
void addReads(Dataset& dataset, const Turning& t, int head) {
  for (std::int64_t a = 0; a < t.axes; ++a) {
    const AxisName name = axisName(t.axes, a);
    Curve curve{name.key, name.name, CurveRole::mark, {}, {}, head};
    for (std::int64_t p = 0; p < t.pairs; ++p) {
      curve.x.push_back(static_cast<double>(p));
      curve.y.push_back(t.reads(a, p) ? 1 : 0);
    }
    dataset.curves.push_back(std::move(curve));
  }
  dataset.x = pairAxis();
  dataset.y = valueAxis({"reads the axis", "读取该轴"});
}

/// "0–15", "0, 3 … 57", or only how many.
Text pairsOf(const Turning& t, std::int64_t axis) {
  std::vector<std::int64_t> pairs;
  for (std::int64_t p = 0; p < t.pairs; ++p)
    if (t.reads(axis, p)) pairs.push_back(p);
  if (pairs.empty()) return {"no pair", "没有维度对"};
  if (pairs.size() == 1) return {join("pair ", pairs[0]), join("第 ", pairs[0], " 对")};
  const std::int64_t step = pairs[1] - pairs[0];
  for (std::size_t k = 2; k < pairs.size(); ++k)
    if (pairs[k] - pairs[k - 1] != step) return {join(pairs.size(), " pairs"), join(pairs.size(), " 个维度对")};
  const std::string list =
      step == 1 ? join(pairs.front(), "–", pairs.back()) : join(pairs[0], ", ", pairs[1], " … ", pairs.back());
  return {"pairs " + list, "维度对 " + list};
}

void addSharing(Dataset& dataset, const Turning& t) {
  Text sentence;
  for (std::int64_t a = 0; a < t.axes; ++a) {
    const AxisName name = axisName(t.axes, a);
    std::int64_t count = 0;
    for (std::int64_t p = 0; p < t.pairs; ++p) count += t.reads(a, p) ? 1 : 0;
    dataset.metrics.push_back({join(name.key, "_pairs"),
                               {"pairs that turn with " + name.name.en, "随" + name.name.zh + "转动的维度对"},
                               static_cast<double>(count),
                               "pairs"});
    const Text pairs = pairsOf(t, a);
    sentence.en += (a == 0 ? "" : ", ") + name.name.en + " turns " + pairs.en;
    sentence.zh += (a == 0 ? "" : "，") + name.name.zh + "转动" + pairs.zh;
  }
  sentence.en.front() = static_cast<char>(std::toupper(sentence.en.front()));
  dataset.remarks.push_back({Verdict::neutral, {sentence.en + ".", sentence.zh + "。"}});
}

Expected<Dataset> answer(const Question& question, const Job&) {
  const Expected<Options> options = optionTable().read(question.measure, question.options);
  if (!options) return fail(options.error());
  const Expected<EncodingPtr> encoding = encodingOf(question);
  if (!encoding) return fail(encoding.error());
  const Encoding<float>& e = **encoding;
  const std::int64_t sets = e.rotation ? e.rotation->sets : 1;
  const Expected<std::int64_t> set = headOf(options->head, sets, question);
  if (!set) return fail(set.error());
  Dataset dataset;
  if (!e.rotation && turning(e, *set).empty()) {
    dataset.nothing = nothingTurns(e);
    return dataset;
  }
  const TurningPtr t = turningOf(e, *set, question.shape);
  const int head = sets > 1 ? static_cast<int>(*set) : -1;
  addTokens(dataset, t, question, options->wrapped, head);
  if (t->axes == 1) return dataset;
  for (std::int64_t a = 0; a < t->axes; ++a) addAxis(dataset, t, a, options->wrapped, head);
  addReads(dataset, *t, head);
  addSharing(dataset, *t);
  return dataset;
}

}  // namespace

Measure angleMap() {
  return {
      "angle_map",
      {"Angle map", "角度图"},
      {"The angle of each pair at each position: the first columns go round within a few tokens, the last ones hardly "
       "begin a turn. Where a token has several positions, each axis has a map of its own, and the pairs that do not "
       "read it stay blank.",
       "每个维度对在每个位置上的角度：前面的列几个词元就转一圈，最后的列几乎还没开始转。"
       "当一个词元有多个位置时，每个轴各有一张图，不读取该轴的维度对留空。"},
      "[seq_len, pairs], radians; with several axes [1 + axes, rows, pairs]: by token, then a map for each axis over "
      "its "
      "positions",
      optionTable().specs(),
      answer,
      {"rope", "rope_2d"}};
}

}  // namespace posiscope::measures
