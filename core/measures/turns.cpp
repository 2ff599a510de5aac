// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/axes.h"
#include "core/measures/encoded.h"
#include "core/measures/frequencies.h"
#include "core/measures/measures.h"
#include "core/screen_number.h"

#include <algorithm>

namespace posiscope::measures {
namespace {

struct Options {
  std::int64_t head = 0;
};

const ParamTable<Options>& optionTable() {
  static const ParamTable<Options> table = [] {
    ParamTable<Options> t;
    t.integer(
        "head", &Options::head, {0, 1023, 0, 31, false},
        {{"head", "头"}, {"The head shown where the heads turn differently.", "当各头旋转不同时，显示哪一个头。"}});
    return t;
  }();
  return table;
}

/// The turns of the pairs that turn at all. `length` tokens where positions count tokens, else 0: the angles are those
/// of the positions themselves.
Curve turnsCurve(std::string key, Text label, CurveRole role, const Swept& swept, const std::vector<double>& w,
                 double length, int head) {
  const std::vector<double> turns = swept.turns();
  Curve curve{std::move(key), std::move(label), role, {}, {}, head};
  for (std::size_t p = 0; p < turns.size(); ++p) {
    if (turns[p] == 0) continue;
    curve.x.push_back(static_cast<double>(p));
    curve.y.push_back(turns[p]);
  }
  curve.term = [swept, w, length](double p) {
    const std::string pair = subscript(static_cast<std::int64_t>(p));
    const auto at = static_cast<std::size_t>(p);
    if (length == 0) return swept.term(at);
    return screenNumber(length) + " · θ" + pair + " / 2π, θ" + pair + " = " + screenNumber(w[at]);
  };
  return curve;
}

/// ", from pair 35 on," where they are the last ones, which they are unless frequencies rise somewhere or pairs behind
/// them never turn.
Text whichPairs(const std::vector<bool>& incomplete) {
  const auto first = std::ranges::find(incomplete, true);
  const std::string pair = readable(static_cast<double>(first - incomplete.begin()));
  const bool all_after = std::all_of(first, incomplete.end(), [](bool b) { return b; });
  if (std::ranges::count(incomplete, true) == 1) return {", pair " + pair + ",", "（第 " + pair + " 对）"};
  if (all_after) return {", from pair " + pair + " on,", "（从第 " + pair + " 对起）"};
  return {", the first of them pair " + pair + ",", "（最先的是第 " + pair + " 对）"};
}

/// `w`: the frequencies now; a pair that has none is counted apart.
void addIncomplete(Dataset& dataset, const Swept& seen, const std::vector<double>& w, const Text& where,
                   bool before_scaling) {
  std::vector<bool> incomplete;
  for (std::size_t p = 0; p < w.size(); ++p) incomplete.push_back(w[p] != 0 && !seen.completes(p));
  const std::int64_t count = std::ranges::count(incomplete, true);
  dataset.metrics.push_back({"incomplete_pairs",
                             {"pairs that never complete a turn", "未转满一圈的维度对"},
                             static_cast<double>(count),
                             "pairs"});
  if (count == 0) {
    const bool still = std::ranges::count(w, 0.0) > 0;
    dataset.remarks.push_back({Verdict::good,
                               {join("Every pair ", still ? "that turns " : "", "completes a turn ", where.en, "."),
                                join(where.zh, "，每个", still ? "会转动的" : "", "维度对都至少转满一圈。")}});
    return;
  }
  dataset.metrics.push_back({"first_incomplete_pair",
                             {"first pair that never completes a turn", "第一个转不满一圈的维度对"},
                             static_cast<double>(std::ranges::find(incomplete, true) - incomplete.begin()),
                             ""});
  const Text some = someOfPairs(count, w.size());
  const Text which = whichPairs(incomplete);
  const Text when = before_scaling ? Text{"Before scaling: ", "缩放之前："} : Text{};
  dataset.remarks.push_back({Verdict::neutral,
                             {when.en + some.en + which.en + " never complete a turn " + where.en + ".",
                              when.zh + some.zh + which.zh + where.zh + "转不满一圈。"}});
}

/// "in 8 192 tokens" as the name of a curve.
Text curveLabel(const TrainedAngles& angles, const Shape& shape, double tokens) {
  if (!angles.by_token) return placesText(angles, shape, tokens);
  const std::string count = readable(tokens);
  return {"in " + count + " tokens", count + " 个词元内"};
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
  if (std::ranges::count(w, 0.0) == std::ssize(w)) {
    dataset.nothing = nothingTurns(e);
    return dataset;
  }
  const Swept now = angles->nowOf(*set), seen = angles->seenOf(*set);
  if (std::ranges::count(now.angle, 0.0) == std::ssize(now.angle)) {
    dataset.nothing = {"All tokens stand at one place: nothing turns from one to another.",
                       "所有词元都在同一位置：彼此之间没有转动。"};
    return dataset;
  }
  const Shape& shape = question.shape;
  const std::vector<double> plain = turning(*angles->plain, *set);
  bool scaled = false;
  for (std::size_t p = 0; p < w.size(); ++p) scaled = scaled || (w[p] != 0 && plain[p] != w[p]);
  const int head = angles->sets() > 1 ? static_cast<int>(*set) : -1;
  dataset.curves.push_back(turnsCurve("turns", curveLabel(*angles, shape, angles->keys), CurveRole::line, now, w,
                                      angles->by_token ? angles->keys : 0, head));
  if (angles->known && (angles->tokens != angles->keys || scaled)) {
    const std::string then = readable(angles->tokens);
    dataset.curves.push_back(
        turnsCurve("trained", {"in training, " + then + " tokens", "训练时，" + then + " 个词元内"}, CurveRole::bound,
                   seen, turning(*angles->then, *set), angles->by_token ? angles->tokens : 0, head));
  }
  dataset.x = pairAxis();
  dataset.y = valueAxis({"turns", "圈数"}, "", true);
  dataset.marks.push_back({{"one turn", "一圈"}, false, 1, 1});
  addIncomplete(dataset, seen, w, placesText(*angles, shape, angles->tokens), scaled);
  addStill(dataset, w);
  if (question.train_length > 0 && !angles->known)
    dataset.remarks.push_back({Verdict::neutral,
                               {"A training length in tokens does not say at which positions they stood: the turns are "
                                "those of this sequence.",
                                "以词元计的训练长度并未说明词元所在的位置：这里的圈数属于当前序列。"}});
  if (angles->known && angles->keys > angles->tokens) addUnseen(dataset, now, seen, angles->keys);
  return dataset;
}

}  // namespace

Measure turns() {
  return {"turns",
          {"Turns", "圈数"},
          {"How often each pair turns within this sequence and, dashed, how often it did within the training length "
           "before any scaling. A pair above one turn has met every angle; below it a longer text brings angles that "
           "training never showed, unless scaling keeps the solid line at or under the dashed one.",
           "每个维度对在当前序列内转过多少圈；虚线为缩放之前在训练长度内转过的圈数。"
           "高于一圈的维度对已见过所有角度；低于一圈的，更长的文本会带来训练中未见的角度，除非缩放使实线不高于虚线。"},
          "[2, pairs]: pair, turns in seq_len tokens, or on the grid; a third row: turns in training",
          optionTable().specs(),
          answer};
}

}  // namespace posiscope::measures
