// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Faults that were reported in public code, each with the right answer for us.
#include "core/attention/attention.h"
#include "core/schemes/list.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <variant>
#include <vector>

namespace posiscope {
namespace {

Encoding<double> encoded(const std::string& id, const ParamValues& values, const Shape& shape) {
  const auto encoding = encode<double>(*schemes::find(id), values, shape);
  if (!encoding) ADD_FAILURE() << encoding.error().message.en;
  return encoding.value_or(Encoding<double>{});
}

Shape headShape(std::int64_t head_dim, std::int64_t seq_len = 16, std::int64_t heads = 1) {
  Shape shape;
  shape.seq_len = seq_len;
  shape.head_dim = head_dim;
  shape.num_heads = heads;
  shape.d_model = head_dim * heads;
  return shape;
}

double frequency(const Encoding<double>& encoding, std::int64_t pair) {
  return encoding.rotation->frequencyOf(0, 0, pair);
}

// The index was doubled in the exponent; cosine columns then used the next frequency.
TEST(PublicBugs, sinusoidalPairsShareOneFrequency) {
  Shape shape = headShape(8);
  shape.d_model = 8;
  const Encoding<double> encoding = encoded("sinusoidal", {}, shape);
  const std::vector<double> expected{0.841470985, 0.540302306, 0.099833417, 0.995004165,
                                     0.009999833, 0.999950000, 0.001000000, 0.999999500};
  const auto row = encoding.input.table.row(1);
  for (std::size_t d = 0; d < 8; ++d) EXPECT_NEAR(row[d], expected[d], 1e-9) << "column " << d;
}

TEST(PublicBugs, sinusoidalOddWidthsEndWithASine) {
  Shape shape = headShape(7);
  shape.d_model = 7;
  const Encoding<double> seven = encoded("sinusoidal", {}, shape);
  EXPECT_NEAR(seven.input.table.row(1)[6], std::sin(std::pow(10000.0, -6.0 / 7.0)), 1e-12);
  shape.d_model = 1;
  const Encoding<double> one = encoded("sinusoidal", {}, shape);
  EXPECT_NEAR(one.input.table.row(1)[0], std::sin(1.0), 1e-15);
}

TEST(PublicBugs, baseIsAParameterOfTheTable) {
  Shape shape = headShape(8);
  shape.d_model = 8;
  const Encoding<double> encoding = encoded("sinusoidal", {{"base", 1000.0}}, shape);
  EXPECT_NEAR(encoding.input.table.row(1)[4], 0.031617506, 1e-9);
}

TEST(PublicBugs, rotaryPairingsAreBothRight) {
  const std::vector<std::pair<std::string, std::vector<double>>> cases{
      {"interleaved", {-1.142639664, 1.922075597, 2.959850668, 4.029799502}},
      {"half", {-1.984110649, 1.959900667, 2.462377902, 4.019799668}}};
  for (const auto& [pairing, expected] : cases) {
    const Encoding<double> encoding = encoded("rope", {{"pairing", pairing}}, headShape(4));
    std::vector<double> x{1, 2, 3, 4};
    attention::rotate<double>(*encoding.rotation, 0, 1, false, x, 4);
    for (std::size_t d = 0; d < 4; ++d) EXPECT_NEAR(x[d], expected[d], 1e-9) << pairing << " " << d;
  }
}

TEST(PublicBugs, longerTablesKeepTheirFirstRows) {
  Shape small = headShape(64, 1000);
  Shape large = headShape(64, 5000);
  const Encoding<double> a = encoded("sinusoidal", {}, small);
  const Encoding<double> b = encoded("sinusoidal", {}, large);
  for (std::int64_t r = 0; r < 1000; ++r)
    for (std::size_t d = 0; d < 64; ++d) ASSERT_EQ(a.input.table.row(r)[d], b.input.table.row(r)[d]);
}

TEST(PublicBugs, firstPositionShiftsTheTable) {
  Shape shape = headShape(8);
  shape.d_model = 8;
  const Encoding<double> plain = encoded("sinusoidal", {}, shape);
  shape.first_position = 5;
  const Encoding<double> shifted = encoded("sinusoidal", {}, shape);
  for (std::size_t d = 0; d < 8; ++d) EXPECT_NEAR(shifted.input.table.row(0)[d], plain.input.table.row(5)[d], 1e-14);
}

TEST(PublicBugs, dynamicNtkHasNoMemory) {
  const ParamValues values{{"scaling", std::string("dynamic")}, {"factor", 2.0}, {"max_length", 2048.0}};
  const auto base = [&](std::int64_t length) {
    const Encoding<double> e = encoded("rope", values, headShape(128, length));
    return std::pow(frequency(e, 1), -64.0);  // base^(−2/128)
  };
  EXPECT_NEAR(base(4096), 30527.7367, 1e-3);
  EXPECT_NEAR(base(1000), 10000.0, 1e-7);
}

TEST(PublicBugs, dynamicNtkGrowsWithTheLength) {
  const ParamValues values{{"scaling", std::string("dynamic")}, {"factor", 4.0}, {"max_length", 2048.0}};
  const std::vector<std::pair<std::int64_t, double>> expected{{2048, 10000.0}, {4096, 51293.7873}, {8192, 135401.97}};
  for (const auto& [length, base] : expected) {
    const Encoding<double> e = encoded("rope", values, headShape(128, length));
    EXPECT_NEAR(std::pow(frequency(e, 1), -64.0) / base, 1.0, 1e-7) << length;
  }
}

TEST(PublicBugs, yarnAttentionFactorIsFinal) {
  ParamValues values{{"scaling", std::string("yarn")}, {"factor", 64.0}, {"original_length", 4096.0},
                     {"attention_factor", 1.4158883}};
  EXPECT_DOUBLE_EQ(encoded("rope", values, headShape(128)).rotation->attention_factor, 1.4158883);
  values.erase("attention_factor");
  values["factor"] = 4.0;
  EXPECT_NEAR(encoded("rope", values, headShape(128)).rotation->attention_factor, 1.138629, 1e-6);
}

TEST(PublicBugs, llama32BandsAreExact) {
  const ParamValues values{{"base", 500000.0},         {"scaling", std::string("llama3")}, {"factor", 32.0},
                           {"low_freq_factor", 1.0},   {"high_freq_factor", 4.0},          {"original_length", 8192.0}};
  const Encoding<double> scaled = encoded("rope", values, headShape(64));
  const Encoding<double> plain = encoded("rope", {{"base", 500000.0}}, headShape(64));
  for (std::int64_t p = 0; p < 32; ++p) {
    if (p <= 14) {
      EXPECT_EQ(frequency(scaled, p), frequency(plain, p));
    } else if (p >= 18) {
      EXPECT_NEAR(frequency(scaled, p) * 32.0 / frequency(plain, p), 1.0, 1e-14);
    }
  }
  EXPECT_NEAR(frequency(scaled, 15), 0.00129054793, 1e-11);
  EXPECT_NEAR(frequency(scaled, 16), 0.000429556797, 1e-12);
  EXPECT_NEAR(frequency(scaled, 17), 0.0000970828780, 1e-13);
}

TEST(PublicBugs, partialRotaryUsesTheRotatedWidth) {
  const Encoding<double> encoding =
      encoded("rope", {{"base", 5e6}, {"rotary_dim", 64.0}}, headShape(128));
  EXPECT_EQ(encoding.rotation->pairs(), 32);
  EXPECT_NEAR(frequency(encoding, 1), std::pow(5e6, -2.0 / 64.0), 1e-15);
}

TEST(PublicBugs, linearScalingInterpolatesPositions) {
  const Encoding<double> scaled =
      encoded("rope", {{"scaling", std::string("linear")}, {"factor", 4.0}}, headShape(64));
  const Encoding<double> plain = encoded("rope", {}, headShape(64));
  for (std::int64_t p = 0; p < 32; ++p)
    EXPECT_DOUBLE_EQ(scaled.rotation->angle(0, 8, p), plain.rotation->angle(0, 2, p));
}

std::vector<double> slopes(std::int64_t heads) {
  const Encoding<double> encoding = encoded("alibi", {}, headShape(8, 4, heads));
  const auto* bias = std::get_if<OffsetBias<double>>(&encoding.logits.bias);
  std::vector<double> result;
  for (std::int64_t h = 0; bias && h < heads; ++h) result.push_back(-bias->at(h, 1));
  return result;
}

TEST(PublicBugs, alibiSlopesForAnyNumberOfHeads) {
  const std::vector<double> twelve{0.5,       0.25,       0.125,        0.0625,       0.03125,      0.015625,
                                   0.0078125, 0.00390625, 0.7071067812, 0.3535533906, 0.1767766953, 0.0883883476};
  const std::vector<double> found = slopes(12);
  ASSERT_EQ(found.size(), twelve.size());
  for (std::size_t h = 0; h < 12; ++h) EXPECT_NEAR(found[h], twelve[h], 1e-10) << h;
  EXPECT_EQ(slopes(3), (std::vector<double>{0.0625, 0.00390625, 0.25}));
  EXPECT_EQ(slopes(8).front(), 0.5);
  EXPECT_EQ(slopes(8).back(), 0.00390625);
  EXPECT_NEAR(slopes(40)[0], 0.8408964153, 1e-10);
  EXPECT_NEAR(slopes(40)[32], 0.9170040432, 1e-10);
}

TEST(PublicBugs, t5FarOffsetsStayInTheLastBucket) {
  // A table with row b holding b makes the bias the bucket number.
  std::vector<double> rows(32);
  for (std::size_t b = 0; b < 32; ++b) rows[b] = static_cast<double>(b);
  const Shape shape = headShape(8, 1200);
  const auto bucket = [&](bool bidirectional, std::int64_t memory_minus_query) {
    const Encoding<double> e =
        encoded("t5_log", {{"bidirectional", bidirectional}, {"table", makeArray({32, 1}, rows)}}, shape);
    return std::get<OffsetBias<double>>(e.logits.bias).at(0, -memory_minus_query);
  };
  EXPECT_EQ(bucket(true, -1000), 15);
  EXPECT_EQ(bucket(true, 1000), 31);
  EXPECT_EQ(bucket(true, 1), 17);
  EXPECT_EQ(bucket(false, -1000), 31);
  EXPECT_EQ(bucket(false, 5), 0);
}

TEST(PublicBugs, scaleUsesTheHeadWidth) {
  Shape shape = headShape(16, 1, 4);  // width 64, head 16
  const Encoding<double> encoding = encoded("none", {}, shape);
  Content<double> content;
  content.q.assign(64, 0.0);
  content.k.assign(64, 0.0);
  content.q[0] = 8;
  content.k[0] = 1;
  attention::Wanted wanted;
  wanted.logits = true;
  const auto result = attention::attend<double>(encoding, content, {}, shape, wanted, {});
  ASSERT_TRUE(result) << result.error().message.en;
  EXPECT_DOUBLE_EQ(result->logits[0], 2.0);
}

TEST(PublicBugs, causalZeroLogitsSpreadOverThePast) {
  const Shape shape = headShape(2, 3);
  const Encoding<double> encoding = encoded("none", {}, shape);
  Content<double> content;
  content.q.assign(6, 0.0);
  content.k.assign(6, 0.0);
  Mask mask;
  mask.causal = true;
  const auto result = attention::attend<double>(encoding, content, mask, shape, {}, {});
  ASSERT_TRUE(result) << result.error().message.en;
  const std::vector<double> expected{1, 0, 0, 0.5, 0.5, 0, 1.0 / 3, 1.0 / 3, 1.0 / 3};
  for (std::size_t c = 0; c < 9; ++c) EXPECT_NEAR(result->weights[c], expected[c], 1e-15) << c;
}

TEST(PublicBugs, aRowWithNothingToAttendIsZero) {
  const Shape shape = headShape(2, 3);
  const Encoding<double> encoding = encoded("none", {}, shape);
  Content<double> content;
  content.q.assign(6, 1.0);
  content.k.assign(6, 1.0);
  Mask mask;
  mask.causal = true;
  mask.key_padding = {0, 1, 1};
  const auto result = attention::attend<double>(encoding, content, mask, shape, {}, {});
  ASSERT_TRUE(result) << result.error().message.en;
  EXPECT_EQ(result->empty_rows, 1);
  EXPECT_EQ(result->weights, (std::vector<double>{0, 0, 0, 0, 1, 0, 0, 0.5, 0.5}));
}

}  // namespace
}  // namespace posiscope
