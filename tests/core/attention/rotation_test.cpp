// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/attention.h"

#include <gtest/gtest.h>
#include <cmath>

namespace posiscope {
namespace {

RotationPart oneTurn(std::int64_t tokens) {
  RotationPart rotation;
  rotation.rotary_dim = 4;
  rotation.frequency = {1.0, 0.1};
  for (std::int64_t t = 0; t < tokens; ++t) rotation.position.push_back(static_cast<double>(t));
  return rotation;
}

TEST(Rotate, turnsEachPairAndPassesTheRestThrough) {
  std::vector<double> row{1, 0, 0, 2, 5};
  attention::rotate<double>(oneTurn(9), 0, 3, false, row, 5);
  EXPECT_NEAR(row[0], std::cos(3.0), 1e-15);
  EXPECT_NEAR(row[1], std::sin(3.0), 1e-15);
  EXPECT_NEAR(row[2], -2 * std::sin(0.3), 1e-15);
  EXPECT_NEAR(row[3], 2 * std::cos(0.3), 1e-15);
  EXPECT_EQ(row[4], 5);
}

TEST(Rotate, pairsHalvesAndBlocks) {
  RotationPart rotation = oneTurn(2);
  rotation.pairing = Pairing::half;
  std::vector<double> row{1, 2, 3, 4};
  attention::rotate<double>(rotation, 0, 1, false, row, 4);
  EXPECT_NEAR(row[0], std::cos(1.0) - 3 * std::sin(1.0), 1e-15);
  EXPECT_NEAR(row[2], std::sin(1.0) + 3 * std::cos(1.0), 1e-15);
  EXPECT_NEAR(row[1], 2 * std::cos(0.1) - 4 * std::sin(0.1), 1e-15);
}

TEST(Rotate, multipliesByTheAttentionFactor) {
  RotationPart rotation = oneTurn(1);
  rotation.attention_factor = 1.5;
  std::vector<float> row{1, 2, 3, 4};
  attention::rotate<float>(rotation, 0, 0, true, row, 4);
  EXPECT_EQ(row, (std::vector<float>{1.5F, 3, 4.5F, 6}));
}

TEST(Rotate, usesTheSetOfTheHead) {
  RotationPart rotation = oneTurn(2);
  rotation.sets = 2;
  rotation.frequency = {1.0, 0.1, 2.0, 0.2};
  std::vector<double> row{1, 0, 1, 0};
  attention::rotate<double>(rotation, 1, 1, false, row, 4);
  EXPECT_NEAR(row[0], std::cos(2.0), 1e-15);
  EXPECT_NEAR(row[2], std::cos(0.2), 1e-15);
}

TEST(Rotate, scalesQueriesAndKeysOfXposInverselyAboutTheCentre) {
  RotationPart rotation = oneTurn(5);
  rotation.log_magnitude = {0.5, 0.0};
  rotation.magnitude_center = 1;
  std::vector<double> q{1, 0, 0, 0};
  std::vector<double> k = q;
  attention::rotate<double>(rotation, 0, 3, false, q, 4);
  attention::rotate<double>(rotation, 0, 3, true, k, 4);
  EXPECT_NEAR(std::hypot(q[0], q[1]), std::exp(1.0), 1e-14);
  EXPECT_NEAR(std::hypot(k[0], k[1]), std::exp(-1.0), 1e-15);
}

TEST(Rotate, keepsItsDigitsAtFarPositions) {
  RotationPart rotation = oneTurn(1);
  rotation.position = {1e6};
  std::vector<float> row{1, 0, 0, 0};
  attention::rotate<float>(rotation, 0, 0, false, row, 4);
  EXPECT_FLOAT_EQ(row[0], static_cast<float>(std::cos(1e6))) << "the angle is in double";
}

TEST(ApplyInput, addsTheTableOrReplacesTheEmbeddings) {
  const Table<float> x{2, 2, {1, 2, 3, 4}};
  InputPart<float> input;
  input.table = {2, 2, {10, 20, 30, 40}};
  EXPECT_EQ(attention::applyInput(input, rowsOf(x)).values, (std::vector<float>{11, 22, 33, 44}));
  input.transform = [](Rows<float> from, std::span<float> out) {
    for (std::size_t e = 0; e < out.size(); ++e) out[e] = -from.data[e];
  };
  EXPECT_EQ(attention::applyInput(input, rowsOf(x)).values, (std::vector<float>{-1, -2, -3, -4}))
      << "beside a transform the table is only drawn";
}

}  // namespace
}  // namespace posiscope
