// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/random.h"
#include "tests/support/encoded.h"

#include <cmath>

namespace posiscope {
namespace {

OffsetBias<double> biasOf(const ParamValues& values, std::int64_t keys = 33, std::int64_t heads = 5) {
  Shape shape;
  shape.seq_len = keys;
  shape.num_heads = heads;
  const Encoding<double> encoding = test::encoded("kerple", values, shape);
  const auto* found = std::get_if<OffsetBias<double>>(&encoding.logits.bias);
  return found ? *found : OffsetBias<double>{};
}

ParamValues formOf(const char* form, std::vector<double> r1, std::vector<double> r2) {
  return {{"form", std::string(form)}, {"r1", std::move(r1)}, {"r2", std::move(r2)}};
}

TEST(Kerple, bothFormsAreSymmetricFallAndStartAtZero) {
  const Stream random(11, "test");
  for (std::uint64_t trial = 0; trial < 20; ++trial)
    for (const char* form : {"log", "power"}) {
      const double r1 = 0.01 + 3 * random.unit(trial, 0);
      const double r2 = 0.01 + 1.9 * random.unit(trial, 1);
      const OffsetBias<double> bias = biasOf(formOf(form, {r1}, {r2}));
      EXPECT_EQ(bias.at(4, 0), 0);
      for (std::int64_t n = 1; n < 33; ++n) {
        EXPECT_EQ(bias.at(2, n), bias.at(2, -n));
        EXPECT_LT(bias.at(2, n), bias.at(2, n - 1));
        const auto distance = static_cast<double>(n);
        const double wanted = form[0] == 'l' ? -r1 * std::log(1 + r2 * distance) : -r1 * std::pow(distance, r2);
        EXPECT_NEAR(bias.at(0, n), wanted, 1e-13 * std::abs(wanted));
      }
    }
}

TEST(Kerple, powerOneIsAlibi) {
  const OffsetBias<double> bias = biasOf(formOf("power", {0.5, 0.25, 0.125}, {1}), 9, 3);
  for (std::int64_t n = -8; n <= 8; ++n) EXPECT_EQ(bias.at(1, n), -0.25 * std::abs(static_cast<double>(n)));
}

TEST(Kerple, theCausalReadingPutsKeysAheadAtDistanceZero) {
  ParamValues values = formOf("log", {1}, {1});
  values["reading"] = std::string("causal");
  const OffsetBias<double> bias = biasOf(values);
  for (std::int64_t n = 1; n < 33; ++n) {
    EXPECT_EQ(bias.at(0, -n), 0);
    EXPECT_LT(bias.at(0, n), 0);
  }
}

TEST(Kerple, drawsEachHeadAloneAndKeepsItAboveTheSmallest) {
  const OffsetBias<double> few = biasOf({}, 3, 2);
  const OffsetBias<double> many = biasOf({}, 3, 64);
  EXPECT_EQ(few.at(1, 1), many.at(1, 1));
  EXPECT_NE(many.at(0, 1), many.at(1, 1));
  for (std::int64_t h = 0; h < 64; ++h) EXPECT_LE(many.at(h, 1), -0.01 * std::log1p(0.01));
}

TEST(Kerple, refusesWhatHasNoKernel) {
  Shape shape;
  shape.num_heads = 4;
  EXPECT_EQ(test::refusal("kerple", formOf("log", {0}, {1}), shape),
            "kerple: r1 must be above 0 and at most 1000000, got 0");
  EXPECT_EQ(test::refusal("kerple", formOf("power", {1}, {2.5}), shape),
            "kerple: r2 must be above 0 and at most 2, got 2.5");
  EXPECT_EQ(test::refusal("kerple", formOf("log", {1}, {2.5}), shape), "accepted");
  EXPECT_EQ(test::refusal("kerple", formOf("log", {1, 2}, {1}), shape),
            "kerple: r1 must have one entry or num_heads 4, got 2");
}

}  // namespace
}  // namespace posiscope
