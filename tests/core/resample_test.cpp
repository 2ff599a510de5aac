// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/resample.h"
#include "core/random.h"

#include <gtest/gtest.h>
#include <cmath>
#include <numeric>

namespace posiscope {
namespace {

const std::vector<Resampling> rules{{Interpolation::linear, false, false}, {Interpolation::linear, false, true},
                                    {Interpolation::linear, true, false},  {Interpolation::cubic, false, false},
                                    {Interpolation::cubic, false, true},   {Interpolation::cubic, true, false}};

Table<double> randomTable(std::int64_t rows, std::int64_t cols) {
  const Stream stream(7, "resample test");
  Table<double> table = makeTable<double>(rows, cols);
  for (std::size_t e = 0; e < table.values.size(); ++e) table.values[e] = stream.normal(e);
  return table;
}

TEST(Resample, weightsSumToOne) {
  for (const Resampling& rule : rules)
    for (const auto& [from, to] : {std::pair{1, 1}, {1, 5}, {2, 7}, {7, 2}, {16, 31}, {31, 16}, {5, 1}})
      for (const auto& rows : resampleWeights(rule, from, to)) {
        double sum = 0;
        for (const auto& [row, weight] : rows) {
          sum += weight;
          EXPECT_TRUE(row >= 0 && row < from);
        }
        EXPECT_NEAR(sum, 1, 1e-14);
      }
}

TEST(Resample, theSameSizeIsTheSameTable) {
  const Table<double> table = randomTable(15, 3);
  for (const Resampling& rule : rules) {
    EXPECT_EQ(resampleRows(rule, rowsOf(table), 15).values, table.values);
    EXPECT_EQ(resampleGrid(rule, rowsOf(table), {3, 5}, {3, 5}).values, table.values);
  }
}

TEST(Resample, aRampStaysARampInside) {
  Table<double> ramp = makeTable<double>(24, 1);
  std::iota(ramp.values.begin(), ramp.values.end(), 0.0);
  for (const Resampling& rule : rules)
    for (const std::int64_t to : {9, 24, 61}) {
      const Table<double> t = resampleRows(rule, rowsOf(ramp), to);
      const double scale = 24.0 / static_cast<double>(to);
      for (std::int64_t o = 0; o < to; ++o) {
        const double place = rule.align_corners ? static_cast<double>(o) * 23 / static_cast<double>(to - 1)
                                                : (static_cast<double>(o) + 0.5) * scale - 0.5;
        const double reach = 2 * std::max(scale, 1.0);
        if (place < reach || place > 23 - reach) continue;
        // a = −0.75 bends a ramp a little between its rows, and a widened kernel samples it coarsely.
        const bool exact = rule.kernel == Interpolation::linear && !rule.antialias;
        EXPECT_NEAR(t.values[static_cast<std::size_t>(o)], place, exact ? 1e-12 : 0.05);
      }
    }
}

TEST(Resample, alignedCornersKeepBothEnds) {
  const Table<double> table = randomTable(6, 2);
  for (const Interpolation kernel : {Interpolation::linear, Interpolation::cubic})
    for (const std::int64_t to : {2, 5, 17}) {
      const Table<double> t = resampleRows({kernel, false, true}, rowsOf(table), to);
      for (std::size_t c = 0; c < 2; ++c) {
        EXPECT_NEAR(t.row(0)[c], table.row(0)[c], 1e-15);
        EXPECT_NEAR(t.row(to - 1)[c], table.row(5)[c], 1e-15);
      }
    }
}

TEST(Resample, theTwoCubicFormsDiffer) {
  const Table<double> table = randomTable(16, 1);
  const auto mae = resampleGrid({Interpolation::cubic, false, false}, rowsOf(table), {4, 4}, {8, 8});
  const auto timm = resampleGrid({Interpolation::cubic, true, false}, rowsOf(table), {4, 4}, {8, 8});
  double largest = 0;
  for (std::size_t e = 0; e < mae.values.size(); ++e)
    largest = std::max(largest, std::abs(mae.values[e] - timm.values[e]));
  EXPECT_GT(largest, 0.05);
}

TEST(Resample, aGridIsBothAxesAndTransposesWithThem) {
  const Table<double> table = randomTable(15, 1);
  Table<double> turned = makeTable<double>(15, 1);
  for (std::int64_t y = 0; y < 3; ++y)
    for (std::int64_t x = 0; x < 5; ++x) turned.row(x * 3 + y)[0] = table.row(y * 5 + x)[0];
  for (const Resampling& rule : rules) {
    const auto upright = resampleGrid(rule, rowsOf(table), {3, 5}, {7, 4});
    const auto lying = resampleGrid(rule, rowsOf(turned), {5, 3}, {4, 7});
    for (std::int64_t y = 0; y < 7; ++y)
      for (std::int64_t x = 0; x < 4; ++x) EXPECT_NEAR(upright.row(y * 4 + x)[0], lying.row(x * 7 + y)[0], 1e-14);
  }
}

}  // namespace
}  // namespace posiscope
