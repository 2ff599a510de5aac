// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rotations of every scaling, width and pairing, at any real position.
#include "core/schemes/fope.h"
#include "tests/core/invariants/drawn.h"
#include "tests/support/rotated.h"

#include <gtest/gtest.h>

namespace posiscope {
namespace {

using test::dotOf;
using test::turned;

constexpr int trials = 80;
const std::string interleaved = "interleaved", half = "half";

Shape shapeOf(std::int64_t head_dim, std::int64_t tokens = 3) {
  Shape shape;
  shape.seq_len = tokens;
  shape.head_dim = head_dim;
  return shape;
}

/// A scaling with numbers that fit together.
ParamValues drawnScaling(test::Drawn& drawn, const std::string& scaling, std::int64_t pairs, double factor) {
  ParamValues values{{"base", drawn.logarithmic(100, 1e7)},
                     {"pairing", drawn.oneOf({interleaved, half})},
                     {"scaling", scaling},
                     {"factor", factor},
                     {"original_length", std::round(drawn.logarithmic(256, 1 << 16))},
                     {"max_length", std::round(drawn.logarithmic(256, 1 << 16))}};
  if (scaling == "yarn") values["truncate"] = drawn.oneOf({true, false});
  if (scaling == "llama3") {
    values["low_freq_factor"] = drawn.between(0.5, 2);
    values["high_freq_factor"] = drawn.between(2.5, 8);
  }
  if (scaling == "longrope")
    for (const char* list : {"short_factor", "long_factor"}) {
      std::vector<double> factors;
      for (std::int64_t p = 0; p < pairs; ++p) factors.push_back(drawn.logarithmic(1, 64));
      values[list] = factors;
    }
  if (scaling == "proportional") values["rotary_share"] = drawn.between(0, 1);
  return values;
}

TEST(RotationInvariants, turnsAddUpAndComeBack) {
  test::Drawn drawn("turns");
  for (int t = 0; t < trials; ++t) {
    const auto scaling = drawn.oneOf<std::string>(
        {"none", "linear", "ntk", "dynamic", "yarn", "yarn_paper", "llama3", "longrope", "proportional"});
    const auto dim = scaling == "ntk" || scaling == "dynamic" ? drawn.oneOf<std::int64_t>({4, 6, 10, 34, 80})
                                                              : drawn.oneOf<std::int64_t>({2, 4, 6, 10, 34, 80});
    const ParamValues values = drawnScaling(drawn, scaling, dim / 2, drawn.logarithmic(1, 64));
    SCOPED_TRACE(testing::Message() << scaling << ", " << dim << " dimensions");
    RotationPart r = test::rotationOf("rope", values, shapeOf(dim, 6));
    const double a = drawn.between(-2000, 2000), b = drawn.between(-2000, 2000), s = drawn.between(-5000, 5000);
    r.position = {a, b, a + b, -a, a + s, b + s};
    const double gain = r.attention_factor;
    const std::vector<double> x = drawn.normals(dim), y = drawn.normals(dim);
    const double size = std::sqrt(dotOf(x, x)), tolerance = 1e-10 * gain * gain * size;
    const std::vector<double> both = turned(r, turned(r, x, 1), 0), sum = turned(r, x, 2);
    for (std::size_t d = 0; d < x.size(); ++d) ASSERT_NEAR(both[d], gain * sum[d], tolerance) << d;
    EXPECT_NEAR(std::sqrt(dotOf(sum, sum)), gain * size, tolerance);
    EXPECT_NEAR(dotOf(turned(r, x, 0), y), dotOf(x, turned(r, y, 3)), tolerance * (1 + std::sqrt(dotOf(y, y))));
    EXPECT_NEAR(test::scoreOf(r, x, y, 0, 1), test::scoreOf(r, x, y, 4, 5), tolerance * (1 + std::sqrt(dotOf(y, y))));
    for (const std::size_t d : {std::size_t{0}, x.size() - 1})
      EXPECT_NEAR(turned(test::rotationOf("rope", values, shapeOf(dim)), x, 0)[d], gain * x[d], tolerance);
  }
}

std::vector<double> frequencies(const ParamValues& values, std::int64_t dim, std::int64_t tokens = 3) {
  return test::rotationOf("rope", values, shapeOf(dim, tokens)).frequency;
}
ParamValues unscaled(ParamValues values) {
  values["scaling"] = std::string("none");
  return values;
}

TEST(RotationInvariants, scalingsStretchByAtMostTheirFactor) {
  test::Drawn drawn("scalings");
  for (int t = 0; t < trials; ++t) {
    const auto scaling = drawn.oneOf<std::string>({"linear", "ntk", "yarn", "yarn_paper", "llama3"});
    const auto dim = drawn.oneOf<std::int64_t>({4, 6, 10, 34, 80, 128});
    const double s = drawn.logarithmic(1.01, 100);
    ParamValues values = drawnScaling(drawn, scaling, dim / 2, s);
    const std::vector<double> w = frequencies(values, dim), plain = frequencies(unscaled(values), dim);
    SCOPED_TRACE(testing::Message() << scaling << ", " << dim << " dimensions, factor " << s);
    for (std::size_t p = 0; p < w.size(); ++p) {
      EXPECT_LE(w[p], plain[p] * (1 + 1e-12)) << p;
      EXPECT_GE(w[p], plain[p] / s * (1 - 1e-12)) << p;
      if (p > 0 && scaling != "yarn_paper") {
        EXPECT_LT(w[p], w[p - 1]) << p;
      }
      if (p > 0 && scaling == "llama3") {
        EXPECT_LE(w[p] / plain[p], w[p - 1] / plain[p - 1] * (1 + 1e-12)) << p;
      }
    }
    if (scaling == "ntk") {
      EXPECT_DOUBLE_EQ(w.front(), 1);
      EXPECT_NEAR(w.back() * s / plain.back(), 1, 1e-12);
    }
    values["factor"] = 1.0;
    const std::vector<double> once = frequencies(values, dim);
    for (std::size_t p = 0; p < w.size(); ++p) EXPECT_NEAR(once[p] / plain[p], 1, 1e-12) << p;
    EXPECT_EQ(test::rotationOf("rope", values, shapeOf(dim)).attention_factor, 1);
  }
}

TEST(RotationInvariants, dynamicScalingIsPlainUpToItsLengthAndNtkBeyond) {
  test::Drawn drawn("dynamic");
  for (int t = 0; t < 20; ++t) {
    const auto dim = drawn.oneOf<std::int64_t>({4, 6, 34, 128});
    const auto length = static_cast<std::int64_t>(drawn.between(8, 200));
    ParamValues values = drawnScaling(drawn, "dynamic", dim / 2, drawn.between(1, 16));
    values["max_length"] = static_cast<double>(length);
    const std::vector<double> at_length = frequencies(values, dim, length), plain = frequencies(unscaled(values), dim);
    for (std::size_t p = 0; p < plain.size(); ++p) EXPECT_NEAR(at_length[p] / plain[p], 1, 1e-12);
    const std::vector<double> twice = frequencies(values, dim, 2 * length);
    values["scaling"] = std::string("ntk");
    values["factor"] = std::get<double>(values["factor"]) + 1;
    const std::vector<double> ntk = frequencies(values, dim);
    for (std::size_t p = 0; p < ntk.size(); ++p) EXPECT_NEAR(twice[p] / ntk[p], 1, 1e-12);
  }
}

TEST(RotationInvariants, learnedDirectionsKeepNormsOnAnyGrid) {
  test::Drawn drawn("mixed");
  for (const auto& [height, width] : {std::pair{1, 1}, std::pair{1, 7}, std::pair{5, 2}, std::pair{3, 11}})
    for (const std::int64_t dim : {4, 12, 20, 64}) {
      Shape shape = shapeOf(dim, height * width);
      shape.grid_height = height;
      shape.grid_width = width;
      shape.num_heads = 3;
      const RotationPart r = test::rotationOf("rope_mixed", {}, shape);
      const std::vector<double> x = drawn.normals(dim);
      for (std::int64_t token = 0; token < shape.seq_len; ++token)
        for (std::int64_t head = 0; head < 3; ++head) {
          const std::vector<double> after = turned(r, x, token, head);
          ASSERT_NEAR(dotOf(after, after), dotOf(x, x), 1e-12 * dotOf(x, x)) << token;
        }
    }
}

TEST(RotationInvariants, mixedFrequenciesDoNotKeepNorms) {
  test::Drawn drawn("fope");
  for (int t = 0; t < 20; ++t) {
    schemes::FopeParams p;
    p.base = drawn.logarithmic(100, 1e6);
    p.train_length = std::round(drawn.logarithmic(64, 4096));
    p.seed = t;
    const Shape shape = shapeOf(drawn.oneOf<std::int64_t>({8, 10, 34, 64}), 40);
    const auto kept = static_cast<std::int64_t>(schemes::fopeKept(p, shape.head_dim).size());
    const auto spread = [&](const schemes::FopeTurns& turns) {
      double largest = 0;
      for (std::int64_t token = 0; token < 40; ++token)
        for (std::int64_t pair = 0; pair < kept; ++pair) {
          const auto at = static_cast<std::size_t>(pair);
          const double c = turns.cosine.row(token)[at], s = turns.sine.row(token)[at];
          largest = std::max(largest, std::abs(c * c + s * s - 1));
        }
      return largest;
    };
    EXPECT_GT(spread(schemes::fopeTurns(p, shape, 0, 0, 40)), 1e-3);
    p.noise = 0;
    EXPECT_LT(spread(schemes::fopeTurns(p, shape, 0, 0, 40)), 1e-12) << "with the identity it is a rotation";
  }
}

}  // namespace
}  // namespace posiscope
