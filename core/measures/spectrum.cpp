// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/axes.h"
#include "core/measures/derived.h"
#include "core/measures/encoded.h"
#include "core/measures/frequencies.h"
#include "core/measures/linear_shift.h"
#include "core/measures/measures.h"
#include "core/screen_number.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

namespace posiscope::measures {
namespace {

enum class Quantity { wavelength, turns };

struct Options {
  Quantity quantity = Quantity::wavelength;
  std::int64_t head = 0;
};

const ParamTable<Options>& optionTable() {
  static const ParamTable<Options> table = [] {
    ParamTable<Options> t;
    t.choice("quantity", &Options::quantity,
             {{"wavelength", {"wavelength", "波长"}}, {"turns", {"turns in training", "训练长度内的圈数"}}},
             {{"quantity", "显示量"},
              {"Tokens in one turn of a pair, or turns within the training length.",
               "每个维度对转一圈所需的词元数，或训练长度内转过的圈数。"}});
    t.integer(
        "head", &Options::head, {0, 1023, 0, 31, false},
        {{"head", "头"}, {"The head shown where the heads turn differently.", "当各头旋转不同时，显示哪一个头。"}});
    return t;
  }();
  return table;
}

/// How the term of a curve is written.
using TermOf = std::function<std::string(const std::string& pair, std::size_t p)>;

void addCurve(Dataset& dataset, std::string key, Text label, CurveRole role, std::vector<double> y, TermOf term) {
  std::vector<double> pair;
  for (std::size_t p = 0; p < y.size(); ++p) {
    pair.push_back(static_cast<double>(p));
    // A pair that never turns has no wavelength; a gap shows that.
    if (std::isinf(y[p])) y[p] = std::numeric_limits<double>::quiet_NaN();
  }
  dataset.curves.push_back({std::move(key), std::move(label), role, std::move(pair), std::move(y), -1});
  dataset.curves.back().term = [term = std::move(term)](double p) {
    return term(subscript(static_cast<std::int64_t>(p)), static_cast<std::size_t>(p));
  };
}

TermOf wavelengthTerm(std::vector<double> w) {
  return [w = std::move(w)](const std::string& pair, std::size_t p) {
    return "2π / θ" + pair + ", θ" + pair + " = " + screenNumber(w[p]);
  };
}

/// `length`: the tokens that the turns are counted in; 0 where the positions are not counted in tokens.
TermOf turnsTerm(std::vector<double> w, Swept swept, double length) {
  return [w = std::move(w), swept = std::move(swept), length](const std::string& pair, std::size_t p) {
    if (length == 0) return swept.term(p);
    return "θ" + pair + " · " + screenNumber(length) + " / 2π, θ" + pair + " = " + screenNumber(w[p]);
  };
}

/// How many pairs never complete a turn; where none does, what all that turn do.
Text turnsSentence(std::int64_t incomplete, std::int64_t still, std::size_t pairs, const Text& where) {
  const std::int64_t moving = static_cast<std::int64_t>(pairs) - still;
  const std::string all = readable(static_cast<double>(moving));
  if (incomplete > 0 || moving == 0) {
    const Text some = someOfPairs(incomplete, pairs);
    return {some.en + " never complete a turn " + where.en + ".", some.zh + where.zh + "转不满一圈。"};
  }
  return {"All " + all + (still > 0 ? " pairs that turn" : " pairs") + " complete at least one turn " + where.en + ".",
          (still > 0 ? "会转动的全部 " : "全部 ") + all + " 个维度对" + where.zh + "都至少转满一圈。"};
}

/// The longest wave that goes once round in all pairs that turn, in the unit of wavelengths: how far the positions
/// reach. None where they reach farther for some pairs than for others, as on a grid of unequal sides.
std::optional<double> sharedExtent(const Swept& swept, const std::vector<double>& w) {
  std::optional<double> extent;
  for (std::size_t p = 0; p < w.size(); ++p) {
    if (w[p] == 0) continue;
    const double here = swept.angle[p] / std::abs(w[p]);
    if (extent && std::abs(here - *extent) > 1e-9 * *extent) return std::nullopt;
    extent = here;
  }
  return extent;
}

/// The band of what never completes a turn.
Mark incompleteBand(const TrainedAngles& angles, const Text& where, double from, double to) {
  const Text label = angles.known ? Text{"never completes a turn in training", "训练中转不满一圈"}
                                  : Text{"never completes a turn " + where.en, where.zh + "转不满一圈"};
  return {label, false, from, to};
}

/// `paired`: a frequency belongs to two dimensions, which PoPE's does not.
void addTurns(Dataset& dataset, const std::vector<double>& w, const Swept& swept, const Text& where, bool scaled,
              bool paired) {
  std::int64_t complete = 0;
  for (std::size_t p = 0; p < w.size(); ++p) complete += swept.completes(p) ? 1 : 0;
  const auto still = static_cast<std::int64_t>(std::ranges::count(w, 0.0));
  const std::int64_t incomplete = std::ssize(w) - complete - still;
  dataset.metrics.push_back({"incomplete_pairs",
                             {"pairs that never complete a turn", "未转满一圈的维度对"},
                             static_cast<double>(incomplete),
                             "pairs"});
  if (paired)
    dataset.metrics.push_back(
        {"critical_dim", {"critical dimension", "临界维度"}, static_cast<double>(2 * complete), "dimensions"});
  Text sentence = turnsSentence(incomplete, still, w.size(), where);
  // The view of turns counts what training did, before it.
  if (scaled) sentence = {"As scaled: " + sentence.en, "缩放之后：" + sentence.zh};
  dataset.remarks.push_back({Verdict::neutral, std::move(sentence)});
  addStill(dataset, w);
}

/// Which two columns of an added table turn together, where its numbers are such waves.
void addColumns(Dataset& dataset, const InputPart<float>& input) {
  const std::optional<std::vector<WaveColumns>> columns = waveColumns(input);
  if (!columns || columns->empty()) return;
  const WaveColumns& first = columns->front();
  dataset.metrics.push_back({"columns_apart",
                             {"from a pair's first column to its second", "维度对两列之间的间隔"},
                             static_cast<double>(first.second - first.first),
                             "dimensions"});
}

Expected<Dataset> answer(const Question& question, const Job&) {
  const Expected<Options> options = optionTable().read(question.measure, question.options);
  if (!options) return fail(options.error());
  const Expected<TrainedAngles> angles = trainedAngles(question);
  if (!angles) return fail(angles.error());
  const Encoding<float>& e = *angles->now;
  const Expected<std::int64_t> set = headOf(options->head, angles->sets(), question);
  if (!set) return fail(set.error());
  const std::vector<double> w = turning(e, *set);
  Dataset dataset;
  if (w.empty()) {
    dataset.nothing = nothingTurns(e);
    return dataset;
  }
  const std::vector<double> plain = turning(*angles->plain, *set);
  const bool scaled = plain != w, turns = options->quantity == Quantity::turns, by_token = angles->by_token;
  // On a grid, or at drawn ids, the turns are those of this sequence.
  const double length = by_token ? angles->tokens : angles->keys;
  const Text where = placesText(*angles, question.shape, length);
  // Wavelengths are those of this sequence; turns in training are those of the steps that tokens had there.
  const Encoding<float>& there = angles->stretched() && !scaled ? *angles->then : e;
  const Swept swept = angles->sweptBy(there, *set, length);
  const auto add = [&](std::string key, Text label, CurveRole role, const Encoding<float>& of) {
    const std::vector<double> frequency = turning(of, *set);
    if (!turns)
      return addCurve(dataset, std::move(key), std::move(label), role, wavelengths(frequency),
                      wavelengthTerm(frequency));
    Swept turned = angles->sweptBy(of, *set, length);
    std::vector<double> y = turned.turns();
    addCurve(dataset, std::move(key), std::move(label), role, std::move(y),
             turnsTerm(frequency, std::move(turned), by_token ? length : 0));
  };
  const Text label =
      turns ? Text{"turns " + where.en, by_token ? readable(length) + " 个词元内的圈数" : where.zh + "的圈数"}
            : Text{"wavelength", "波长"};
  add(turns ? "turns" : "wavelength", label, CurveRole::line, turns ? there : e);
  if (scaled)
    add("unscaled", {label.en + " before scaling", "缩放前的" + label.zh}, CurveRole::bound,
        turns ? *angles->then : *angles->plain);
  dataset.x = pairAxis();
  // A step of a grid is no token.
  const std::string unit = by_token ? "tokens" : "";
  const Text wavelength =
      by_token ? Text{"wavelength", "波长"} : Text{"wavelength, steps of its axis", "波长（所在轴的步数）"};
  dataset.y = valueAxis(turns ? Text{"turns", "圈数"} : wavelength, turns ? "" : unit, true);
  if (turns)
    dataset.marks.push_back({{"one turn", "一圈"}, false, 1, 1});
  else if (by_token && !angles->stretched())
    addTrainedMark(dataset, question.train_length, false);
  if (question.train_length > 0) {
    // Of stretched positions, a wave as long as this sequence was as long as the training one there.
    const std::optional<double> extent =
        by_token && !angles->stretched() ? std::optional(length) : sharedExtent(swept, w);
    if (turns)
      dataset.marks.push_back(incompleteBand(*angles, where, 0, 1));
    else if (extent && *extent > 0)
      dataset.marks.push_back(incompleteBand(*angles, where, *extent, std::numeric_limits<double>::infinity()));
  }
  double longest = 0;
  for (const double each : wavelengths(w))
    if (std::isfinite(each)) longest = std::max(longest, each);
  if (longest > 0) dataset.metrics.push_back({"longest_wavelength", {"longest wavelength", "最长波长"}, longest, unit});
  addTurns(dataset, w, swept, where, scaled, e.logits.score.frequency.empty());
  if (scaled) addScaling(dataset, w, plain);
  if (!e.rotation) addColumns(dataset, e.input);
  if (angles->known && angles->keys > angles->tokens)
    addUnseen(dataset, angles->nowOf(*set), angles->seenOf(*set), angles->keys);
  return dataset;
}

}  // namespace

Measure spectrum() {
  return {"spectrum",
          {"Spectrum", "频谱"},
          {"How many tokens each pair needs for one turn: the first pairs turn within a few tokens, the last ones need "
           "thousands. Pairs above the training length never completed a turn, so a longer text shows them new angles.",
           "每个维度对转一圈需要多少词元：前面的几个词元就转一圈，最后的需要成千上万。"
           "高于训练长度的维度对在训练中从未转满一圈，更长的文本会让它们遇到新的角度。"},
          "[2, pairs]: pair, wavelength in tokens (or turns); a third row before scaling when there is one",
          optionTable().specs(),
          answer};
}

}  // namespace posiscope::measures
