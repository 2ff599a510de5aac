// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/softplus.h"
#include "tests/support/attending.h"
#include "tests/support/encoded.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace posiscope {
namespace {

Shape shapeOf(std::int64_t length, std::int64_t dim) {
  Shape shape;
  shape.seq_len = length;
  shape.num_heads = 2;
  shape.head_dim = dim;
  return shape;
}

std::vector<double> logitsOf(const ParamValues& values, const Content<double>& content, const Shape& shape) {
  return test::attending(test::encoded("pope", values, shape), content, {}, shape, {true, false, false, {}}).logits;
}

TEST(Softplus, isExactAtBothEnds) {
  EXPECT_EQ(softplus(1000), 1000);
  EXPECT_NEAR(softplus(-50) / std::exp(-50), 1, 1e-15);
  EXPECT_EQ(logSigmoid(-1000), -1000);
  EXPECT_NEAR(logSigmoid(40) / -std::exp(-40), 1, 1e-15);
}

TEST(Pope, followsItsFormulaForAnyWidth) {
  for (const std::int64_t dim : {1, 2, 7}) {
    const Shape shape = shapeOf(11, dim);
    const auto content = test::randomContent<double>(shape);
    std::vector<double> delta;
    for (std::int64_t e = 0; e < 2 * dim; ++e) delta.push_back(1.0 - static_cast<double>(e));  // some beyond the clamp
    const auto found = logitsOf({{"base", 50.0}, {"delta", makeArray({2, dim}, delta)}}, content, shape);
    std::size_t e = 0;
    for (std::int64_t h = 0; h < 2; ++h)
      for (std::int64_t i = 0; i < 11; ++i)
        for (std::int64_t j = 0; j < 11; ++j, ++e) {
          double sum = 0;
          for (std::int64_t k = 0; k < dim; ++k) {
            const double q = content.q[static_cast<std::size_t>((h * 11 + i) * dim + k)];
            const double key = content.k[static_cast<std::size_t>((h * 11 + j) * dim + k)];
            const double w = std::pow(50.0, -static_cast<double>(k) / static_cast<double>(dim));
            const double phase = std::clamp(delta[static_cast<std::size_t>(h * dim + k)], -2 * std::numbers::pi, 0.0);
            sum += std::log(1 + std::exp(q)) * std::log(1 + std::exp(key)) *
                   std::cos(static_cast<double>(i - j) * w - phase);
          }
          ASSERT_NEAR(found[e], sum / std::sqrt(static_cast<double>(dim)), 1e-12) << dim << " " << i << " " << j;
        }
  }
}

TEST(Pope, theDiagonalIsTheLargestPossibleValue) {
  const Shape shape = shapeOf(20, 6);
  auto content = test::randomContent<double>(shape);
  for (std::size_t e = 0; e < content.k.size(); ++e) content.k[e] = content.k[e % 6];  // all keys alike
  const auto found = logitsOf({}, content, shape);
  for (std::size_t row = 0; row < 40; ++row)
    for (std::size_t j = 0; j < 20; ++j) ASSERT_LE(found[row * 20 + j], found[row * 20 + row % 20] + 1e-12);
}

TEST(Pope, movingAllPositionsChangesNothing) {
  Shape shape = shapeOf(9, 5);
  const auto content = test::randomContent<double>(shape);
  const ParamValues values{{"start", std::string("uniform")}};
  const auto here = logitsOf(values, content, shape);
  shape.first_position = 1000;
  const auto there = logitsOf(values, content, shape);
  for (std::size_t e = 0; e < here.size(); ++e) ASSERT_NEAR(there[e], here[e], 1e-11);
}

TEST(Pope, refusesPhasesOfAnotherShape) {
  EXPECT_EQ(test::refusal("pope", {{"delta", makeArray({2, 3}, std::vector<double>(6))}}, shapeOf(4, 5)),
            "pope: delta must have shape (2, 5), got (2, 3)");
}

}  // namespace
}  // namespace posiscope
