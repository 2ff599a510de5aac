// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/optimiser.h"

#include "tests/core/train/small_model.h"

#include <cmath>

namespace posiscope::train {
namespace {

TEST(LearningRate, GrowsThenFallsAlongACosine) {
  const OptimiserSpec spec{.lr = 1, .lr_min = 0.2, .warmup = 4};
  EXPECT_DOUBLE_EQ(learningRate(spec, 24, 1), 0.25);
  EXPECT_DOUBLE_EQ(learningRate(spec, 24, 4), 1);
  EXPECT_DOUBLE_EQ(learningRate(spec, 24, 14), 0.6);
  EXPECT_DOUBLE_EQ(learningRate(spec, 24, 24), 0.2);
  EXPECT_DOUBLE_EQ(learningRate(spec, 24, 30), 0.2);
  // Without a number the warm-up is a twentieth.
  EXPECT_DOUBLE_EQ(learningRate({.lr = 1, .lr_min = 0}, 40, 1), 0.5);
  EXPECT_DOUBLE_EQ(learningRate({.lr = 1, .lr_min = 0}, 1, 1), 0);
}

TEST(Optimiser, DecaysWeightsOfLinearLayersOnly) {
  ModelSpec spec = smallSpec("learned", {{"rows", 8.0}});
  const auto model = Model<float>::create(spec);
  for (const Parameter& p : model->layout().parameters) {
    const bool linear =
        p.name.ends_with(".weight") && p.name.find("ln") == std::string::npos && p.name != "embed.weight";
    EXPECT_EQ(p.decayed, linear) << p.name;
  }
  // With no gradient at all nothing but decay moves a number.
  for (const OptimiserKind kind : {OptimiserKind::adamw, OptimiserKind::sgd}) {
    std::vector<float> ones(model->parameters().size(), 1), zeros(ones.size(), 0);
    Optimiser<float> optimiser({.kind = kind, .weight_decay = 0.5, .lr = 0.1, .warmup = 1}, model->layout(), 10);
    optimiser.step(zeros, ones);
    for (const Parameter& p : model->layout().parameters)
      EXPECT_FLOAT_EQ(ones[static_cast<std::size_t>(p.offset)], p.decayed ? 0.95f : 1) << p.name;
  }
}

TEST(Optimiser, ClipsTheNormOfAllGradientsTogether) {
  const auto model = Model<double>::create(smallSpec("learned", {{"rows", 8.0}}));
  std::vector<double> gradient(model->parameters().size(), 0.5), parameters(gradient.size(), 0);
  Optimiser<double> optimiser(
      {.kind = OptimiserKind::sgd, .momentum = 0, .weight_decay = 0, .clip = 2, .lr = 1, .warmup = 1}, model->layout(),
      10);
  const StepFacts facts = optimiser.step(gradient, parameters);
  EXPECT_NEAR(facts.norm, 0.5 * std::sqrt(static_cast<double>(gradient.size())), 1e-12);
  EXPECT_NEAR(facts.position_norm, 0.5 * std::sqrt(64.0), 1e-12);
  EXPECT_NEAR(facts.word_norm, 0.5 * std::sqrt(56.0), 1e-12);
  double length = 0;
  for (const double p : parameters) length += p * p;
  EXPECT_NEAR(std::sqrt(length), 2, 1e-5);
}

TEST(Optimiser, GoesOnWhereItWasRestored) {
  const auto model = Model<float>::create(smallSpec("none"));
  const std::vector<float> gradient(model->parameters().size(), 0.1f);
  std::vector<float> through(gradient.size(), 1), resumed = through;
  Optimiser<float> one({}, model->layout(), 6);
  for (int t = 0; t < 6; ++t) one.step(gradient, through);
  Optimiser<float> first({}, model->layout(), 6), second({}, model->layout(), 6);
  for (int t = 0; t < 3; ++t) first.step(gradient, resumed);
  second.restore(first.steps(), first.first(), first.second());
  for (int t = 0; t < 3; ++t) second.step(gradient, resumed);
  EXPECT_EQ(through, resumed);
}

}  // namespace
}  // namespace posiscope::train
