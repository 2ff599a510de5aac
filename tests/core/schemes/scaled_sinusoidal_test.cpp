// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/encoded.h"

#include <cmath>

namespace posiscope {
namespace {

Shape tableShape(std::int64_t rows, std::int64_t d_model) {
  Shape shape;
  shape.seq_len = rows;
  shape.d_model = d_model;
  shape.first_position = 3.5;
  return shape;
}

TEST(ScaledSinusoidal, startsAtOneOverTheRootOfTheWidth) {
  for (const std::int64_t d : {2, 6, 64}) {
    const auto found = test::encoded("scaled_sinusoidal", {}, tableShape(9, d));
    const auto plain = test::encoded("sinusoidal", {{"columns", std::string("concatenated")}}, tableShape(9, d));
    const double start = 1 / std::sqrt(static_cast<double>(d));
    double squares = 0;
    for (std::size_t e = 0; e < found.input.table.values.size(); ++e) {
      EXPECT_DOUBLE_EQ(found.input.table.values[e], start * plain.input.table.values[e]);
      squares += found.input.table.values[e] * found.input.table.values[e];
    }
    EXPECT_NEAR(squares / 9, 0.5, 1e-14);  // a row's length is √½ whatever the width
    EXPECT_EQ(found.facts.front().value, start);
  }
}

TEST(ScaledSinusoidal, aTrainedFactorMayBeZeroOrNegative) {
  const auto at = [](double scale) {
    const ParamValues values{{"factor", std::string("trained")}, {"scale", scale}};
    return test::encoded("scaled_sinusoidal", values, tableShape(4, 6)).input.table.values;
  };
  const std::vector<double> up = at(0.25), down = at(-0.25);
  for (std::size_t e = 0; e < up.size(); ++e) EXPECT_EQ(up[e], -down[e]);
  for (const double value : at(0)) EXPECT_EQ(value, 0);
}

TEST(ScaledSinusoidal, refusesOddWidths) {
  EXPECT_EQ(test::refusal("scaled_sinusoidal", {}, tableShape(4, 7)),
            "scaled_sinusoidal: d_model must be even (as many sines as cosines), got 7");
}

}  // namespace
}  // namespace posiscope
