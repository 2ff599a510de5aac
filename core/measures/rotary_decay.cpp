// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/rotary_decay.h"

#include "core/measures/axes.h"
#include "core/measures/encoded.h"
#include "core/measures/terms.h"
#include "core/parallel.h"
#include "core/profile.h"
#include "core/random.h"
#include "core/screen_number.h"
#include "core/steps.h"

#include <algorithm>
#include <cmath>

namespace posiscope::measures {
namespace {

/// Standard normal rows, [samples, rotary_dim].
Table<double> normalRows(std::int64_t samples, std::int64_t dim, std::int64_t seed, std::string_view name) {
  const Stream stream(static_cast<std::uint64_t>(seed), name);
  Table<double> rows = makeTable<double>(samples, dim);
  for (std::size_t e = 0; e < rows.values.size(); ++e) rows.values[e] = stream.normal(e);
  return rows;
}

class CurveMaker {
 public:
  CurveMaker(Dataset& dataset, const RotationPart& rotation, std::int64_t set, const std::vector<double>& x)
      : dataset_(dataset), x_(x), head_(rotation.sets > 1 ? static_cast<int>(set) : -1) {}

  /// `term` with "#" where the offset stands; `multiplier` is the score's before it is divided.
  void add(std::string key, Text label, CurveRole role, std::vector<double> y, double divisor,
           const std::string& term = {}, double multiplier = 1) {
    for (double& v : y) v /= divisor;
    if (head_ >= 0) {
      const Text head = headText(head_);
      key += join(" head ", head_);
      label = {label.en + ", " + head.en, label.zh + "，" + head.zh};
    }
    dataset_.curves.push_back({std::move(key), std::move(label), role, x_, std::move(y), head_});
    if (term.empty()) return;
    dataset_.curves.back().term = [term = scaledTerm(multiplier / divisor, term)](double n) {
      std::string text = term;
      return text.replace(text.find('#'), 1, screenNumber(n));
    };
  }

 private:
  Dataset& dataset_;
  const std::vector<double>& x_;
  int head_;
};

/// Mean and spread of the scores of independent q and k, over the samples.
struct Spread {
  std::vector<double> mean;
  std::vector<double> low;
  std::vector<double> high;
};

Spread spreadOf(const std::vector<std::vector<double>>& scores) {
  const std::size_t points = scores.front().size();
  const auto count = static_cast<double>(scores.size());
  Spread spread{std::vector<double>(points), std::vector<double>(points), std::vector<double>(points)};
  for (std::size_t n = 0; n < points; ++n) {
    double sum = 0;
    for (const auto& s : scores) sum += s[n];
    const double mean = sum / count;
    double squares = 0;
    for (const auto& s : scores) squares += (s[n] - mean) * (s[n] - mean);
    const double deviation = std::sqrt(squares / (count - 1));
    spread.mean[n] = mean;
    spread.low[n] = mean - deviation;
    spread.high[n] = mean + deviation;
  }
  return spread;
}

Outcome addIndependent(Dataset& dataset, CurveMaker& maker, const OffsetRotation& even, const RotationPart& rotation,
                       const RotaryDecay& wanted, double first, std::int64_t count, double divisor, const Job& job) {
  const Table<double> q = normalRows(wanted.samples, rotation.endDim(), wanted.seed, "decay/q");
  const Table<double> k = normalRows(wanted.samples, rotation.endDim(), wanted.seed, "decay/k");
  std::vector<PairWeights> weights;
  for (std::int64_t s = 0; s < wanted.samples; ++s) weights.push_back(samplePairWeights(rotation, q.row(s), k.row(s)));
  if (Outcome ok = checkMemory("the sampled scores", 8.0 * static_cast<double>(count) * static_cast<double>(wanted.samples));
      !ok)
    return ok;
  const auto scores = offsetScores(even, weights, first, count, job);
  if (scores.empty()) return stopped();
  Spread spread = spreadOf(scores);
  const std::string samples = readable(static_cast<double>(wanted.samples));
  maker.add("independent", {"q, k independent random, mean of " + samples, "q、k 独立随机，" + samples + " 组均值"},
            CurveRole::line, std::move(spread.mean), divisor, "⟨qᵀ R(#) k⟩", even.gain);
  maker.add("independent_low", {"mean − 1 standard deviation", "均值 − 1 个标准差"}, CurveRole::band_low,
            std::move(spread.low), divisor);
  maker.add("independent_high", {"mean + 1 standard deviation", "均值 + 1 个标准差"}, CurveRole::band_high,
            std::move(spread.high), divisor);
  dataset.remarks.push_back(
      {Verdict::neutral,
       {"Independent random queries and keys score 0 on average, with the same spread at every offset: no decay.",
        "独立随机的查询和键平均分数为 0，且在所有偏移上离散程度相同：没有衰减。"}});
  return {};
}

}  // namespace

Outcome addRotaryDecay(Dataset& dataset, const RotationPart& rotation, std::int64_t set, const RotaryDecay& wanted,
                       double first, const std::vector<double>& x, const Job& job) {
  const std::optional<OffsetRotation> even = offsetRotation(rotation, set);
  if (!even) return {};
  const auto count = static_cast<std::int64_t>(x.size());
  const bool all = wanted.curves == DecayCurves::all;
  const double divisor = wanted.normalise ? even->gain * static_cast<double>(rotation.rotary_dim) : 1.0;
  CurveMaker maker(dataset, rotation, set, x);
  Steps steps(job, all ? 4 : 1);
  if (all || wanted.curves == DecayCurves::ones) {
    std::vector<double> y = onesScores(*even, first, count, steps.next());
    if (y.empty()) return stopped();
    maker.add("ones", {"q = k = 1 (all ones)", "q = k = 1（全 1）"}, CurveRole::line, std::move(y), divisor,
              "Σₚ cos(# · θₚ)", 2 * even->gain);
  }
  if (all || wanted.curves == DecayCurves::same) {
    const Table<double> q = normalRows(wanted.samples, rotation.endDim(), wanted.seed, "decay/q");
    const PairWeights mean = meanPairWeights(rotation, rowsOf(q), rowsOf(q));
    const auto y = offsetScores(*even, {&mean, 1}, first, count, steps.next());
    if (y.empty()) return stopped();
    const std::string samples = readable(static_cast<double>(wanted.samples));
    maker.add("same", {"q = k random, mean of " + samples, "q = k 随机，" + samples + " 组均值"}, CurveRole::line,
              y.front(), divisor, "⟨qᵀ R(#) q⟩", even->gain);
  }
  if (all || wanted.curves == DecayCurves::independent)
    if (Outcome ok =
            addIndependent(dataset, maker, *even, rotation, wanted, first, count, divisor, steps.next());
        !ok)
      return ok;
  if (all || wanted.curves == DecayCurves::bound) {
    std::vector<double> y = boundProfile(even->frequency, first, count, steps.next());
    if (y.empty()) return stopped();
    const double at_zero = static_cast<double>(rotation.pairs() + 1) / 2;
    maker.add("bound", {"RoFormer's upper bound, not a score", "RoFormer 上界，不是分数"}, CurveRole::bound, std::move(y),
              wanted.normalise ? at_zero : 1.0, "Σₘ |Σ_{p<m} e^(i · # · θₚ)|",
              1 / static_cast<double>(rotation.pairs()));
  }
  return {};
}

}  // namespace posiscope::measures
