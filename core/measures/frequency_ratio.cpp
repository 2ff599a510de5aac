// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/axes.h"
#include "core/measures/derived.h"
#include "core/measures/encoded.h"
#include "core/measures/frequencies.h"
#include "core/measures/measures.h"
#include "core/schemes/list.h"
#include "core/screen_number.h"

#include <algorithm>
#include <cmath>

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

/// A parameter of the scheme as it stands in the question; null when the scheme has none of that name.
const Value* paramOf(const Question& question, std::string_view key) {
  const Scheme* scheme = schemes::find(question.scheme.id);
  const ParamSpec* spec = scheme ? findParam(scheme->params, key) : nullptr;
  return spec ? &valueOf(*spec, question.scheme.values) : nullptr;
}

double numberOf(const Question& question, std::string_view key) { return std::get<double>(*paramOf(question, key)); }

/// The lines of one scheme, over its pairs before scaling.
class Marks {
 public:
  Marks(Dataset& dataset, const std::vector<double>& plain) : dataset_(dataset), plain_(plain) {}

  void atWavelength(double length, Text label) {
    if (const std::optional<double> pair = pairOfWavelength(plain_, length)) atPair(*pair, std::move(label));
  }
  void atPair(double pair, Text label) { dataset_.marks.push_back({std::move(label), true, pair, pair}); }

 private:
  Dataset& dataset_;
  const std::vector<double>& plain_;
};

void addYarnMarks(Marks& marks, const Encoding<float>& encoding, const Question& question, double original) {
  const auto bound = [&](const char* key, const char* fact, const std::string& name) {
    const double turns = numberOf(question, key);
    const std::string text = name + " = " + readable(turns);
    const auto known = std::ranges::find(encoding.facts, fact, &EncodingFact::key);
    if (known != encoding.facts.end())
      marks.atPair(known->value, {text, text});
    else  // where a pair turns so often within the original length
      marks.atWavelength(original / turns, {text, text});
  };
  bound("beta_fast", "yarn_low", "β_fast");
  bound("beta_slow", "yarn_high", "β_slow");
}

void addMarks(Dataset& dataset, const Encoding<float>& encoding, const Question& question,
              const std::vector<double>& plain, const std::string& scaling) {
  Marks marks(dataset, plain);
  const auto length = [&](double tokens, const Text& name) {
    const std::string text = "λ = " + readable(tokens);
    marks.atWavelength(tokens, {text + " " + name.en, text + name.zh});
  };
  if (question.train_length > 0) length(question.train_length, {"(trained)", "（训练长度）"});
  const bool yarn = scaling == "yarn" || scaling == "yarn_paper";
  if (!yarn && scaling != "llama3" && scaling != "longrope") return;
  const double original = numberOf(question, "original_length");
  if (original != question.train_length) length(original, {"(original)", "（原始长度）"});
  if (yarn) addYarnMarks(marks, encoding, question, original);
  if (scaling != "llama3") return;
  for (const auto& [key, name] : {std::pair{"high_freq_factor", "high"}, std::pair{"low_freq_factor", "low"}}) {
    const double factor = numberOf(question, key);
    // A factor of 1 is the original length itself, which has its line.
    if (factor == 1) continue;
    const std::string text = join("λ = L/", readable(factor), " (", name, ")");
    marks.atWavelength(original / factor, {text, text});
  }
}

/// How much less each pair turns; pairs that did not turn before have no ratio.
void addRatio(Dataset& dataset, const std::vector<double>& w, const std::vector<double>& plain, int head) {
  Curve curve{"ratio", {"after / before scaling", "缩放后 / 缩放前"}, CurveRole::line, {}, {}, head};
  for (std::size_t p = 0; p < w.size(); ++p) {
    if (plain[p] == 0) continue;
    curve.x.push_back(static_cast<double>(p));
    curve.y.push_back(w[p] / plain[p]);
  }
  curve.term = [w, plain](double p) {
    const auto at = static_cast<std::size_t>(p);
    const std::string pair = subscript(static_cast<std::int64_t>(p));
    return "θ′" + pair + " / θ" + pair + " = " + screenNumber(w[at]) + " / " + screenNumber(plain[at]);
  };
  dataset.x = pairAxis();
  // Equal ratios are equal steps, unless a pair was stopped altogether.
  const bool positive = std::ranges::all_of(curve.y, [](double ratio) { return ratio > 0; });
  dataset.y = valueAxis({"frequency after / before", "频率之比（后 / 前）"}, "", positive);
  dataset.metrics.push_back({"smallest_ratio", {"smallest ratio", "最小比值"}, *std::ranges::min_element(curve.y), ""});
  dataset.curves.push_back(std::move(curve));
}

void addAttentionFactor(Dataset& dataset, double factor) {
  dataset.metrics.push_back({"attention_factor", {"attention factor", "注意力因子"}, factor, ""});
  dataset.metrics.push_back({"logit_factor", {"logits ×", "logits 的倍数"}, factor * factor, ""});
  if (factor == 1) return;
  const std::string once = readable(factor);
  const std::string twice = readable(factor * factor);
  dataset.remarks.push_back(
      {Verdict::neutral,
       {"The attention factor multiplies queries and keys by " + once + ", the logits by " + twice + ".",
        "注意力因子使查询与键各乘以 " + once + "，logits 乘以 " + twice + "。"}});
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
  const Value* scaling = paramOf(question, "scaling");
  if (w.empty() || !scaling) {
    dataset.nothing = w.empty() ? nothingTurns(e)
                                : Text{"This scheme has no scaling: its frequencies stay as they are.",
                                       "该方案没有缩放：频率保持不变。"};
    return dataset;
  }
  std::vector<double> plain = unscaled(question, *set);
  const bool scaled = plain.size() == w.size() && plain != w;
  if (!scaled) plain = w;
  if (std::ranges::count(plain, 0.0) == std::ssize(plain)) {
    dataset.nothing = {"No pair of this scheme turns: there is nothing to scale.",
                       "该方案没有转动的维度对：没有可缩放的量。"};
    return dataset;
  }
  addRatio(dataset, w, plain, e.rotation && e.rotation->sets > 1 ? static_cast<int>(*set) : -1);
  addMarks(dataset, e, question, plain, std::get<std::string>(*scaling));
  if (scaled)
    addScaling(dataset, w, plain);
  else
    dataset.remarks.push_back(
        {Verdict::neutral,
         {"Nothing is scaled here: every pair keeps its frequency.", "这里没有缩放：每个维度对的频率都不变。"}});
  if (e.rotation) addAttentionFactor(dataset, e.rotation->attention_factor);
  return dataset;
}

}  // namespace

Measure frequencyRatio() {
  return {
      "frequency_ratio",
      {"Frequency ratio", "频率之比"},
      {"What a scaling leaves of each pair's frequency: 1 keeps the pair, 1/8 stretches its wavelength eight times. "
       "Scalings made for long texts keep the fast pairs, which tell neighbours apart, and slow the pairs whose "
       "wavelength is beyond the original length.",
       "缩放后每个维度对还保留多少频率：1 表示不变，1/8 表示波长拉伸为 8 倍。"
       "为长文本设计的缩放保留区分相邻词元的快速维度对，放慢波长超过原始长度的维度对。"},
      "[2, pairs]: pair, inverse frequency after scaling divided by that before",
      optionTable().specs(),
      answer};
}

}  // namespace posiscope::measures
