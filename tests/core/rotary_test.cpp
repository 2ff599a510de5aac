// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rotary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace posiscope {
namespace {

using Frequencies = std::vector<double>;

RotaryParams scaled(RotaryScaling scaling, double factor) {
  RotaryParams p;
  p.scaling = scaling;
  p.factor = factor;
  return p;
}

RotaryParams llama31() {
  RotaryParams p = scaled(RotaryScaling::llama3, 8);
  p.base = 500000;
  p.original_length = 8192;
  return p;
}

Frequencies plain(double base, std::int64_t d) {
  RotaryParams p;
  p.base = base;
  return inverseFrequencies(p, d, 0);
}

constexpr long double two_pi = 2 * std::numbers::pi_v<long double>;

long double plainFrequency(long double base, int i, int d) { return std::exp(-std::log(base) * 2 * i / d); }

TEST(Rotary, plainFrequenciesFallFromOneByEqualRatios) {
  for (const auto& [base, d] : {std::pair{10000.0, 64}, {500000.0, 128}, {10000.0, 2}, {1.0, 8}, {0.5, 8}}) {
    const Frequencies w = plain(base, d);
    ASSERT_EQ(w.size(), static_cast<std::size_t>(d / 2));
    for (int i = 0; i < d / 2; ++i) {
      const auto expected = static_cast<double>(plainFrequency(base, i, d));
      EXPECT_NEAR(w[static_cast<std::size_t>(i)] / expected, 1, 4e-15) << "base " << base << ", pair " << i;
    }
  }
}

TEST(Rotary, linearDividesEveryFrequency) {
  const Frequencies w = plain(10000, 128);
  const Frequencies scaled_w = inverseFrequencies(scaled(RotaryScaling::linear, 8), 128, 4096);
  for (std::size_t i = 0; i < w.size(); ++i) EXPECT_DOUBLE_EQ(scaled_w[i], w[i] / 8);
}

TEST(Rotary, ntkKeepsTheFirstFrequencyAndDividesTheLastExactly) {
  for (const double factor : {2.0, 4.0, 32.0}) {
    const Frequencies w = plain(10000, 128);
    const Frequencies ntk = inverseFrequencies(scaled(RotaryScaling::ntk, factor), 128, 4096);
    EXPECT_EQ(ntk.front(), 1);
    EXPECT_NEAR(ntk.back() * factor / w.back(), 1, 1e-13);
  }
  EXPECT_NEAR(effectiveBase(scaled(RotaryScaling::ntk, 8), 128, 0), 82684.62264056221, 1e-7);
  EXPECT_NEAR(effectiveBase(scaled(RotaryScaling::ntk, 4), 32, 0), 43872.99918778504, 1e-7);
}

TEST(Rotary, dynamicChangesTheBaseOnlyBeyondTheMaximumLength) {
  const RotaryParams p = scaled(RotaryScaling::dynamic, 2);
  EXPECT_EQ(effectiveBase(p, 128, 2048), 10000);
  EXPECT_EQ(effectiveBase(p, 128, 4096), 10000);
  EXPECT_NEAR(effectiveBase(p, 128, 4097), 10004.9603366797, 1e-8);
  // At twice the length it equals NTK with s + 1, not with s.
  EXPECT_NEAR(effectiveBase(p, 128, 8192), effectiveBase(scaled(RotaryScaling::ntk, 3), 128, 0), 1e-8);
}

TEST(Rotary, yarnBoundsOfKnownModels) {
  RotaryParams llama2 = scaled(RotaryScaling::yarn, 16);
  EXPECT_EQ(yarnBounds(llama2, 128).low, 20);
  EXPECT_EQ(yarnBounds(llama2, 128).high, 46);
  EXPECT_NEAR(attentionFactor(llama2), 1.2772588722239782, 1e-15);

  RotaryParams gpt_oss = scaled(RotaryScaling::yarn, 32);
  gpt_oss.base = 150000;
  gpt_oss.truncate = false;
  EXPECT_NEAR(yarnBounds(gpt_oss, 64).low, 8.092779115512402, 1e-12);
  EXPECT_NEAR(yarnBounds(gpt_oss, 64).high, 17.398024501588555, 1e-12);

  RotaryParams beyond_the_pairs = scaled(RotaryScaling::yarn, 4);
  beyond_the_pairs.original_length = 131072;
  EXPECT_EQ(yarnBounds(beyond_the_pairs, 64).high, 35);  // 31 is the last pair; the clamp is d − 1
  beyond_the_pairs.base = 100;
  EXPECT_EQ(yarnBounds(beyond_the_pairs, 64).high, 63);
}

TEST(Rotary, yarnBlendsAlongThePairs) {
  const Frequencies yarn = inverseFrequencies(scaled(RotaryScaling::yarn, 16), 128, 0);
  for (int i = 0; i < 64; ++i) {
    const long double ramp = i <= 20 ? 0 : i >= 46 ? 1 : (i - 20) / 26.0L;
    const long double expected = plainFrequency(10000, i, 128) * (ramp / 16 + 1 - ramp);
    EXPECT_NEAR(yarn[static_cast<std::size_t>(i)] / static_cast<double>(expected), 1, 4e-15) << "pair " << i;
  }
}

TEST(Rotary, yarnWithCrossedBoundsInterpolatesNothing) {
  RotaryParams p = scaled(RotaryScaling::yarn, 8);
  p.original_length = 4;
  EXPECT_LT(yarnBounds(p, 128).high, 0);
  EXPECT_EQ(inverseFrequencies(p, 128, 0), plain(10000, 128));
  // Equal bounds: kept 0.001 apart, so all but pair 0 are interpolated.
  p.original_length = 5;
  const Frequencies w = inverseFrequencies(p, 8, 0);
  EXPECT_EQ(w[0], 1);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_DOUBLE_EQ(w[i], plain(10000, 8)[i] / 8);
}

TEST(Rotary, printedYarnBlendsAlongTheTurns) {
  const Frequencies w = inverseFrequencies(scaled(RotaryScaling::yarn_paper, 16), 128, 0);
  for (int i = 0; i < 64; ++i) {
    const long double f = plainFrequency(10000, i, 128);
    const long double turns = 4096 * f / two_pi;
    const long double keep = turns < 1 ? 0 : turns > 32 ? 1 : (turns - 1) / 31;
    EXPECT_NEAR(w[static_cast<std::size_t>(i)] / static_cast<double>(f * keep + f / 16 * (1 - keep)), 1, 1e-13);
  }
}

TEST(Rotary, attentionFactorFollowsTheRule) {
  RotaryParams p = scaled(RotaryScaling::yarn, 40);
  p.mscale = 1;
  p.mscale_all_dim = 0.5;
  EXPECT_NEAR(attentionFactor(p), 1.155721990196261, 1e-14);
  EXPECT_NEAR(softmaxScaleMultiplier(p), 1.4029075244788534, 1e-14);
  p.mscale = 0.707;
  p.mscale_all_dim = 0;
  EXPECT_NEAR(attentionFactor(p), 1.3688879454113936, 1e-14);
  EXPECT_EQ(softmaxScaleMultiplier(p), 1);
  p.mscale_rule = MscaleRule::deepseek;
  EXPECT_NEAR(attentionFactor(p), 1.2608037774058554, 1e-14);
  p.mscale = 0;
  EXPECT_NEAR(attentionFactor(p), 1.3688879454113936, 1e-14) << "not given: 1, as in DeepSeek's code";
  p.mscale_all_dim = 1;
  EXPECT_NEAR(attentionFactor(p), 1, 1e-14);
  p.mscale_rule = MscaleRule::hf;
  EXPECT_NEAR(attentionFactor(p), 1.3688879454113936, 1e-14) << "an explicit 0 is not given";
  p.attention_factor = 1.25;
  EXPECT_EQ(attentionFactor(p), 1.25);
  p.scaling = RotaryScaling::linear;
  EXPECT_EQ(attentionFactor(p), 1);
}

TEST(Rotary, llama3KeepsShortDividesLongAndBlendsBetween) {
  const Frequencies w = plain(500000, 128);
  const Frequencies scaled_w = inverseFrequencies(llama31(), 128, 0);
  double last_ratio = 1;
  int blended = 0;
  for (std::size_t i = 0; i < w.size(); ++i) {
    const double wavelength = static_cast<double>(two_pi) / w[i];
    const double ratio = scaled_w[i] / w[i];
    if (wavelength < 2048) {
      EXPECT_EQ(ratio, 1) << i;
    } else if (wavelength > 8192) {
      EXPECT_DOUBLE_EQ(ratio, 1.0 / 8) << i;
    } else {
      const double smooth = (8192 / wavelength - 1) / 3;
      EXPECT_NEAR(ratio, (1 - smooth) / 8 + smooth, 1e-15) << i;
      ++blended;
    }
    EXPECT_LE(ratio, last_ratio + 1e-15);
    last_ratio = ratio;
  }
  EXPECT_GT(blended, 3);
}

TEST(Rotary, llama3BlendsFromTheVeryEdgesOfItsBand) {
  RotaryParams p = llama31();
  p.base = 1;  // every wavelength is 2π, so the length alone says where in the band it lies
  for (const double turns : {0.99, 1.0, 1.01, 2.5, 3.99, 4.0, 4.01}) {
    p.original_length = turns * static_cast<double>(two_pi);
    const double smooth = std::clamp((turns - 1) / 3, 0.0, 1.0);
    EXPECT_NEAR(inverseFrequencies(p, 2, 0).front(), (1 - smooth) / 8 + smooth, 1e-12) << turns;
  }
}

TEST(Rotary, llama3WithEqualFactorsStepsWithoutDividingByZero) {
  RotaryParams p = llama31();
  p.high_freq_factor = 1;
  const Frequencies w = plain(500000, 128);
  const Frequencies stepped = inverseFrequencies(p, 128, 0);
  for (std::size_t i = 0; i < w.size(); ++i)
    EXPECT_DOUBLE_EQ(stepped[i], static_cast<double>(two_pi) / w[i] > 8192 ? w[i] / 8 : w[i]) << i;
}

TEST(Rotary, llama3KeepsAWavelengthExactlyAtTheStep) {
  RotaryParams p = llama31();
  p.base = 1;  // every wavelength is 2π
  p.original_length = 2 * std::numbers::pi;
  p.high_freq_factor = 1;
  EXPECT_EQ(inverseFrequencies(p, 4, 0), (Frequencies{1, 1}));
}

TEST(Rotary, factorOneIsTheIdentityAndLargerOnesStayBetween) {
  for (const auto scaling : {RotaryScaling::linear, RotaryScaling::ntk, RotaryScaling::yarn, RotaryScaling::yarn_paper,
                             RotaryScaling::llama3}) {
    const Frequencies w = plain(10000, 128);
    EXPECT_EQ(attentionFactor(scaled(scaling, 1)), 1);
    const Frequencies same = inverseFrequencies(scaled(scaling, 1), 128, 4096);
    for (std::size_t i = 0; i < w.size(); ++i) EXPECT_NEAR(same[i] / w[i], 1, 1e-14);
    for (const double factor : {2.0, 8.0, 64.0}) {
      const Frequencies changed = inverseFrequencies(scaled(scaling, factor), 128, 4096);
      for (std::size_t i = 0; i < w.size(); ++i) {
        EXPECT_LE(changed[i], w[i] * (1 + 1e-14));
        EXPECT_GE(changed[i], w[i] / factor * (1 - 1e-14));
        if (i > 0 && scaling != RotaryScaling::yarn_paper) {
          EXPECT_LT(changed[i], changed[i - 1]);
        }
      }
    }
  }
}

TEST(Rotary, rotaryDimIsCutNotRounded) {
  RotaryParams p;
  p.rotary_share = 0.29;
  EXPECT_EQ(rotaryDim(p, 100), 28);
  p.rotary_share = 0.4;
  EXPECT_EQ(rotaryDim(p, 80), 32);
  p.rotary_dim = 64;
  EXPECT_EQ(rotaryDim(p, 256), 64);
}

TEST(Rotary, criticalDimensionOfKnownSettings) {
  for (const auto& [base, length, dims] : {std::tuple{10000.0, 2048.0, 82},
                                           {10000.0, 4096.0, 92},
                                           {10000.0, 32768.0, 120},
                                           {10000.0, 131072.0, 128},
                                           {500000.0, 4096.0, 64},
                                           {500000.0, 8192.0, 70},
                                           {500000.0, 131072.0, 98},
                                           {10000.0, 1.0, 0}})
    EXPECT_EQ(criticalDim(base, 128, length).value(), dims) << base << " " << length;
  EXPECT_EQ(criticalDim(1, 128, 4096).error().code, ErrorCode::not_defined);
  EXPECT_EQ(criticalDim(0, 128, 4096).error().code, ErrorCode::out_of_range);
}

TEST(Rotary, yarnReadsATurnCountOfZeroAsTheUsualOne) {
  RotaryParams p = scaled(RotaryScaling::yarn, 4);
  const Frequencies usual = inverseFrequencies(p, 64, 0);
  p.beta_fast = p.beta_slow = 0;
  EXPECT_EQ(inverseFrequencies(p, 64, 0), usual);
}

TEST(Rotary, aFactorBelowOneIsComputedWithAWarning) {
  for (const RotaryScaling scaling : {RotaryScaling::linear, RotaryScaling::yarn}) {
    RotaryParams p = scaled(scaling, 0.5);
    EXPECT_TRUE(checkRotary("rope", p, 64));
    EXPECT_EQ(inverseFrequencies(p, 64, 0).back(), 2 * plain(10000, 64).back());
    EXPECT_EQ(attentionFactor(p), 1);
    ASSERT_EQ(rotaryWarnings(p, 64, 1).size(), 1u);
    p.factor = 1;
    EXPECT_TRUE(rotaryWarnings(p, 64, 1).empty());
  }
}

TEST(Rotary, refusesWhatHasNoMeaning) {
  const auto refusal = [](const RotaryParams& p, std::int64_t head_dim) {
    const Outcome outcome = checkRotary("rope", p, head_dim);
    return outcome ? std::string("accepted") : outcome.error().message.en;
  };
  RotaryParams p;
  EXPECT_EQ(refusal(p, 64), "accepted");
  EXPECT_EQ(refusal(p, 63), "rope: head_dim must be even where the whole head turns in pairs, got 63");
  p.rotary_dim = 66;
  EXPECT_EQ(refusal(p, 64), "rope: rotary_dim must be an even number from 2 to head_dim, got 66 (head_dim 64)");
  p = {};
  p.rotary_share = 0;
  EXPECT_NE(refusal(p, 64), "accepted") << "there are no pairs; a scheme that allows none does not ask";
  p = {};
  p.base = 0;
  EXPECT_EQ(refusal(p, 64), "rope: base must be above 0, got 0");
  p = scaled(RotaryScaling::yarn, 4);
  p.base = 1;
  EXPECT_EQ(checkRotary("rope", p, 64).error().code, ErrorCode::not_defined);
  EXPECT_EQ(checkRotary("rope", scaled(RotaryScaling::ntk, 4), 2).error().code, ErrorCode::not_defined);
  EXPECT_EQ(checkRotary("rope", scaled(RotaryScaling::dynamic, 4), 2).error().code, ErrorCode::not_defined);
  p.scaling = RotaryScaling::yarn_paper;
  EXPECT_EQ(checkRotary("rope", p, 64).error().code, ErrorCode::not_defined);
  p = scaled(RotaryScaling::yarn_paper, 4);
  p.beta_slow = 32;
  EXPECT_EQ(checkRotary("rope", p, 64).error().code, ErrorCode::out_of_range);
  p = llama31();
  p.low_freq_factor = 5;
  EXPECT_EQ(checkRotary("rope", p, 64).error().code, ErrorCode::out_of_range);
}

}  // namespace
}  // namespace posiscope
