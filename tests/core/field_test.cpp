// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/field.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>

namespace posiscope {
namespace {

constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();

std::shared_ptr<const Field> counting(std::int64_t rows, std::int64_t cols) {
  std::vector<float> values(static_cast<std::size_t>(rows * cols));
  std::iota(values.begin(), values.end(), 0.0F);
  return storedField(rows, cols, std::move(values));
}

std::vector<float> sampled(const Field& field, FieldWindow window, std::int64_t height, std::int64_t width,
                           Reduction reduction) {
  std::vector<float> out(static_cast<std::size_t>(height * width), -1);
  field.sample(window, height, width, reduction, out);
  return out;
}

TEST(Field, oneSampleACellIsExactInEveryReduction) {
  const auto stored = counting(5, 7);
  const auto computed = computedField(5, 7, [](auto r, auto c) { return static_cast<float>(r * 7 + c); });
  for (const Field* field : {stored.get(), computed.get()})
    for (const Reduction reduction : {Reduction::nearest, Reduction::mean, Reduction::maximum, Reduction::minimum}) {
      const auto out = sampled(*field, {0, 0, 5, 7}, 5, 7, reduction);
      for (std::size_t k = 0; k < out.size(); ++k) EXPECT_EQ(out[k], static_cast<float>(k));
    }
}

TEST(Field, magnifiedCellsAreRepeatedExactly) {
  const auto field = counting(3, 3);
  for (const Reduction reduction : {Reduction::nearest, Reduction::mean, Reduction::maximum, Reduction::minimum}) {
    const auto out = sampled(*field, {0, 0, 3, 3}, 12, 12, reduction);
    for (int y = 0; y < 12; ++y)
      for (int x = 0; x < 12; ++x)
        EXPECT_EQ(out[static_cast<std::size_t>(y * 12 + x)], static_cast<float>(y / 4 * 3 + x / 4));
  }
}

TEST(Field, reductionsSeeEveryCellOfTheirShare) {
  const auto field = counting(4, 6);  // one sample = 2 × 3 cells
  const FieldWindow all{0, 0, 4, 6};
  EXPECT_EQ(sampled(*field, all, 2, 2, Reduction::maximum), (std::vector<float>{8, 11, 20, 23}));
  EXPECT_EQ(sampled(*field, all, 2, 2, Reduction::minimum), (std::vector<float>{0, 3, 12, 15}));
  EXPECT_EQ(sampled(*field, all, 2, 2, Reduction::mean), (std::vector<float>{4, 7, 16, 19}));
  EXPECT_EQ(sampled(*field, all, 2, 2, Reduction::nearest), (std::vector<float>{7, 10, 19, 22}));
}

TEST(Field, aLonePeakSurvivesTheMaximum) {
  std::vector<float> values(1000 * 1000, 0.0F);
  values[123456] = 5;
  const auto field = storedField(1000, 1000, std::move(values));
  const auto out = sampled(*field, {0, 0, 1000, 1000}, 7, 9, Reduction::maximum);
  EXPECT_EQ(std::accumulate(out.begin(), out.end(), 0.0F), 5);
}

TEST(Field, outsideIsNanAndInsideIsNot) {
  const auto field = counting(2, 2);
  for (const Reduction reduction : {Reduction::nearest, Reduction::mean, Reduction::maximum, Reduction::minimum}) {
    const auto out = sampled(*field, {-1, -1, 4, 4}, 4, 4, reduction);
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 4; ++x) {
        const float value = out[static_cast<std::size_t>(y * 4 + x)];
        if (y >= 1 && y <= 2 && x >= 1 && x <= 2)
          EXPECT_EQ(value, static_cast<float>((y - 1) * 2 + x - 1));
        else
          EXPECT_TRUE(std::isnan(value));
      }
  }
}

TEST(Field, nanCellsDoNotCount) {
  const auto field = storedField(2, 2, {nan_value, 1, 3, nan_value});
  EXPECT_EQ(sampled(*field, {0, 0, 2, 2}, 1, 1, Reduction::mean).front(), 2);
  EXPECT_EQ(sampled(*field, {0, 0, 2, 2}, 1, 1, Reduction::maximum).front(), 3);
  EXPECT_EQ(sampled(*field, {0, 0, 2, 2}, 1, 1, Reduction::minimum).front(), 1);
  EXPECT_TRUE(std::isnan(sampled(*field, {0, 0, 1, 1}, 1, 1, Reduction::maximum).front()));
}

TEST(Field, computedAsksForFewCellsHoweverManyThereAre) {
  std::int64_t asked = 0;
  const auto field = computedField(1 << 20, 1 << 20, [&](auto, auto) {
    ++asked;
    return 1.0F;
  });
  sampled(*field, {0, 0, 1 << 20, 1 << 20}, 100, 100, Reduction::mean);
  EXPECT_LE(asked, 4 * 100 * 100);
  asked = 0;
  field->limits();
  EXPECT_LE(asked, 64 * 64 + 4 * 64);
  EXPECT_EQ(field->stored(), nullptr);
}

TEST(Field, limitsAreOfTheFiniteValues) {
  const float infinity = std::numeric_limits<float>::infinity();
  std::vector<float> values(100, 2.0F);
  values[3] = nan_value;
  values[40] = -infinity;
  values[50] = infinity;
  values[77] = -4;
  values[99] = 9;
  const auto field = storedField(10, 10, std::move(values));
  EXPECT_EQ(field->limits().minimum, -4);
  EXPECT_EQ(field->limits().maximum, 9);
  EXPECT_TRUE(field->limits().exact);
  EXPECT_EQ(storedField(1, 1, {nan_value})->limits().maximum, 0);
  const auto computed = computedField(1000, 1000, [](auto r, auto c) { return r == c ? 7.0F : static_cast<float>(-c); });
  EXPECT_EQ(computed->limits().maximum, 7);
  EXPECT_EQ(computed->limits().minimum, -999);
  EXPECT_FALSE(computed->limits().exact);
}

TEST(Field, sharesOneBlockAndKeepsItAlive) {
  auto block = std::make_shared<const std::vector<float>>(std::vector<float>{1, 2, 3, 4});
  const auto second = storedField(1, 2, block, block->data() + 2);
  block.reset();
  EXPECT_EQ(second->at(0, 1), 4);
}

}  // namespace
}  // namespace posiscope
