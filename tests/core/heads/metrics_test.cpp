// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/heads/metrics.h"

#include "tests/support/golden.h"

#include <gtest/gtest.h>
#include <cmath>
#include <numeric>

namespace posiscope::heads {
namespace {

using test::golden;

Shape shapeOf(std::int64_t keys, std::int64_t queries = 0) {
  Shape shape;
  shape.seq_len = keys;
  shape.seq_len_q = queries;
  return shape;
}

Mask causal() {
  Mask mask;
  mask.causal = true;
  return mask;
}

/// Attention spread evenly over the allowed keys.
std::vector<double> uniform(const Shape& shape, const Mask& mask) {
  std::vector<double> values(static_cast<std::size_t>(shape.queries() * shape.keys()));
  for (std::int64_t i = 0; i < shape.queries(); ++i) {
    double allowed = 0;
    for (std::int64_t j = 0; j < shape.keys(); ++j) allowed += mask.allows(shape, i, j);
    for (std::int64_t j = 0; j < shape.keys(); ++j)
      if (mask.allows(shape, i, j)) values[static_cast<std::size_t>(i * shape.keys() + j)] = 1 / allowed;
  }
  return values;
}

Metrics metricsOf(const std::vector<double>& values, const Shape& shape, const Mask& mask, const Thresholds& t = {}) {
  return headMetrics<double>({values.data(), shape.queries(), shape.keys()}, mask, shape, t);
}

template <class T>
class HeadMetrics : public testing::Test {};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(HeadMetrics, Scalars);

TYPED_TEST(HeadMetrics, areTheGoldenOnes) {
  struct Case {
    const char* name;
    Mask mask;
    std::int64_t window;
  };
  Mask padded = causal();
  padded.key_padding.assign(24, 1);
  std::fill_n(padded.key_padding.begin(), 6, std::uint8_t{0});
  for (const Case& c : {Case{"map_per8c", causal(), 4}, Case{"map_sink", causal(), 4}, Case{"map_cls_sep", {}, 2},
                        Case{"map_padded", padded, 1}, Case{"map_one", {}, 1}}) {
    const Array weights = golden(std::string("inputs/") + c.name + "__attn");
    const std::vector<TypeParam> values = test::numbersOf<TypeParam>(weights);
    Thresholds t;
    t.local_window = c.window;
    const Shape shape = shapeOf(weights.shape[0]);
    const Metrics m = headMetrics<TypeParam>({values.data(), shape.keys(), shape.keys()}, c.mask, shape, t);
    const std::vector<double> found{m.entropy_mean,      m.entropy_norm_mean,
                                    m.mean_distance,     m.mean_distance_uniform,
                                    m.local_mass,        m.local_mass_uniform,
                                    m.sink_mass,         m.diag_score,
                                    m.prev_score,        m.next_score,
                                    m.col_top2_mass,     m.col_top2_uniform,
                                    m.periodicity.score, static_cast<double>(m.periodicity.period),
                                    m.periodicity.cv};
    test::expectClose(found, golden(std::string("golden/") + c.name + "__metrics"), 1e-10, 3e-11, c.name);
  }
}

/// Maps from elsewhere have rows that were masked there, which no mask here knows of.
TEST(HeadMetrics, rowsOfZerosCountInNoMean) {
  const Shape shape = shapeOf(32);
  std::vector<double> values(32 * 32);
  for (std::size_t i = 20; i < 32; ++i) values[i * 32 + i] = 1;
  const Metrics m = metricsOf(values, shape, {});
  EXPECT_EQ(m.rows, 12);
  EXPECT_EQ(m.local_mass, 1);
  EXPECT_EQ(m.diag_score, 1);
  EXPECT_EQ(m.mean_distance, 0);
  EXPECT_NEAR(m.col_top2_mass, 2.0 / 12, 1e-12);
  EXPECT_EQ(offsetProfile<double>({values.data(), 32, 32}, {}, shape)[31], 1);
}

TEST(HeadMetrics, uniformAttentionIsItsOwnComparison) {
  Mask window = causal();
  window.window = 5;
  for (const Mask& mask : {Mask{}, causal(), window})
    for (const Shape& shape : {shapeOf(20), shapeOf(20, 3)}) {
      const Metrics m = metricsOf(uniform(shape, mask), shape, mask);
      EXPECT_NEAR(m.mean_distance, m.mean_distance_uniform, 1e-12);
      EXPECT_NEAR(m.local_mass, m.local_mass_uniform, 1e-12);
      EXPECT_NEAR(m.col_top2_mass, m.col_top2_uniform, 1e-12);
      EXPECT_NEAR(m.entropy_norm_mean, 1, 1e-12);
      EXPECT_EQ(m.periodicity.score, 0);
    }
  for (const double lift : metricsOf(uniform(shapeOf(20), causal()), shapeOf(20), causal()).lift)
    EXPECT_NEAR(lift, 1, 1e-12);  // not falling with the distance, although fewer pairs are far apart
}

TEST(HeadMetrics, leaveOutQueriesThatSeeNothing) {
  Mask mask = causal();
  mask.query_padding.assign(12, 1);
  mask.query_padding[11] = 0;
  const Metrics m = metricsOf(uniform(shapeOf(12), mask), shapeOf(12), mask);
  EXPECT_EQ(m.rows, 11);
  Mask nothing;
  nothing.key_padding.assign(12, 0);
  const Metrics none = metricsOf(std::vector<double>(144), shapeOf(12), nothing);
  EXPECT_EQ(none.rows, 0);
  for (const double figure : {none.entropy_mean, none.local_mass, none.sink_mass, none.col_top2_mass})
    EXPECT_EQ(figure, 0);
}

TEST(HeadMetrics, cachedQueriesAreTheLastOnes) {
  // Two queries of six keys that look at the token before.
  std::vector<double> values(12);
  values[0 * 6 + 3] = values[1 * 6 + 4] = 1;
  const Metrics m = metricsOf(values, shapeOf(6, 2), causal());
  EXPECT_EQ(m.prev_score, 1);
  EXPECT_EQ(m.diag_score, 0);
  EXPECT_EQ(m.mean_distance, 1);
  EXPECT_EQ(m.sink_mass, 0);
  EXPECT_EQ(m.col_top2_mass, 1);
}

TEST(HeadMetrics, countNearKeysWithinTheWindow) {
  Thresholds t;
  EXPECT_EQ(t.window(8), 1);
  EXPECT_EQ(t.window(64), 4);
  t.local_window = 2;
  const Shape shape = shapeOf(40);
  const Metrics m = metricsOf(uniform(shape, {}), shape, {}, t);
  EXPECT_EQ(m.window, 2);
  EXPECT_NEAR(m.local_mass, (36 * 5 + 2 * 3 + 2 * 4) / 1600.0, 1e-12);
}

TEST(HeadMetrics, rowsWithNaNAreCountedAndLeftOut) {
  std::vector<double> values = uniform(shapeOf(12), causal());
  values[3 * 12 + 1] = NAN;
  const Metrics some = metricsOf(values, shapeOf(12), causal());
  EXPECT_EQ(some.rows, 11);
  EXPECT_EQ(some.damaged, 1);
  EXPECT_NEAR(some.entropy_norm_mean, 1, 1e-12);
  const Metrics all = metricsOf(std::vector<double>(144, NAN), shapeOf(12), causal());
  EXPECT_EQ(all.rows, 0);
  EXPECT_EQ(all.damaged, 12);
  for (const double figure : {all.entropy_mean, all.local_mass, all.sink_mass, all.col_top2_uniform})
    EXPECT_TRUE(std::isnan(figure)) << "zeros would be taken for figures";
}

TEST(OffsetProfile, isTheMeanAlongEachDiagonal) {
  const Shape shape = shapeOf(3);
  const std::vector<double> values{1, 0, 0, 0.25, 0.75, 0, 0.5, 0.25, 0.25};
  const std::vector<double> profile = offsetProfile<double>({values.data(), 3, 3}, causal(), shape);
  EXPECT_EQ(profile, (std::vector<double>{0, 0, (1 + 0.75 + 0.25) / 3, 0.25, 0.5}));
}

TEST(GridDistance, isEuclideanBetweenPatches) {
  // Each patch of a 3 × 4 grid looks at the last one.
  std::vector<float> values(144);
  double sum = 0;
  for (std::size_t i = 0; i < 12; ++i) {
    values[i * 12 + 11] = 1;
    sum += std::hypot(2.0 - static_cast<double>(i / 4), 3.0 - static_cast<double>(i % 4));
  }
  EXPECT_NEAR(gridDistance<float>({values.data(), 12, 12}, {3, 4}, 16), 16 * sum / 12, 1e-12);
}

TEST(GridDistance, ofAClassTokenIsNone) {
  // A class token before 1 × 2 patches: half of each look goes to it, half to the other patch.
  const std::vector<double> values{0, 0.5, 0.5, 0.5, 0, 0.5, 0.5, 0.5, 0};
  EXPECT_EQ(gridDistance<double>({values.data(), 3, 3}, {1, 2}, 1, 1), 0.5);
}

}  // namespace
}  // namespace posiscope::heads
