// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/slopes.h"
#include "tests/support/encoded.h"

#include <cmath>

namespace posiscope {
namespace {

Shape biasShape(std::int64_t keys, std::int64_t heads) {
  Shape shape;
  shape.seq_len = keys;
  shape.num_heads = heads;
  return shape;
}

OffsetBias<double> offsetBias(const ParamValues& values, const Shape& shape) {
  const Encoding<double> encoding = test::encoded("alibi", values, shape);
  const auto* found = std::get_if<OffsetBias<double>>(&encoding.logits.bias);
  return found ? *found : OffsetBias<double>{};
}

/// Row i of head h, for the forms that look at the key alone.
std::vector<double> keyBias(const ParamValues& values, const Shape& shape, std::int64_t head, std::int64_t i) {
  const Encoding<double> encoding = test::encoded("alibi", values, shape);
  std::vector<double> row(static_cast<std::size_t>(shape.keys()), std::nan(""));
  if (const auto* found = std::get_if<PairBias<double>>(&encoding.logits.bias)) found->fill(head, i, row);
  return row;
}

TEST(Alibi, slopesOfPowersOfTwoFallGeometrically) {
  EXPECT_EQ(alibiSlopes(1), (std::vector<double>{0x1p-8}));
  EXPECT_EQ(alibiSlopes(8), (std::vector<double>{0.5, 0.25, 0.125, 0.0625, 0x1p-5, 0x1p-6, 0x1p-7, 0x1p-8}));
  const std::vector<double> sixteen = alibiSlopes(16);
  EXPECT_DOUBLE_EQ(sixteen[0], std::sqrt(0.5));
  EXPECT_EQ(sixteen[15], 0x1p-8);
}

TEST(Alibi, slopesOfOtherHeadCountsAreNotSorted) {
  const std::vector<double> twelve = alibiSlopes(12);
  ASSERT_EQ(twelve.size(), 12u);
  for (std::size_t h = 0; h < 8; ++h) EXPECT_EQ(twelve[h], std::exp2(-static_cast<double>(h + 1)));
  for (std::size_t t = 0; t < 4; ++t) EXPECT_DOUBLE_EQ(twelve[8 + t], std::exp2(-0.5 - static_cast<double>(t)));
  // 20 heads: 16, then every second one of 32.
  EXPECT_DOUBLE_EQ(alibiSlopes(20)[16], std::exp2(-0.25));
  EXPECT_DOUBLE_EQ(alibiSlopes(20)[19], std::exp2(-0.25 * 7));
}

TEST(Alibi, symmetricAndSignedForms) {
  const OffsetBias<double> symmetric = offsetBias({}, biasShape(9, 8));
  const OffsetBias<double> with_sign = offsetBias({{"form", std::string("signed")}}, biasShape(9, 8));
  const std::vector<double> m = alibiSlopes(8);
  for (std::int64_t h = 0; h < 8; ++h)
    for (std::int64_t n = -8; n <= 8; ++n) {
      const double slope = m[static_cast<std::size_t>(h)];
      EXPECT_EQ(symmetric.at(h, n), -slope * static_cast<double>(std::abs(n)));
      EXPECT_EQ(with_sign.at(h, n), -slope * static_cast<double>(n));
    }
}

TEST(Alibi, maximumBiasChangesTheExponents) {
  const OffsetBias<double> b = offsetBias({{"max_bias", 4.0}}, biasShape(3, 8));
  EXPECT_DOUBLE_EQ(b.at(7, 1), -0x1p-4);
  EXPECT_DOUBLE_EQ(b.at(0, 1), -std::sqrt(0.5));
}

TEST(Alibi, keyFormsDifferFromTheSignedOneByAConstantInEachRow) {
  const Shape shape = biasShape(9, 12);
  const OffsetBias<double> with_sign = offsetBias({{"form", std::string("signed")}}, shape);
  for (const std::string form : {"key_only", "mpt"})
    for (const std::int64_t head : {0, 5, 11})
      for (const std::int64_t i : {0, 4, 8}) {
        const std::vector<double> row = keyBias({{"form", form}}, shape, head, i);
        const double constant = row[0] - with_sign.at(head, i);
        for (std::int64_t j = 0; j < 9; ++j)
          EXPECT_NEAR(row[static_cast<std::size_t>(j)] - with_sign.at(head, i - j), constant, 1e-15);
      }
  const double slope = alibiSlopes(12)[3];
  EXPECT_EQ(keyBias({{"form", std::string("key_only")}}, shape, 3, 0)[5], 5 * slope);
  EXPECT_EQ(keyBias({{"form", std::string("mpt")}}, shape, 3, 0)[5], -3 * slope);
  EXPECT_EQ(keyBias({{"form", std::string("mpt")}}, shape, 3, 0)[8], 0);
}

TEST(Alibi, paddingCountsRealKeysOnly) {
  const ParamValues values{{"form", std::string("key_only")}, {"key_padding", std::vector<double>{0, 0, 1, 1, 1, 1}}};
  const std::vector<double> row = keyBias(values, biasShape(6, 4), 0, 2);
  EXPECT_EQ(row, (std::vector<double>{0, 0, 0, 0.25, 0.5, 0.75}));
  EXPECT_EQ(test::refusal("alibi", values, biasShape(7, 4)), "alibi: key_padding must have seq_len 7 entries, got 6");
  const ParamValues odd{{"form", std::string("key_only")}, {"key_padding", std::vector<double>{0, 2}}};
  EXPECT_EQ(test::refusal("alibi", odd, biasShape(2, 4)), "alibi: key_padding entries must be 0 or 1, got 2");
}

TEST(Alibi, onlyTheOffsetFormsAreOffsetOnly) {
  EXPECT_TRUE(test::encoded("alibi", {}, biasShape(3, 2)).offset_only);
  EXPECT_FALSE(test::encoded("alibi", {{"form", std::string("mpt")}}, biasShape(3, 2)).offset_only);
  // A bias by offset that would not fit is refused; the forms by key store nothing.
  EXPECT_EQ(schemes::find("alibi")->check({}, biasShape(1 << 24, 1024)).error().code, ErrorCode::too_large);
  EXPECT_EQ(test::refusal("alibi", {{"form", std::string("mpt")}}, biasShape(1 << 24, 1024)), "accepted");
}

}  // namespace
}  // namespace posiscope
