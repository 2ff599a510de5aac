// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/pair_columns.h"

#include <algorithm>
#include <cmath>

namespace posiscope::ui {

std::optional<double> PairColumns::pairOf(double dim) const {
  if (apart == 1) return std::floor(dim / 2);
  if (dim < 0 || dim >= 2 * apart) return std::nullopt;
  return dim < apart ? dim : dim - apart;
}

std::vector<double> PairColumns::dimensionsOf(double pair) const {
  if (apart == 1) return {2 * pair, 2 * pair + 1};
  if (pair < 0 || pair >= apart) return {};
  return {pair, pair + apart};
}

PairColumns pairColumns(const Result& result, std::size_t scheme) {
  const std::vector<MeasureRequest>& measures = result.request.measures;
  const auto spectrum = std::ranges::find(measures, "spectrum", &MeasureRequest::id);
  const auto index = static_cast<std::size_t>(spectrum - measures.begin());
  if (index >= result.answers.size() || scheme >= result.answers[index].size()) return {};
  const Answer& answer = result.answers[index][scheme];
  if (!answer.dataset || !*answer.dataset) return {};
  const std::vector<Metric>& metrics = (*answer.dataset)->metrics;
  const auto apart = std::ranges::find(metrics, "columns_apart", &Metric::key);
  return apart == metrics.end() ? PairColumns{} : PairColumns{apart->value};
}

}  // namespace posiscope::ui
