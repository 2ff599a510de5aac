// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every gradient is the slope of the loss.
#include "tests/core/train/small_model.h"

#include <cmath>

namespace posiscope::train {
namespace {

using GradientTest = EachVariant;

double lossOf(Model<double>& model, const Batch& batch) {
  EXPECT_TRUE(model.forward(batch));
  return model.loss(batch).loss;
}

TEST_P(GradientTest, IsTheCentralDifference) {
  Model<double> model = modelOf<double>(GetParam());
  const Batch batch = scatteredBatch(GetParam().spec);
  lossOf(model, batch);
  model.backward(batch);
  const std::vector<double> gradient(model.gradient().begin(), model.gradient().end());
  constexpr double step = 1e-5;
  for (const Parameter& p : model.layout().parameters) {
    // All numbers of an encoding, a few of every other tensor.
    const std::int64_t stride = p.role == Role::position ? 1 : std::max<std::int64_t>(1, p.size() / 5);
    for (std::int64_t t = 0; t < p.size(); t += stride) {
      const auto at = static_cast<std::size_t>(p.offset + t);
      double& value = model.parameters()[at];
      const double before = value;
      value = before + step;
      const double above = lossOf(model, batch);
      value = before - step;
      const double below = lossOf(model, batch);
      value = before;
      const double slope = (above - below) / (2 * step);
      EXPECT_NEAR(gradient[at], slope, 2e-8 + 1e-6 * std::abs(slope)) << p.name << " " << t;
    }
  }
}

TEST_P(GradientTest, IsThereForEveryPositionParameter) {
  Model<double> model = modelOf<double>(GetParam());
  const Batch batch = scatteredBatch(GetParam().spec);
  lossOf(model, batch);
  model.backward(batch);
  // What moves every logit of a row alike has no gradient: the last bias of FIRE.
  for (const Parameter& p : model.layout().parameters) {
    if (p.role != Role::position || p.name == "pe.b2") continue;
    double largest = 0;
    for (std::int64_t t = 0; t < p.size(); ++t)
      largest = std::max(largest, std::abs(model.gradient()[static_cast<std::size_t>(p.offset + t)]));
    EXPECT_GT(largest, 1e-6) << p.name;
  }
}

TEST_P(GradientTest, IsZeroWithoutTargets) {
  Model<double> model = modelOf<double>(GetParam());
  Batch batch = scatteredBatch(GetParam().spec);
  std::ranges::fill(batch.targets, -1);
  ASSERT_TRUE(model.forward(batch));
  EXPECT_EQ(model.loss(batch).loss, 0);
  model.backward(batch);
  for (const double g : model.gradient()) ASSERT_EQ(g, 0);
}

INSTANTIATE_TEST_SUITE_P(Trainables, GradientTest, testing::ValuesIn(variants()),
                         [](const auto& variant) { return variant.param.name; });

TEST(Variants, CoverEveryTrainableScheme) {
  for (const Trainable& t : trainables())
    EXPECT_TRUE(std::ranges::any_of(variants(), [&](const Variant& v) { return v.spec.position.scheme == t.scheme; }))
        << t.scheme;
}

}  // namespace
}  // namespace posiscope::train
