// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/wave_rows.h"

#include <gtest/gtest.h>
#include <cmath>

namespace posiscope {
namespace {

/// Cosines and sines side by side, three to two.
std::vector<Wave> manyWaves(std::int64_t columns) {
  std::vector<Wave> waves;
  for (std::int64_t c = 0; c < columns; ++c)
    waves.push_back({.phase = 0.1 * static_cast<double>(c),
                     .step = std::pow(10000.0, -static_cast<double>(c) / 40),
                     .amplitude = c % 7 == 3 ? 0.5 : 1,
                     .sine = c % 5 > 2});
  return waves;
}

double cellOf(const Wave& wave, std::int64_t row) {
  const double angle = wave.phase + wave.step * static_cast<double>(row);
  return wave.amplitude * (wave.sine ? std::sin(angle) : std::cos(angle));
}

// Widths around the sixteen columns that turn together; rows over several tiles, and over the place of a fresh start.
TEST(WaveRows, EveryCellIsItsCosineToTheLastDigit) {
  for (const std::int64_t columns : {1, 15, 16, 17, 37})
    for (const std::int64_t first : {0, 1048000}) {
      const std::vector<Wave> waves = manyWaves(columns);
      constexpr std::int64_t rows = 2500;
      std::vector<float> out(static_cast<std::size_t>(rows * columns));
      WaveRows(waves, 1).fillAll(first, rows, out.data());
      for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < columns; ++c)
          ASSERT_NEAR(out[static_cast<std::size_t>(r * columns + c)],
                      cellOf(waves[static_cast<std::size_t>(c)], first + r), 3.1e-8)
              << first + r << ", " << c << " of " << columns;
    }
}

// A cosine a quarter turn later would be 6e-17.
TEST(WaveRows, TheSineOfNothingIsNothing) {
  std::vector<float> out(2);
  WaveRows(std::vector<Wave>{{.step = 0.3, .sine = true}}, 1).fillAll(0, 2, out.data());
  EXPECT_EQ(out[0], 0);
  EXPECT_FLOAT_EQ(out[1], std::sin(0.3F));
}

TEST(WaveRows, ACellHasTheSameBitsInEveryWindow) {
  const std::vector<Wave> waves = manyWaves(20);
  std::vector<float> whole(20 * 33000), part(20 * 1000), few(20 * 5);
  const WaveRows table(waves, 3);
  table.fillAll(0, 33000, whole.data());
  table.fillAll(8000, 1000, part.data());
  for (std::size_t k = 0; k < part.size(); ++k) ASSERT_EQ(whole[20 * 8000 + k], part[k]) << k;
  table.fill(4093, 5, few.data());
  for (std::size_t k = 0; k < few.size(); ++k) ASSERT_EQ(whole[20 * 4093 + k], few[k]) << k;
  EXPECT_NEAR(whole.front(), 3, 1e-6);
}

}  // namespace
}  // namespace posiscope
