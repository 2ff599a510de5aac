// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/seed_band.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace posiscope::train {
namespace {

using Series = std::vector<std::pair<std::int64_t, double>>;

double ofStep(const StepRecord& s, Quantity quantity) {
  switch (quantity) {
    case Quantity::loss: return s.loss;
    case Quantity::accuracy: return s.accuracy;
    case Quantity::position_gradient: return s.facts.position_norm > 0 ? s.facts.position_norm : std::nan("");
    case Quantity::word_gradient: return s.facts.word_norm;
    case Quantity::gradient_ratio:
      return s.facts.position_norm > 0 && s.facts.word_norm > 0 ? s.facts.position_norm / s.facts.word_norm
                                                                : std::nan("");
    case Quantity::learning_rate: return s.facts.lr;
    default: return std::nan("");
  }
}

double ofEvaluation(const EvaluationRecord& e, Quantity quantity) {
  if (quantity == Quantity::evaluation_loss) return e.loss;
  if (quantity == Quantity::evaluation_accuracy) return e.accuracy;
  return e.position_row > 0 && e.word_row > 0 ? e.position_row / e.word_row : std::nan("");
}

/// The largest score of any head at each step.
Series strongest(const History& history, Quantity quantity) {
  std::map<std::int64_t, double> best;
  for (const HeadRecord& h : history.heads) {
    const double score = quantity == Quantity::induction ? h.induction : h.previous_token;
    if (std::isnan(score)) continue;
    const auto [at, is_new] = best.emplace(h.step, score);
    at->second = std::max(at->second, score);
  }
  return {best.begin(), best.end()};
}

Series seriesOf(const History& history, Quantity quantity) {
  Series series;
  const auto add = [&](std::int64_t step, double value) {
    if (!std::isnan(value)) series.emplace_back(step, value);
  };
  switch (quantity) {
    case Quantity::evaluation_loss:
    case Quantity::evaluation_accuracy:
    case Quantity::row_ratio:
      for (const EvaluationRecord& e : history.evaluations) add(e.step, ofEvaluation(e, quantity));
      return series;
    case Quantity::previous_token:
    case Quantity::induction: return strongest(history, quantity);
    default:
      for (const StepRecord& s : history.steps) add(s.step, ofStep(s, quantity));
      return series;
  }
}

void smooth(Series& series, std::int64_t window) {
  if (window <= 1) return;
  const Series raw = series;
  double sum = 0;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    sum += raw[i].second;
    const auto full = static_cast<std::size_t>(window);
    if (i >= full) sum -= raw[i - full].second;
    series[i].second = sum / static_cast<double>(std::min(i + 1, full));
  }
}

void put(SeedBand& band, double x, const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  const auto [low, high] = std::ranges::minmax(values);
  band.x.push_back(x);
  band.mean.push_back(sum / static_cast<double>(values.size()));
  band.low.push_back(low);
  band.high.push_back(high);
}

/// The series side by side: all ascend, so none is searched. A window asks for this while it is drawn.
SeedBand bandOfAll(const std::vector<Series>& all) {
  SeedBand band;
  std::vector<std::size_t> next(all.size(), 0);
  std::vector<double> values;
  for (;;) {
    std::int64_t step = std::numeric_limits<std::int64_t>::max();
    for (std::size_t r = 0; r < all.size(); ++r)
      if (next[r] < all[r].size()) step = std::min(step, all[r][next[r]].first);
    if (step == std::numeric_limits<std::int64_t>::max()) return band;
    values.clear();
    for (std::size_t r = 0; r < all.size(); ++r)
      if (next[r] < all[r].size() && all[r][next[r]].first == step) values.push_back(all[r][next[r]++].second);
    put(band, static_cast<double>(step), values);
  }
}

}  // namespace

SeedBand bandOf(const std::map<double, std::vector<double>>& values) {
  SeedBand band;
  for (const auto& [x, found] : values) put(band, x, found);
  return band;
}

SeedBand seedBand(std::span<const History* const> runs, Quantity quantity, std::int64_t window) {
  std::vector<Series> all;
  for (const History* run : runs) {
    all.push_back(seriesOf(*run, quantity));
    smooth(all.back(), window);
  }
  return bandOfAll(all);
}

SeedBand kindBand(std::span<const History* const> runs, const std::string& kind) {
  std::vector<Series> all;
  for (const History* run : runs) {
    std::map<std::int64_t, double> count;
    for (const HeadRecord& h : run->heads) count[h.step] += h.kind == kind ? 1 : 0;
    all.emplace_back(count.begin(), count.end());
  }
  return bandOfAll(all);
}

}  // namespace posiscope::train
