// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rotary.h"
#include "tests/support/encoded.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace posiscope {
namespace {

Shape headShape(std::int64_t head_dim, std::int64_t seq_len = 32, double first = 0) {
  Shape shape;
  shape.head_dim = head_dim;
  shape.seq_len = seq_len;
  shape.first_position = first;
  return shape;
}

RotationPart rotation(const ParamValues& values, const Shape& shape) {
  const Encoding<double> encoding = test::encoded("rope", values, shape);
  return encoding.rotation.value_or(RotationPart{});
}

/// x at `token`, turned as the part says.
std::vector<double> turned(const RotationPart& r, std::vector<double> x, std::int64_t token) {
  for (std::int64_t p = 0; p < r.pairs(); ++p) {
    double& a = x[static_cast<std::size_t>(r.firstDim(p))];
    double& c = x[static_cast<std::size_t>(r.secondDim(p))];
    const double cosine = r.attention_factor * std::cos(r.angle(0, token, p));
    const double sine = r.attention_factor * std::sin(r.angle(0, token, p));
    const double before = a;
    a = before * cosine - c * sine;
    c = before * sine + c * cosine;
  }
  return x;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

std::vector<double> someVector(std::size_t n, double phase) {
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = std::sin(phase + 1.7 * static_cast<double>(i));
  return x;
}

const std::string interleaved = "interleaved", half = "half";

TEST(Rope, anglesArePositionTimesFrequency) {
  const RotationPart r = rotation({{"base", 500000.0}}, headShape(128, 10, 1000.5));
  EXPECT_EQ(r.pairs(), 64);
  EXPECT_EQ(r.sets, 1);
  for (std::int64_t t = 0; t < 10; ++t)
    for (std::int64_t p = 0; p < 64; ++p) {
      const long double w = std::pow(500000.0L, -2.0L * p / 128);
      EXPECT_NEAR(r.angle(0, t, p), static_cast<double>((1000.5L + t) * w), 1e-12);
    }
}

TEST(Rope, pairingsTakeTheirDimensions) {
  const RotationPart near = rotation({}, headShape(8));
  EXPECT_EQ(near.firstDim(1), 2);
  EXPECT_EQ(near.secondDim(1), 3);
  const RotationPart split = rotation({{"pairing", half}}, headShape(8));
  EXPECT_EQ(split.firstDim(1), 1);
  EXPECT_EQ(split.secondDim(1), 5);
}

TEST(Rope, pairingsDifferByAPermutationOnly) {
  const Shape shape = headShape(16);
  const std::vector<double> x = someVector(16, 0.3);
  std::vector<double> permuted(16);
  for (std::size_t i = 0; i < 16; ++i) permuted[i < 8 ? i : i] = x[i < 8 ? 2 * i : 2 * (i - 8) + 1];
  const std::vector<double> near = turned(rotation({}, shape), x, 9);
  const std::vector<double> split = turned(rotation({{"pairing", half}}, shape), permuted, 9);
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(split[i], near[i < 8 ? 2 * i : 2 * (i - 8) + 1]);
}

TEST(Rope, scoresDependOnTheOffsetOnly) {
  const std::vector<double> q = someVector(64, 0.1), k = someVector(64, 2);
  for (const std::string& pairing : {interleaved, half}) {
    const RotationPart here = rotation({{"pairing", pairing}}, headShape(64));
    const RotationPart there = rotation({{"pairing", pairing}}, headShape(64, 32, 1000.25));
    const double score = dot(turned(here, q, 9), turned(here, k, 4));
    EXPECT_NEAR(dot(turned(here, q, 25), turned(here, k, 20)), score, 1e-11);
    EXPECT_NEAR(dot(turned(there, q, 9), turned(there, k, 4)), score, 1e-11);
    EXPECT_GT(std::abs(dot(turned(here, q, 4), turned(here, k, 9)) - score), 0.01);  // not symmetric
    EXPECT_NEAR(dot(turned(here, q, 9), turned(here, q, 9)), dot(q, q), 1e-12);      // length kept
    EXPECT_EQ(turned(here, q, 0), q);
  }
}

TEST(Rope, partialRotationLeavesTheRestAlone) {
  const RotationPart r = rotation({{"rotary_share", 0.25}, {"pairing", half}}, headShape(64));
  EXPECT_EQ(r.rotary_dim, 16);
  EXPECT_EQ(r.secondDim(0), 8);
  EXPECT_NEAR(r.frequencyOf(0, 0, 1), std::pow(10000.0, -2.0 / 16), 1e-16);  // by 16, not by 64
  const std::vector<double> q = someVector(64, 1);
  const std::vector<double> after = turned(r, q, 5);
  EXPECT_TRUE(std::equal(q.begin() + 16, q.end(), after.begin() + 16));
  EXPECT_EQ(rotation({{"rotary_dim", 64.0}}, headShape(256)).pairs(), 32);
}

TEST(Rope, yarnScalesTheScoresByTheSquareOfItsFactor) {
  const ParamValues values{{"scaling", std::string("yarn")}, {"factor", 16.0}};
  const Encoding<double> encoding = test::encoded("rope", values, headShape(128));
  ASSERT_TRUE(encoding.rotation);
  EXPECT_NEAR(encoding.rotation->attention_factor, 1.2772588722239782, 1e-15);
  const std::vector<double> q = someVector(128, 1);
  EXPECT_NEAR(dot(turned(*encoding.rotation, q, 3), turned(*encoding.rotation, q, 3)) / dot(q, q),
              1.2772588722239782 * 1.2772588722239782, 1e-13);
  const auto fact = [&](std::string_view key) {
    for (const EncodingFact& f : encoding.facts)
      if (f.key == key) return f.value;
    return -1.0;
  };
  EXPECT_EQ(fact("yarn_low"), 20);
  EXPECT_EQ(fact("yarn_high"), 46);
  EXPECT_EQ(fact("attention_factor"), encoding.rotation->attention_factor);
  EXPECT_DOUBLE_EQ(encoding.logit_scale, 1 / std::sqrt(128.0));
}

TEST(Rope, deepseekMovesTheTemperatureToTheSoftmax) {
  const ParamValues values{{"scaling", std::string("yarn")},
                           {"factor", 40.0},
                           {"mscale", 1.0},
                           {"mscale_all_dim", 1.0},
                           {"mscale_rule", std::string("deepseek")}};
  const Encoding<double> encoding = test::encoded("rope", values, headShape(64));
  EXPECT_EQ(encoding.rotation->attention_factor, 1);
  EXPECT_NEAR(encoding.logit_scale, 1.8738542070926265 / 8, 1e-14);
}

TEST(Rope, dynamicLooksAtTheSequence) {
  const ParamValues values{{"scaling", std::string("dynamic")}, {"factor", 2.0}, {"max_length", 64.0}};
  EXPECT_EQ(rotation(values, headShape(64, 64)).frequency, rotation({}, headShape(64)).frequency);
  EXPECT_LT(rotation(values, headShape(64, 65)).frequency.back(), rotation({}, headShape(64)).frequency.back());
}

TEST(Rope, dynamicCodeThatKeepsItsStateForgetsOnlyAtShortSequences) {
  ParamValues values{{"scaling", std::string("dynamic")}, {"factor", 2.0}, {"max_length", 64.0}};
  const std::vector<double> at_128 = rotation(values, headShape(64, 128)).frequency;
  values["stateful"] = true;
  values["longest_seen"] = 128.0;
  EXPECT_EQ(rotation(values, headShape(64, 80)).frequency, at_128);
  EXPECT_EQ(rotation(values, headShape(64, 64)).frequency, at_128);
  EXPECT_EQ(test::encoded("rope", values, headShape(64, 80)).warnings.size(), 1u);
  EXPECT_EQ(rotation(values, headShape(64, 63)).frequency, rotation({}, headShape(64)).frequency);
  EXPECT_TRUE(test::encoded("rope", values, headShape(64, 63)).warnings.empty());
  EXPECT_LT(rotation(values, headShape(64, 129)).frequency.back(), at_128.back());
}

TEST(Rope, longropeChangesItsListAfterTheTrainedLength) {
  std::vector<double> short_factor(32, 1.25), long_factor(32);
  for (std::size_t p = 0; p < 32; ++p) long_factor[p] = 1 + static_cast<double>(p);
  const ParamValues values{{"scaling", std::string("longrope")},
                           {"original_length", 64.0},
                           {"max_length", 2048.0},
                           {"short_factor", short_factor},
                           {"long_factor", long_factor}};
  const RotationPart plain = rotation({}, headShape(64));
  const RotationPart at_64 = rotation(values, headShape(64, 64)), at_65 = rotation(values, headShape(64, 65));
  for (std::size_t p = 0; p < 32; ++p) {
    EXPECT_DOUBLE_EQ(at_64.frequency[p], plain.frequency[p] / 1.25);
    EXPECT_DOUBLE_EQ(at_65.frequency[p], plain.frequency[p] / long_factor[p]);
  }
  EXPECT_NEAR(at_64.attention_factor, std::sqrt(1 + std::log(32.0) / std::log(64.0)), 1e-15);
  EXPECT_EQ(at_65.attention_factor, at_64.attention_factor);
  EXPECT_EQ(test::refusal("rope", values, headShape(62)),
            "rope: short_factor must have 31 entries, one for each pair, got 32");
  EXPECT_EQ(test::encoded("rope", {{"scaling", std::string("longrope")}}, headShape(64)).warnings.size(), 1u);
}

TEST(Rope, proportionalTurnsAShareOfThePairsWithTheExponentsOfAll) {
  const std::string proportional = "proportional";
  const Shape shape = headShape(20);
  for (const double share : {0.0, 0.25, 0.33, 0.5, 1.0}) {
    const RotationPart r =
        rotation({{"scaling", proportional}, {"rotary_share", share}, {"factor", 2.0}, {"pairing", half}}, shape);
    const auto turning = static_cast<std::int64_t>(std::floor(share * 10));
    ASSERT_EQ(r.pairs(), 10);
    for (std::int64_t p = 0; p < 10; ++p)
      EXPECT_DOUBLE_EQ(r.frequencyOf(0, 0, p),
                       p < turning ? std::pow(10000.0, -2.0 * static_cast<double>(p) / 20) / 2 : 0.0);
    const std::vector<double> x = someVector(20, 1);
    const std::vector<double> after = turned(r, x, 7);
    for (std::size_t d = 0; d < 20; ++d)
      if (static_cast<std::int64_t>(d) % 10 >= turning) {
        EXPECT_EQ(after[d], x[d]) << d;
      }
  }
  EXPECT_NE(test::refusal("rope", {{"scaling", proportional}}, headShape(21)), "accepted");
  EXPECT_NE(test::refusal("rope", {{"rotary_share", 1.25}}, headShape(20)), "accepted");
}

TEST(Rope, headsMayHaveBasesOrFactorsOfTheirOwn) {
  Shape shape = headShape(16);
  shape.num_heads = 3;
  const std::vector<double> bases{100, 1e4, 5e5};
  const RotationPart listed = rotation({{"bases", bases}}, shape);
  const RotationPart spread =
      rotation({{"spread", std::string("base")}, {"base_min", 100.0}, {"base_max", 1e6}}, shape);
  const RotationPart factors =
      rotation({{"spread", std::string("factor")}, {"factor_min", 1.2}, {"factor_max", 1.8}}, shape);
  for (std::int64_t h = 0; h < 3; ++h)
    for (std::int64_t p = 0; p < 8; ++p) {
      const double share = -2.0 * static_cast<double>(p) / 16;
      EXPECT_DOUBLE_EQ(listed.frequencyOf(h, 0, p), std::pow(bases[static_cast<std::size_t>(h)], share));
      EXPECT_NEAR(spread.frequencyOf(h, 0, p), std::pow(std::pow(100.0, 1 + static_cast<double>(h)), share), 1e-14);
      EXPECT_NEAR(factors.frequencyOf(h, 0, p), std::pow(1e4, share) / (1.2 + 0.3 * static_cast<double>(h)), 1e-15);
    }
  shape.num_heads = 1;
  EXPECT_EQ(rotation({{"spread", std::string("base")}, {"base_min", 100.0}}, shape).frequencyOf(0, 0, 1),
            std::pow(100.0, -2.0 / 16));
  EXPECT_EQ(test::refusal("rope", {{"bases", bases}}, shape), "rope: bases must have num_heads 1 entries, got 3");
  shape.num_heads = 3;
  EXPECT_NE(test::refusal("rope", {{"bases", bases}, {"spread", std::string("base")}}, shape), "accepted");
  EXPECT_NE(test::refusal("rope", {{"bases", std::vector<double>{1, 0, 1}}}, shape), "accepted");
}

TEST(Rope, layersMayHaveBasesOfTheirOwn) {
  Shape shape = headShape(16);
  shape.num_layers = 2;
  shape.layer = 1;
  const ParamValues values{{"bases", std::vector<double>{100, 1e6}}, {"bases_by", std::string("layer")}};
  EXPECT_EQ(rotation(values, shape).frequency, rotation({{"base", 1e6}}, shape).frequency);
}

TEST(Rope, gemma3HasTwoKindsOfLayers) {
  ParamValues values{{"dual", true},     {"base", 1e6},           {"scaling", std::string("linear")},
                     {"factor", 8.0},    {"local_base", 10000.0}, {"period", 6.0},
                     {"global_at", 5.0}, {"local_window", 1023.0}};
  Shape shape = headShape(256);
  shape.num_layers = 34;
  for (shape.layer = 0; shape.layer < 34; ++shape.layer) {
    const Encoding<double> e = test::encoded("rope", values, shape);
    const bool global = (shape.layer + 1) % 6 == 0;
    EXPECT_EQ(e.reach.window, global ? -1 : 1023);
    EXPECT_DOUBLE_EQ(e.rotation->frequencyOf(0, 0, 1),
                     global ? std::pow(1e6, -2.0 / 256) / 8 : std::pow(1e4, -2.0 / 256));
  }
  shape.layer = 0;
  values["scale_local"] = true;
  EXPECT_DOUBLE_EQ(rotation(values, shape).frequencyOf(0, 0, 0), 1.0 / 8);
  values["global_at"] = 6.0;
  EXPECT_EQ(test::refusal("rope", values, shape), "rope: global_at must be below period 6, got 6");
}

TEST(Rope, theShareOfProportionalScalingEndsAtTheGlobalLayers) {
  ParamValues values{{"dual", true},          {"base", 1e6},   {"scaling", std::string("proportional")},
                     {"rotary_share", 0.25},  {"factor", 1.0}, {"period", 2.0},
                     {"global_at", 1.0}};
  Shape shape = headShape(16);
  shape.num_layers = 2;
  EXPECT_EQ(rotation(values, shape).frequency, rotation({}, shape).frequency);
  shape.layer = 1;
  const RotationPart global = rotation(values, shape);
  EXPECT_EQ(std::ranges::count_if(global.frequency, [](double w) { return w > 0; }), 2);
  // A partial rotation, and scaling that is said to hold in local layers, hold there.
  shape.layer = 0;
  values["scale_local"] = true;
  EXPECT_EQ(std::ranges::count_if(rotation(values, shape).frequency, [](double w) { return w > 0; }), 2);
  values["scaling"] = std::string("none");
  EXPECT_EQ(rotation(values, shape).rotary_dim, 4);
}

TEST(Rope, basesBelowOneAreAllowedWithAWarning) {
  const Encoding<double> e = test::encoded("rope", {{"base", 0.5}}, headShape(16));
  ASSERT_EQ(e.warnings.size(), 1u);
  EXPECT_EQ(e.warnings[0].en, "With a base of 0.5, below 1, the frequencies grow from pair to pair.");
  EXPECT_GT(e.rotation->frequency[1], e.rotation->frequency[0]);
  EXPECT_TRUE(test::encoded("rope", {}, headShape(16)).warnings.empty());
  EXPECT_NE(test::refusal("rope", {{"base", -1.0}}, headShape(16)), "accepted");
  EXPECT_NE(test::refusal("rope", {{"base", 1.0}, {"scaling", std::string("yarn")}}, headShape(16)), "accepted");
  EXPECT_EQ(test::refusal("rope", {{"base", 1.0}}, headShape(16)), "accepted");
}

TEST(Rope, crossedYarnBoundsAreSaid) {
  const ParamValues values{{"scaling", std::string("yarn")}, {"factor", 8.0}, {"original_length", 4.0}};
  const Encoding<double> e = test::encoded("rope", values, headShape(128));
  ASSERT_EQ(e.warnings.size(), 1u);
  EXPECT_TRUE(e.warnings[0].en.starts_with("YaRN interpolates nothing"));
}

TEST(Rope, showsItsNumbers) {
  const Scheme& rope = *schemes::find("rope");
  EXPECT_EQ(rope.substitution({{"base", 500000.0}}, headShape(128)), "b = 500\u202f000, r = 128, p = 0…63");
  EXPECT_EQ(rope.substitution({{"base", 0.0}}, headShape(128)), "");
  EXPECT_EQ(test::refusal("rope", {{"base", 0.0}}, headShape(128)), "rope: base must be 1e-06 to 1e+12, got 0");
}

}  // namespace
}  // namespace posiscope
