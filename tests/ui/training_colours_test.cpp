// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// An encoding looks the same wherever it is trained.
#include "core/train/ready_experiments.h"
#include "core/train/trainable.h"
#include "ui/training/encoding_names.h"

#include <gtest/gtest.h>

#include <map>
#include <utility>

namespace posiscope::ui {
namespace {

using Stroke = std::pair<QRgb, QList<qreal>>;

const Style style = makeStyle(false, Language::english);

Stroke strokeOf(const train::ComparisonSpec& spec, std::size_t position) {
  return {encodingColour(spec, position, style).rgb(), encodingDashes(spec, position)};
}

train::ComparisonSpec comparison(const std::vector<const char*>& schemes) {
  train::ComparisonSpec spec;
  for (const char* scheme : schemes) spec.positions.push_back({scheme, {}});
  return spec;
}

void expectAllDiffer(const train::ComparisonSpec& spec, const std::string& where) {
  for (std::size_t a = 0; a < spec.positions.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      EXPECT_NE(strokeOf(spec, a).first, strokeOf(spec, b).first) << where << ": " << a << " and " << b;
      EXPECT_NE(strokeOf(spec, a).second, strokeOf(spec, b).second) << where << ": " << a << " and " << b;
    }
}

TEST(TrainingColours, AreThoseOfTheEncodingInAllReadyExperiments) {
  std::map<std::string, Stroke> seen;
  for (const train::ReadyExperiment& experiment : train::readyExperiments()) {
    expectAllDiffer(experiment.spec, experiment.id);
    for (std::size_t p = 0; p < experiment.spec.positions.size(); ++p) {
      const std::string& scheme = experiment.spec.positions[p].scheme;
      const auto [at, fresh] = seen.emplace(scheme, strokeOf(experiment.spec, p));
      EXPECT_EQ(at->second, strokeOf(experiment.spec, p)) << scheme << " in " << experiment.id;
    }
  }
}

TEST(TrainingColours, DoNotDependOnTheOrder) {
  const train::ComparisonSpec there = comparison({"rope", "t5_log", "alibi", "fire"});
  const train::ComparisonSpec back = comparison({"fire", "alibi", "t5_log", "rope"});
  for (const std::size_t p : {0u, 1u, 2u}) EXPECT_EQ(strokeOf(there, p), strokeOf(back, 3 - p)) << p;
}

TEST(TrainingColours, TellOneEncodingWithTwoConstantsApart) {
  train::ComparisonSpec spec = comparison({"none", "rope", "rope"});
  spec.positions[2].values["base"] = 500.0;
  expectAllDiffer(spec, "twice");
  EXPECT_EQ(strokeOf(spec, 1), strokeOf(comparison({"rope"}), 0)) << "the first keeps its own";
}

/// Any eight that can be trained, so also some that have the same stroke when they are alone.
TEST(TrainingColours, TellAnyEightApart) {
  const auto& all = train::trainables();
  for (std::size_t first = 0; first < all.size(); ++first) {
    train::ComparisonSpec spec;
    for (std::size_t n = 0; n < 8; ++n) spec.positions.push_back({all[(first + n) % all.size()].scheme, {}});
    expectAllDiffer(spec, all[first].scheme);
  }
}

}  // namespace
}  // namespace posiscope::ui
