// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/axes.h"
#include "core/measures/derived.h"
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

/// The turns of the pairs that turn at all within `length` tokens.
Curve turnsCurve(std::string key, Text label, CurveRole role, const std::vector<double>& w, double length, int head) {
  const std::vector<double> turns = rotations(w, length);
  Curve curve{std::move(key), std::move(label), role, {}, {}, head};
  for (std::size_t p = 0; p < w.size(); ++p) {
    if (w[p] == 0) continue;
    curve.x.push_back(static_cast<double>(p));
    curve.y.push_back(turns[p]);
  }
  curve.term = [w, length](double p) {
    const std::string theta = "θ" + subscript(static_cast<std::int64_t>(p));
    return screenNumber(length) + " · " + theta + " / 2π, " + theta + " = " +
           screenNumber(w[static_cast<std::size_t>(p)]);
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

void addIncomplete(Dataset& dataset, const std::vector<double>& w, double length, bool before_scaling) {
  std::vector<bool> incomplete;
  for (const double turns : rotations(w, length)) incomplete.push_back(turns != 0 && turns < 1);
  const std::int64_t count = std::ranges::count(incomplete, true);
  const std::string tokens = readable(length);
  dataset.metrics.push_back({"incomplete_pairs",
                             {"pairs that never complete a turn", "未转满一圈的维度对"},
                             static_cast<double>(count),
                             "pairs"});
  if (count == 0) {
    const bool still = std::ranges::count(w, 0.0) > 0;
    dataset.remarks.push_back(
        {Verdict::good,
         {join("Every pair ", still ? "that turns " : "", "completes a turn in ", tokens, " tokens."),
          join("在 ", tokens, " 个词元内，每个", still ? "会转动的" : "", "维度对都至少转满一圈。")}});
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
                             {when.en + some.en + which.en + " never complete a turn in " + tokens + " tokens.",
                              when.zh + some.zh + which.zh + "在 " + tokens + " 个词元内转不满一圈。"}});
}

Expected<Dataset> answer(const Question& question, const Job&) {
  const Expected<Options> options = optionTable().read(question.measure, question.options);
  if (!options) return fail(options.error());
  const Expected<EncodingPtr> encoding = encodingOf(question);
  if (!encoding) return fail(encoding.error());
  const Encoding<float>& e = **encoding;
  const Expected<std::int64_t> set = headOf(options->head, e.rotation ? e.rotation->sets : 1, question);
  if (!set) return fail(set.error());
  const std::vector<double> w = turning(e, *set);
  Dataset dataset;
  if (std::ranges::count(w, 0.0) == std::ssize(w)) {
    dataset.nothing = nothingTurns(e);
    return dataset;
  }
  const std::vector<double> plain = unscaled(question, *set);
  std::vector<double> trained = plain.size() == w.size() ? plain : w;
  // No scaling stops a pair that was trained to turn: what never turns did not do so in training either.
  for (std::size_t p = 0; p < w.size(); ++p)
    if (w[p] == 0) trained[p] = 0;
  const auto seq_len = static_cast<double>(question.shape.keys());
  const bool known = question.train_length > 0;
  const int head = e.rotation && e.rotation->sets > 1 ? static_cast<int>(*set) : -1;
  const std::string now = readable(seq_len);
  dataset.curves.push_back(
      turnsCurve("turns", {"in " + now + " tokens", now + " 个词元内"}, CurveRole::line, w, seq_len, head));
  if (known && (question.train_length != seq_len || trained != w)) {
    const std::string then = readable(question.train_length);
    dataset.curves.push_back(turnsCurve("trained",
                                        {"in training, " + then + " tokens", "训练时，" + then + " 个词元内"},
                                        CurveRole::bound, trained, question.train_length, head));
  }
  dataset.x = pairAxis();
  dataset.y = valueAxis({"turns", "圈数"}, "", true);
  dataset.marks.push_back({{"one turn", "一圈"}, false, 1, 1});
  addIncomplete(dataset, trained, known ? question.train_length : seq_len, trained != w);
  addStill(dataset, w);
  if (known && seq_len > question.train_length) addUnseen(dataset, w, trained, question.train_length, seq_len);
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
          "[2, pairs]: pair, turns in seq_len tokens; a third row: turns in training",
          optionTable().specs(),
          answer};
}

}  // namespace posiscope::measures
