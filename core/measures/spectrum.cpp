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
#include <limits>

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

/// `length`: what the turns are counted in; 0 for wavelengths.
void addCurve(Dataset& dataset, std::string key, Text label, CurveRole role, std::vector<double> y,
              const std::vector<double>& w, double length) {
  std::vector<double> pair;
  for (std::size_t p = 0; p < y.size(); ++p) {
    pair.push_back(static_cast<double>(p));
    // A pair that never turns has no wavelength; a gap shows that.
    if (std::isinf(y[p])) y[p] = std::numeric_limits<double>::quiet_NaN();
  }
  dataset.curves.push_back({std::move(key), std::move(label), role, std::move(pair), std::move(y), -1});
  dataset.curves.back().term = [w, length](double p) {
    const std::string theta = "θ" + subscript(static_cast<std::int64_t>(p));
    const std::string number = ", " + theta + " = " + screenNumber(w[static_cast<std::size_t>(p)]);
    return (length > 0 ? theta + " · " + screenNumber(length) + " / 2π" : "2π / " + theta) + number;
  };
}

/// How many pairs never complete a turn; where none does, what all that turn do.
Text turnsSentence(std::int64_t incomplete, std::int64_t still, std::size_t pairs, const std::string& tokens) {
  const std::int64_t moving = static_cast<std::int64_t>(pairs) - still;
  const std::string all = readable(static_cast<double>(moving));
  if (incomplete > 0 || moving == 0) {
    const Text some = someOfPairs(incomplete, pairs);
    return {some.en + " never complete a turn in " + tokens + " tokens.",
            some.zh + "在 " + tokens + " 个词元内转不满一圈。"};
  }
  return {"All " + all + (still > 0 ? " pairs that turn" : " pairs") + " complete at least one turn in " + tokens +
              " tokens.",
          (still > 0 ? "会转动的全部 " : "全部 ") + all + " 个维度对在 " + tokens + " 个词元内都至少转满一圈。"};
}

/// `paired`: a frequency belongs to two dimensions, which PoPE's does not.
void addTurns(Dataset& dataset, const std::vector<double>& w, double length, bool scaled, bool paired) {
  const auto still = static_cast<std::int64_t>(std::ranges::count(w, 0.0));
  const std::int64_t incomplete = incompleteDims(w, length) / 2 - still;
  const std::string tokens = readable(length);
  dataset.metrics.push_back({"incomplete_pairs",
                             {"pairs that never complete a turn", "未转满一圈的维度对"},
                             static_cast<double>(incomplete),
                             "pairs"});
  if (paired)
    dataset.metrics.push_back({"critical_dim",
                               {"critical dimension", "临界维度"},
                               static_cast<double>(criticalDim(w, length)),
                               "dimensions"});
  Text sentence = turnsSentence(incomplete, still, w.size(), tokens);
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
  const Expected<EncodingPtr> encoding = encodingOf(question);
  if (!encoding) return fail(encoding.error());
  const Encoding<float>& e = **encoding;
  const Expected<std::int64_t> set = headOf(options->head, e.rotation ? e.rotation->sets : 1, question);
  if (!set) return fail(set.error());
  const std::vector<double> w = turning(e, *set);
  Dataset dataset;
  if (w.empty()) {
    dataset.nothing = nothingTurns(e);
    return dataset;
  }
  const std::vector<double> plain = unscaled(question, *set);
  const bool scaled = plain.size() == w.size() && plain != w;
  const bool known = question.train_length > 0;
  const double length = known ? question.train_length : static_cast<double>(question.shape.keys());
  const bool turns = options->quantity == Quantity::turns;
  const auto quantity = [&](const std::vector<double>& f) { return turns ? rotations(f, length) : wavelengths(f); };
  const Text label = turns ? Text{"turns in " + readable(length) + " tokens", readable(length) + " 个词元内的圈数"}
                           : Text{"wavelength", "波长"};
  addCurve(dataset, turns ? "turns" : "wavelength", label, CurveRole::line, quantity(w), w, turns ? length : 0);
  if (scaled)
    addCurve(dataset, "unscaled", {label.en + " before scaling", "缩放前的" + label.zh}, CurveRole::bound,
             quantity(plain), plain, turns ? length : 0);
  dataset.x = pairAxis();
  dataset.y = valueAxis(turns ? Text{"turns", "圈数"} : Text{"wavelength", "波长"}, turns ? "" : "tokens", true);
  if (turns)
    dataset.marks.push_back({{"one turn", "一圈"}, false, 1, 1});
  else
    addTrainedMark(dataset, question.train_length, false);
  double longest = 0;
  for (const double wavelength : wavelengths(w))
    if (std::isfinite(wavelength)) longest = std::max(longest, wavelength);
  if (longest > 0)
    dataset.metrics.push_back({"longest_wavelength", {"longest wavelength", "最长波长"}, longest, "tokens"});
  addTurns(dataset, w, length, scaled, e.logits.score.frequency.empty());
  if (scaled) addScaling(dataset, w, plain);
  if (!e.rotation) addColumns(dataset, e.input);
  const auto seq_len = static_cast<double>(question.shape.keys());
  if (known && seq_len > length) addUnseen(dataset, w, scaled ? plain : w, length, seq_len);
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
