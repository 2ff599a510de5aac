// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/axes.h"
#include "core/measures/encoded.h"
#include "core/measures/frequencies.h"
#include "core/measures/measures.h"
#include "core/schemes/list.h"
#include "core/screen_number.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace posiscope::measures {
namespace {

struct Options {
  std::int64_t longest = 0;
  std::int64_t head = 0;
};

const ParamTable<Options>& optionTable() {
  static const ParamTable<Options> table = [] {
    ParamTable<Options> t;
    t.integer("longest", &Options::longest, {0, 1 << 20, 0, 1 << 18, false},
              {{"longest", "最大长度"},
               {"How long a sequence is asked for; 0 means four times this sequence or the training length, whichever "
                "is longer.",
                "最长问到多长的序列；0 表示当前序列与训练长度中较大者的四倍。"},
               "",
               "tokens"})
        .unset({"4 × this", "4 倍"});
    t.integer(
        "head", &Options::head, {0, 1023, 0, 31, false},
        {{"head", "头"}, {"The head shown where the heads turn differently.", "当各头旋转不同时，显示哪一个头。"}});
    return t;
  }();
  return table;
}

/// The slowest pair that turns, and the base of an unscaled rotation in which it turns like that.
struct Slowest {
  std::int64_t pair = 0;
  std::int64_t pairs = 0;
  double frequency = 0;

  double base() const { return std::pow(frequency, -static_cast<double>(pairs) / static_cast<double>(pair)); }
};

/// Nothing where no pair tells a base: the first one turns alike whatever it is.
std::optional<Slowest> slowestOf(const RotationPart& rotation, std::int64_t set) {
  if (rotation.axes != 1) return std::nullopt;
  for (std::int64_t p = rotation.pairs() - 1; p > 0; --p) {
    const double w = std::abs(rotation.frequencyOf(set, 0, p));
    if (w > 0) return Slowest{p, rotation.pairs(), w};
  }
  return std::nullopt;
}

/// Evenly spread ones up to `longest`, and those that people ask about. A dynamic base has its bend between two.
std::set<std::int64_t> lengthsUpTo(std::int64_t longest, const Question& question) {
  constexpr std::int64_t steps = 64;
  std::set<std::int64_t> lengths;
  for (std::int64_t k = 1; k <= steps; ++k) lengths.insert(std::max<std::int64_t>(1, longest * k / steps));
  const auto add = [&](double length) {
    if (length >= 1 && length <= static_cast<double>(longest)) lengths.insert(static_cast<std::int64_t>(length));
  };
  add(1);
  add(static_cast<double>(question.shape.keys()));
  add(question.train_length);
  const auto most = question.scheme.values.find("max_length");
  if (most != question.scheme.values.end()) add(std::get<double>(most->second));
  return lengths;
}

/// The encoding of another length, which is not worth remembering. Nothing where the scheme refuses the length.
std::optional<Slowest> slowestAt(const Question& question, std::int64_t length, std::int64_t set) {
  Shape shape = question.shape;
  shape.seq_len = length;
  shape.seq_len_q = 0;
  const Expected<Encoding<float>> encoding = schemes::find(question.scheme.id)->encode(question.scheme.values, shape);
  if (!encoding || !encoding->rotation || set >= encoding->rotation->sets) return std::nullopt;
  return slowestOf(*encoding->rotation, set);
}

Text whyNothing(const Encoding<float>& encoding) {
  const OwnScore<float>& score = encoding.logits.score;
  if (!score.no_angle.en.empty() || !score.frequency.empty())
    return {"This scheme turns queries and keys inside its score, with one and the same base at every length.",
            "该方案在分数内部旋转查询与键：任何长度都用同一个底数。"};
  if (!encoding.rotation)
    return {"This scheme rotates nothing: it has no base that could follow the length.",
            "该方案不做旋转：没有可随长度变化的底数。"};
  if (encoding.rotation->axes != 1)
    return {"The tokens of this scheme have several positions each: no one length sets its base.",
            "该方案的每个词元有多个位置：没有单一的长度决定其底数。"};
  return {"No pair of this scheme tells its base: the first pair turns alike whatever the base is.",
          "该方案没有能体现底数的维度对：无论底数多大，第一对的转动都一样。"};
}

void addRemark(Dataset& dataset, const Curve& curve, std::int64_t now) {
  const auto [least, most] = std::ranges::minmax(curve.y);
  const auto at = std::ranges::find(curve.x, static_cast<double>(now));
  const double present = at == curve.x.end() ? curve.y.back() : curve.y[static_cast<std::size_t>(at - curve.x.begin())];
  dataset.metrics.push_back({"base", {"base at this length", "当前长度下的底数"}, present, ""});
  dataset.metrics.push_back({"base_growth", {"largest / smallest base", "最大底数 / 最小底数"}, most / least, ""});
  if (most / least < 1 + 1e-9) {
    dataset.remarks.push_back(
        {Verdict::neutral, {"The base is the same at every length.", "底数在任何长度下都相同。"}});
    return;
  }
  const std::string tokens = readable(static_cast<double>(now));
  const std::string base = readable(present);
  const std::string from = readable(curve.y.front());
  dataset.remarks.push_back({Verdict::neutral,
                             {"The base follows the length: " + base + " at " + tokens + " tokens, " + from +
                                  " for the shortest. What was computed for one length does not serve another.",
                              "底数随长度变化：" + tokens + " 个词元时为 " + base + "，最短时为 " + from +
                                  "。为某一长度算出的结果不能用于另一长度。"}});
}

Expected<Dataset> answer(const Question& question, const Job& job) {
  const Expected<Options> options = optionTable().read(question.measure, question.options);
  if (!options) return fail(options.error());
  const Expected<EncodingPtr> encoding = encodingOf(question);
  if (!encoding) return fail(encoding.error());
  const Encoding<float>& e = **encoding;
  const std::int64_t sets = e.rotation ? e.rotation->sets : 1;
  const Expected<std::int64_t> set = headOf(options->head, sets, question);
  if (!set) return fail(set.error());
  Dataset dataset;
  if (!e.rotation || !slowestOf(*e.rotation, *set)) {
    dataset.nothing = whyNothing(e);
    return dataset;
  }
  const std::int64_t now = question.shape.keys();
  constexpr std::int64_t most_tokens = 1 << 20;
  const auto trained = static_cast<std::int64_t>(std::min(question.train_length, static_cast<double>(most_tokens)));
  const std::int64_t longest =
      options->longest > 0 ? options->longest : std::min(most_tokens, 4 * std::max(now, trained));
  Curve curve{"base", {"base", "底数"}, CurveRole::line, {}, {}, sets > 1 ? static_cast<int>(*set) : -1};
  std::vector<Slowest> found;
  for (const std::int64_t length : lengthsUpTo(longest, question)) {
    if (job.stopped()) return stopped();
    const std::optional<Slowest> slowest = slowestAt(question, length, *set);
    if (!slowest) continue;
    curve.x.push_back(static_cast<double>(length));
    curve.y.push_back(slowest->base());
    found.push_back(*slowest);
    job.setProgress(static_cast<double>(length) / static_cast<double>(longest));
  }
  if (found.empty()) {
    dataset.nothing = {"This scheme is made for this length alone.", "该方案只适用于当前长度。"};
    return dataset;
  }
  curve.term = [x = curve.x, found](double length) {
    const auto at = std::ranges::lower_bound(x, length);
    const Slowest& s = found[static_cast<std::size_t>(std::min(at, x.end() - 1) - x.begin())];
    return join("θ", subscript(s.pair), "^(−", s.pairs, "/", s.pair, "), θ", subscript(s.pair), " = ",
                screenNumber(s.frequency));
  };
  dataset.x = valueAxis({"length of the sequence", "序列长度"}, "tokens");
  dataset.x.symbol = "l";
  dataset.y = valueAxis({"base", "底数"}, "", true);
  addTrainedMark(dataset, question.train_length, true);
  addRemark(dataset, curve, now);
  dataset.curves.push_back(std::move(curve));
  return dataset;
}

}  // namespace

Measure baseByLength() {
  return {"base_by_length",
          {"Base by length", "底数与长度"},
          {"The base that the slowest turning pair stands for, for a sequence of each length: flat where the scheme "
           "does not look at the length, rising beyond the trained length for dynamic NTK. A step is a scheme that "
           "changes its table there, and a key cached before the step no longer fits a query after it.",
           "对每种序列长度，最慢的转动维度对所对应的底数：不看长度的方案为水平线，动态 NTK 在超过训练长度后上升。"
           "出现台阶表示方案在该处换了一张表，台阶之前缓存的键不再与之后的查询相配。"},
          "[2, lengths]: length of the sequence in tokens, base",
          optionTable().specs(),
          answer,
          {"rope"}};
}

}  // namespace posiscope::measures
