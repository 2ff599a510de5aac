// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/axes.h"
#include "core/measures/encoded.h"
#include "core/measures/frequencies.h"
#include "core/measures/measures.h"
#include "core/screen_number.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace posiscope::measures {
namespace {

struct Options {
  std::int64_t i = 1;
  std::int64_t j = 0;
  std::int64_t head = 0;
};

const ParamTable<Options>& optionTable() {
  static const ParamTable<Options> table = [] {
    ParamTable<Options> t;
    t.integer("i", &Options::i, {0, 1 << 24, 0, 8192, false},
              {{"query", "查询"},
               {"The token of the first hand, from 0.", "第一根指针所在的词元，从 0 开始。"},
               "",
               "tokens"});
    t.integer(
        "j", &Options::j, {0, 1 << 24, 0, 8192, false},
        {{"key", "键"}, {"The token of the second hand, from 0.", "第二根指针所在的词元，从 0 开始。"}, "", "tokens"});
    t.integer(
        "head", &Options::head, {0, 1023, 0, 31, false},
        {{"head", "头"}, {"The head shown where the heads turn differently.", "当各头旋转不同时，显示哪一个头。"}});
    return t;
  }();
  return table;
}

/// An angle within one turn, [0, 2π).
double withinTurn(double angle) {
  const double turn = 2 * std::numbers::pi;
  const double rest = angle - turn * std::floor(angle / turn);
  return rest < turn ? rest : 0.0;
}

/// Angles of all pairs at two tokens, and their positions.
struct Hands {
  double i = 0;
  double j = 0;
  std::vector<double> at_i;
  std::vector<double> at_j;
};

void addHands(Dataset& dataset, const Hands& hands, int head) {
  std::vector<double> pair;
  std::vector<double> first;
  std::vector<double> second;
  std::vector<double> between;
  for (std::size_t p = 0; p < hands.at_i.size(); ++p) {
    pair.push_back(static_cast<double>(p));
    first.push_back(withinTurn(hands.at_i[p]));
    second.push_back(withinTurn(hands.at_j[p]));
    between.push_back(withinTurn(hands.at_i[p] - hands.at_j[p]));
  }
  const auto add = [&](const char* key, Text label, std::vector<double> y, std::string turned) {
    dataset.curves.push_back({key, std::move(label), CurveRole::line, pair, std::move(y), head});
    dataset.curves.back().term = [turned = std::move(turned)](double p) {
      return turned + " · θ" + subscript(static_cast<std::int64_t>(p)) + " mod 2π";
    };
  };
  const std::string i = screenNumber(hands.i);
  const std::string j = screenNumber(hands.j);
  add("angle_i", {"angle at i", "i 处的角度"}, std::move(first), i);
  add("angle_j", {"angle at j", "j 处的角度"}, std::move(second), j);
  add("difference", {"angle between i and j", "i 与 j 之间的角度"}, std::move(between), "(" + i + " − " + j + ")");
  dataset.x = pairAxis();
  dataset.y = valueAxis({"angle", "角度"}, "rad");
}

/// Angles of all pairs at one token, radians; empty when nothing turns.
std::vector<double> anglesOf(const Encoding<float>& e, std::int64_t set, const Shape& shape, std::int64_t token) {
  std::vector<double> angles;
  if (e.rotation) {
    for (std::int64_t p = 0; p < e.rotation->pairs(); ++p) angles.push_back(e.rotation->angle(set, token, p));
  } else {
    const double position = shape.first_position + static_cast<double>(token);
    for (const double w : turning(e, 0)) angles.push_back(w * position);
  }
  return angles;
}

Expected<Dataset> answer(const Question& question, const Job&) {
  Expected<Options> options = optionTable().read(question.measure, question.options);
  if (!options) return fail(options.error());
  const Expected<EncodingPtr> encoding = encodingOf(question);
  if (!encoding) return fail(encoding.error());
  const Encoding<float>& e = **encoding;
  const std::int64_t last = question.shape.keys() - 1;
  // The default query 1 does not exist in a sequence of one token.
  if (!question.options.contains("i")) options->i = std::min(options->i, last);
  for (const auto& [key, token] : {std::pair{"i", options->i}, std::pair{"j", options->j}})
    if (token > last)
      return fail(rangeError(question.measure, key, 0, static_cast<double>(last), static_cast<double>(token)));
  const Expected<std::int64_t> set = e.rotation ? headOf(options->head, e.rotation->sets, question) : 0;
  if (!set) return fail(set.error());
  const double first = question.shape.first_position;
  const Hands hands{first + static_cast<double>(options->i), first + static_cast<double>(options->j),
                    anglesOf(e, *set, question.shape, options->i), anglesOf(e, *set, question.shape, options->j)};
  const int head = e.rotation && e.rotation->sets > 1 ? static_cast<int>(options->head) : -1;
  Dataset dataset;
  if (hands.at_i.empty()) {
    dataset.nothing = nothingTurns(e);
    return dataset;
  }
  addHands(dataset, hands, head);
  dataset.angles_at = [encoding = *encoding, s = *set, shape = question.shape](std::int64_t token) {
    return token < 0 || token >= shape.keys() ? std::vector<double>{} : anglesOf(*encoding, s, shape, token);
  };
  return dataset;
}

}  // namespace

Measure rotationDials() {
  return {"rotation",
          {"Rotation", "旋转"},
          {"Each pair of dimensions is a clock hand: one hand at position i, one at position j, and the angle between "
           "them is all that the score sees of the position. The first pairs turn fast like a second hand, the last "
           "ones hardly move.",
           "每个维度对是一根钟表指针：一根在位置 i，一根在位置 j，分数所见的位置信息只有两者的夹角。"
           "前面的维度对像秒针一样转得快，最后的几乎不动。"},
          "[4, pairs]: pair, angle at `i`, angle at `j`, angle between them, radians in [0, 2π)",
          optionTable().specs(),
          answer};
}

}  // namespace posiscope::measures
