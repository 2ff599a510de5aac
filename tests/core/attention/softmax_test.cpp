// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/attention.h"

#include <gtest/gtest.h>
#include <cmath>
#include <limits>
#include <numeric>

namespace posiscope {
namespace {

Shape lengthOf(std::int64_t keys) {
  Shape shape;
  shape.seq_len = keys;
  return shape;
}

TEST(SoftmaxRow, isTheQuotientOfExponentials) {
  std::vector<double> row(131);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = std::sin(static_cast<double>(j)) * 3;
  std::vector<double> wanted = row;
  double sum = 0;
  for (double& x : wanted) sum += x = std::exp(x);
  EXPECT_TRUE(attention::softmaxRow<double>(Mask{}, lengthOf(131), 130, row));
  for (std::size_t j = 0; j < row.size(); ++j) EXPECT_NEAR(row[j], wanted[j] / sum, 1e-15);
}

TEST(SoftmaxRow, subtractsTheMaximumOfAllowedKeysOnly) {
  Mask mask;
  mask.causal = true;
  std::vector<float> row{-20000, -20001, 1e30F};  // with the masked maximum every allowed weight would vanish
  EXPECT_TRUE(attention::softmaxRow<float>(mask, lengthOf(3), 1, row));
  EXPECT_NEAR(row[0], 0.7310586F, 1e-6F);
  EXPECT_NEAR(row[1], 0.2689414F, 1e-6F);
  EXPECT_EQ(row[2], 0.0F);
}

TEST(SoftmaxRow, neverLooksAtMaskedKeys) {
  Mask mask;
  mask.key_padding = {0, 1, 0, 1, 0};
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> row{nan, 2, nan, 2, nan};
  EXPECT_TRUE(attention::softmaxRow<float>(mask, lengthOf(5), 4, row));
  EXPECT_EQ(row, (std::vector<float>{0, 0.5F, 0, 0.5F, 0}));
}

TEST(SoftmaxRow, ofNoKeyIsZero) {
  Mask mask;
  mask.key_padding = {0, 0};
  std::vector<float> row{1, 2};
  EXPECT_FALSE(attention::softmaxRow<float>(mask, lengthOf(2), 1, row));
  EXPECT_EQ(row, (std::vector<float>{0, 0}));
  const float none = -std::numeric_limits<float>::infinity();
  row = {none, none};
  EXPECT_FALSE(attention::softmaxRow<float>(Mask{}, lengthOf(2), 1, row));
  EXPECT_EQ(row, (std::vector<float>{0, 0}));
}

TEST(SoftmaxRow, givesNothingToWhatIsForbiddenAndHidesNoNaN) {
  const float none = -std::numeric_limits<float>::infinity();
  std::vector<float> row{1, none, -200, 1};  // a bias may forbid a key, too
  EXPECT_TRUE(attention::softmaxRow<float>(Mask{}, lengthOf(4), 3, row));
  EXPECT_EQ(row, (std::vector<float>{0.5F, 0, 0, 0.5F}));
  row = {0, std::numeric_limits<float>::quiet_NaN(), 0};
  attention::softmaxRow<float>(Mask{}, lengthOf(3), 2, row);
  for (const float weight : row) EXPECT_TRUE(std::isnan(weight));
}

TEST(SoftmaxRow, addsUpForAHundredThousandKeys) {
  std::vector<float> row(100000, 0.25F);
  EXPECT_TRUE(attention::softmaxRow<float>(Mask{}, lengthOf(100000), 0 + 99999, row));
  EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), 1.0, 1e-6);
}

TEST(SoftmaxRow, doesNotDependOnWhereTheRowLies) {
  std::vector<float> room(200);
  std::vector<float> first;
  for (std::size_t start = 0; start < 8; ++start) {
    const std::span<float> row(room.data() + start, 150);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = std::cos(static_cast<float>(j) * 1.7F);
    attention::softmaxRow<float>(Mask{}, lengthOf(150), 149, row);
    if (start == 0) first.assign(row.begin(), row.end());
    EXPECT_TRUE(std::equal(row.begin(), row.end(), first.begin())) << start;
  }
}

}  // namespace
}  // namespace posiscope
