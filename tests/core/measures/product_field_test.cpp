// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/product_field.h"

#include "core/field.h"
#include "core/formula_field.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace posiscope::measures {
namespace {

constexpr std::int64_t rows = 3000, width = 11;

/// A table of which no two rows are alike and none is the sum of waves; row 5 is zero.
std::shared_ptr<Encoding<float>> tabled() {
  auto encoding = std::make_shared<Encoding<float>>();
  encoding->input.table = makeTable<float>(rows, width);
  for (std::int64_t e = 0; e < rows * width; ++e)
    encoding->input.table.values[static_cast<std::size_t>(e)] =
        e / width == 5 ? 0.0F : static_cast<float>(std::sin(static_cast<double>(e * e % 10007)));
  return encoding;
}

double product(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t d = 0; d < a.size(); ++d) sum += static_cast<double>(a[d]) * static_cast<double>(b[d]);
  return sum;
}

TEST(TableProducts, areThoseOfTheRows) {
  const auto encoding = tabled();
  const auto field = tableProducts(encoding, false, 0.25), cosines = tableProducts(encoding, true, 1);
  std::vector<float> cells(9);
  field->sample({2000, 40, 3, 3}, 3, 3, Reduction::mean, cells);
  for (std::int64_t i = 2000; i < 2003; ++i)
    for (std::int64_t j = 40; j < 43; ++j) {
      const std::span<const float> a = encoding->input.table.row(i), b = encoding->input.table.row(j);
      const double expected = product(a, b);
      EXPECT_NEAR(field->at(i, j), 0.25 * expected, 1e-6);
      EXPECT_NEAR(cells[static_cast<std::size_t>((i - 2000) * 3 + j - 40)], 0.25 * expected, 1e-6);
      EXPECT_NEAR(cosines->at(i, j), expected / std::sqrt(product(a, a) * product(b, b)), 1e-6);
    }
  EXPECT_EQ(cosines->at(5, 7), 0.0F) << "a row without length";
  EXPECT_NEAR(cosines->limits().maximum, 1, 1e-5);
}

TEST(TableProducts, ofATableThatIsNotStoredAreTheSame) {
  const auto stored = tabled();
  auto made = std::make_shared<Encoding<float>>();
  made->input.rows = rows;
  made->input.cols = width;
  made->input.fill_row = [stored](std::int64_t r, std::span<float> row) {
    std::ranges::copy(stored->input.table.row(r), row.begin());
  };
  const auto a = tableProducts(stored, false, 1), b = tableProducts(made, false, 1);
  EXPECT_EQ(a->at(17, 2900), b->at(17, 2900));
}

TEST(TableProducts, areWrittenByBlocksOfRows) {
  constexpr std::int64_t tokens = 3000;
  auto made = std::make_shared<Encoding<float>>();
  auto reads = std::make_shared<std::atomic<std::int64_t>>(0);
  made->input.rows = tokens;
  made->input.cols = 4;
  made->input.fill_row = [reads](std::int64_t r, std::span<float> row) {
    ++*reads;
    std::ranges::fill(row, static_cast<float>(r % 7));
  };
  const auto field = tableProducts(made, false, 0.5);
  RowReader reader;
  *reads = 0;
  for (std::int64_t i = 0; i < tokens; ++i) {
    const Expected<std::vector<float>> row = reader.row(*field, i);
    ASSERT_TRUE(row);
    ASSERT_EQ(std::ssize(*row), tokens);
    ASSERT_EQ(row->at(2999), static_cast<float>(2 * (i % 7) * (2999 % 7))) << i;
  }
  EXPECT_LE(*reads, 5 * tokens) << "each row a query, and a key of three blocks";
}

TEST(RotationProducts, followAnyPositions) {
  auto encoding = std::make_shared<Encoding<float>>();
  RotationPart rotation;
  rotation.rotary_dim = 4;
  rotation.first_dim = 2;
  rotation.axes = 2;
  rotation.sets = 2;
  rotation.frequency = {1, 0.1, 0.5, 0.01, 2, 0.2, 0.25, 0.02};  // [set, axis, pair]
  rotation.attention_factor = 1.5;
  for (int axis = 0; axis < 2; ++axis)
    for (int t = 0; t < 100; ++t) rotation.position.push_back(axis == 0 ? t / 10 : t % 10);
  encoding->rotation = rotation;
  const auto field = rotationProducts(encoding, 1, 0.5);
  ASSERT_EQ(field->rows(), 100);
  for (const auto& [i, j] : {std::pair{3, 3}, std::pair{97, 14}, std::pair{20, 88}}) {
    double expected = 0;
    for (std::int64_t p = 0; p < 2; ++p) expected += std::cos(rotation.angle(1, i, p) - rotation.angle(1, j, p));
    EXPECT_NEAR(field->at(i, j), 0.5 * 2 * 1.5 * 1.5 * expected, 2e-6) << i << ", " << j;
  }
}

}  // namespace
}  // namespace posiscope::measures
