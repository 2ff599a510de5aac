// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/length_band.h"

#include <algorithm>
#include <cmath>

namespace posiscope::train {
namespace {

constexpr const char* scalings[] = {"none", "linear", "ntk", "yarn"};

/// `add(evaluation, values)` for each length that was measured with a scaling.
template <class Add>
std::vector<ScalingBand> bandsOf(std::span<const Results* const> runs, const Add& add) {
  std::vector<ScalingBand> bands;
  for (const char* scaling : scalings) {
    std::map<double, std::vector<double>> values;
    const auto counts = [&](const LengthPoint& p) { return p.found && p.scaling == scaling; };
    for (const Results* run : runs) {
      if (std::ranges::none_of(run->lengths, counts)) continue;
      for (const LengthPoint& point : run->lengths)
        if (counts(point) || (point.found && point.factor == 1)) add(point, values);
    }
    if (SeedBand band = bandOf(values); !band.empty()) bands.push_back({scaling, std::move(band)});
  }
  return bands;
}

}  // namespace

std::vector<ScalingBand> lengthBands(std::span<const Results* const> runs, LengthLoss loss) {
  return bandsOf(runs, [&](const LengthPoint& point, auto& values) {
    values[point.factor].push_back(loss == LengthLoss::whole ? point.found->loss : point.found->last_eighth);
  });
}

std::vector<ScalingBand> positionBands(std::span<const Results* const> runs, double factor) {
  return bandsOf(runs, [&](const LengthPoint& point, auto& values) {
    if (point.factor != factor) return;
    for (std::size_t i = 0; i < point.found->by_position.size(); ++i)
      if (const double value = point.found->by_position[i]; !std::isnan(value))
        values[static_cast<double>(i)].push_back(value);
  });
}

std::vector<ScalingBand> fineTuneBands(std::span<const Results* const> runs) {
  std::vector<ScalingBand> bands;
  for (const char* scaling : scalings) {
    std::map<double, std::vector<double>> values;
    for (const Results* run : runs)
      for (const FineTuneCurve& curve : run->fine_tune)
        if (curve.scaling == scaling)
          for (const FineTunePoint& point : curve.points) values[static_cast<double>(point.step)].push_back(point.loss);
    if (SeedBand band = bandOf(values); !band.empty()) bands.push_back({scaling, std::move(band)});
  }
  return bands;
}

std::optional<double> refusedFrom(std::span<const Results* const> runs) {
  std::optional<double> least;
  for (const Results* run : runs)
    for (const LengthPoint& point : run->lengths)
      if (!point.found && point.scaling == "none") least = std::min(least.value_or(point.factor), point.factor);
  return least;
}

}  // namespace posiscope::train
