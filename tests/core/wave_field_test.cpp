// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/wave_field.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace posiscope {
namespace {

constexpr std::int64_t rows = 4096;
const std::vector<Wave> waves{{0, 1}, {0.3, 0.18}, {-2, 1e-3}, {1, 0}, {0.5, 2 * std::numbers::pi}, {0.1, -0.7}};

float cellOf(std::int64_t r, std::int64_t c, bool sine) {
  const Wave& wave = waves[static_cast<std::size_t>(c)];
  const double angle = wave.phase + wave.step * static_cast<double>(r);
  return static_cast<float>(1.2 * (sine ? std::sin(angle) : std::cos(angle)));
}

std::shared_ptr<const Field> computed(bool sine) {
  std::vector<Wave> turned = waves;
  for (Wave& wave : turned) wave.sine = sine;
  return waveField(rows, std::move(turned), 1.2, [sine](std::int64_t r, std::int64_t c) { return cellOf(r, c, sine); });
}

std::shared_ptr<const Field> stored(bool sine) {
  std::vector<float> values;
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < std::ssize(waves); ++c) values.push_back(cellOf(r, c, sine));
  return storedField(rows, std::ssize(waves), std::move(values));
}

// Four of the 40 cells under a sample of the first column would be off by up to 1.
TEST(WaveField, AMeanIsThatOfAllCells) {
  for (const bool sine : {false, true})
    for (const FieldWindow& window : {FieldWindow{0, 0, rows, 6}, FieldWindow{17.5, 1, 803.25, 4},
                                      FieldWindow{-50, -1, 5000, 8}, FieldWindow{3, 0, 40, 6}}) {
      std::vector<float> wanted(100 * 9), got(100 * 9);
      stored(sine)->sample(window, 100, 9, Reduction::mean, wanted);
      computed(sine)->sample(window, 100, 9, Reduction::mean, got);
      for (std::size_t k = 0; k < got.size(); ++k) {
        ASSERT_EQ(std::isnan(got[k]), std::isnan(wanted[k])) << k;
        if (std::isnan(got[k])) continue;
        EXPECT_NEAR(got[k], wanted[k], 2e-6) << k << " from row " << window.row;
      }
    }
}

TEST(WaveField, ASingleCellIsExactAndOtherReductionsAreThoseOfAnyField) {
  const auto field = computed(false);
  std::vector<float> out(20 * 6), wanted(20 * 6);
  field->sample({100, 0, 20, 6}, 20, 6, Reduction::mean, out);
  for (std::int64_t r = 0; r < 20; ++r)
    for (std::int64_t c = 0; c < 6; ++c) EXPECT_EQ(out[static_cast<std::size_t>(r * 6 + c)], field->at(100 + r, c));
  stored(false)->sample({100, 0, 20, 6}, 20, 6, Reduction::maximum, wanted);
  field->sample({100, 0, 20, 6}, 20, 6, Reduction::maximum, out);
  EXPECT_EQ(out, wanted);
}

// A window of whole cells is filled in runs; its columns, its first row and the rest of its last run count.
TEST(WaveField, ALongWindowOfSingleCellsIsFilledInRuns) {
  for (const bool sine : {false, true}) {
    const auto field = computed(sine);
    std::vector<float> out(300 * 4);
    field->sample({1001, 1, 300, 4}, 300, 4, Reduction::nearest, out);
    for (std::int64_t r = 0; r < 300; ++r)
      for (std::int64_t c = 0; c < 4; ++c)
        ASSERT_NEAR(out[static_cast<std::size_t>(r * 4 + c)], field->at(1001 + r, 1 + c), 1.5e-7) << r << ", " << c;
  }
}

TEST(WaveField, SaysThatItLooksAtAll) {
  EXPECT_TRUE(averagesAll(*computed(true)));
  EXPECT_TRUE(averagesAll(*stored(true)));
  EXPECT_FALSE(averagesAll(*computedField(9, 9, [](std::int64_t, std::int64_t) { return 0.0F; })));
}

}  // namespace
}  // namespace posiscope
