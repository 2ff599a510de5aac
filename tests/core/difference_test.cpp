// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/difference.h"

#include <gtest/gtest.h>
#include <cmath>
#include <limits>

namespace posiscope {
namespace {

constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();

Axis axis(const char* symbol) {
  Axis result;
  result.name = {symbol, symbol};
  result.symbol = symbol;
  return result;
}

Map mapOf(const char* key, std::shared_ptr<const Field> field, const char* rows = "i", const char* cols = "j",
          int head = -1) {
  return {key, {key, key}, std::move(field), axis(rows), axis(cols), {"weight", "权重"}, MapKind::sequential, head};
}

Dataset datasetOf(std::vector<Map> maps) {
  Dataset dataset;
  dataset.maps = std::move(maps);
  return dataset;
}

TEST(DifferenceField, subtractsCellByCellStoredOrNot) {
  const auto a = storedField(2, 2, std::vector<float>{5, 6, 7, nan_value});
  const auto b = storedField(2, 2, std::vector<float>{1, 4, nan_value, 2});
  const auto computed = computedField(2, 2, [b](std::int64_t r, std::int64_t c) { return b->at(r, c); });
  for (const auto& subtrahend : {b, computed}) {
    const auto d = differenceField(a, subtrahend);
    EXPECT_EQ(d->at(0, 0), 4);
    EXPECT_EQ(d->at(0, 1), 2);
    EXPECT_TRUE(std::isnan(d->at(1, 0)));
    EXPECT_TRUE(std::isnan(d->at(1, 1)));
    EXPECT_EQ(d->limits().minimum, 2);
    EXPECT_EQ(d->limits().maximum, 4);
  }
  EXPECT_TRUE(differenceField(a, b)->stored()) << "exact however it is reduced";
}

TEST(DifferenceField, hasNoNumberWhereOneHasNoCell) {
  const auto tall = storedField(3, 1, std::vector<float>{1, 2, 3});
  const auto wide = storedField(1, 2, std::vector<float>{10, 20});
  const auto d = differenceField(tall, wide);
  ASSERT_EQ(d->rows(), 3);
  ASSERT_EQ(d->cols(), 2);
  EXPECT_EQ(d->at(0, 0), -9);
  for (const auto& [row, col] : {std::pair{0, 1}, {1, 0}, {2, 1}})
    EXPECT_TRUE(std::isnan(d->at(row, col))) << row << col;
}

TEST(Difference, pairsMapsByKeyThenHeadThenPlace) {
  const auto constant = [](float value) { return storedField(1, 1, std::vector<float>{value}); };
  const auto d = difference(datasetOf({mapOf("cos", constant(5)), mapOf("sin", constant(7))}),
                            datasetOf({mapOf("sin", constant(1)), mapOf("cos", constant(2))}));
  ASSERT_TRUE(d);
  ASSERT_EQ(d->maps.size(), 2U);
  EXPECT_EQ(d->maps[0].field->at(0, 0), 3);
  EXPECT_EQ(d->maps[1].field->at(0, 0), 6);
  EXPECT_EQ(d->maps[0].kind, MapKind::diverging);
  EXPECT_EQ(d->maps[0].value.en, "Δ weight");
  const auto heads =
      difference(datasetOf({mapOf("a3", constant(5), "i", "j", 3)}),
                 datasetOf({mapOf("b1", constant(1), "i", "j", 1), mapOf("b3", constant(4), "i", "j", 3)}));
  ASSERT_TRUE(heads);
  EXPECT_EQ(heads->maps[0].field->at(0, 0), 1);
  const auto first = difference(datasetOf({mapOf("table", constant(5))}), datasetOf({mapOf("bias", constant(3))}));
  ASSERT_TRUE(first);
  EXPECT_EQ(first->maps[0].field->at(0, 0), 2);
}

TEST(Difference, refusesAxesOfDifferentMeaning) {
  const auto field = storedField(1, 1, std::vector<float>{1});
  const auto d = difference(datasetOf({mapOf("table", field, "i", "d")}), datasetOf({mapOf("cos", field, "i", "p")}));
  ASSERT_FALSE(d);
  EXPECT_EQ(d.error().code, ErrorCode::not_defined);
  EXPECT_EQ(d.error().message.en, "they cannot be subtracted: one is i × d, the other i × p");
  EXPECT_FALSE(d.error().message.zh.empty());
  Map shifted = mapOf("table", field, "i", "d");
  shifted.rows.first = 7;
  EXPECT_FALSE(difference(datasetOf({shifted}), datasetOf({mapOf("table", field, "i", "d")})));
  EXPECT_FALSE(difference(datasetOf({}), datasetOf({shifted})));
}

TEST(Difference, ofSeveralMapsSaysOfWhichItsRemarkIs) {
  const auto maps = [](float value) {
    const auto field = storedField(1, 2, std::vector<float>{value, 2});
    return std::vector<Map>{mapOf("head 0", field, "i", "j", 0), mapOf("head 1", field, "i", "j", 1)};
  };
  const auto two = difference(datasetOf(maps(1)), datasetOf(maps(3)));
  ASSERT_TRUE(two);
  ASSERT_EQ(two->remarks.size(), 1U);
  EXPECT_TRUE(two->remarks[0].sentence.en.starts_with("head 0: ")) << two->remarks[0].sentence.en;
  const auto one = difference(datasetOf({maps(1)[0]}), datasetOf({maps(3)[0]}));
  ASSERT_TRUE(one);
  EXPECT_FALSE(one->remarks.at(0).sentence.en.starts_with("head 0: "));
}

}  // namespace
}  // namespace posiscope
