// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/quantities.h"

#include <gtest/gtest.h>
#include <cmath>
#include <limits>

namespace posiscope {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

Map mapOf(std::string key, std::vector<float> values) {
  Map map;
  map.key = std::move(key);
  map.field = storedField(2, 2, std::move(values));
  return map;
}

std::vector<std::string> namesOf(const std::vector<sweep::Quantity>& list) {
  std::vector<std::string> names;
  for (const sweep::Quantity& q : list) names.push_back(q.name);
  return names;
}

TEST(SweepQuantities, LooksAtWhatIsFinite) {
  Dataset dataset;
  dataset.maps.push_back(mapOf("cos", {1, -3, nan, 4}));
  Curve curve;
  curve.key = "ones";
  curve.x = {0, 1, 2};
  curve.y = {2, -INFINITY, 6};
  dataset.curves.push_back(curve);
  dataset.metrics.push_back({"first_rise", {}, 7, "tokens"});
  Property property{"symmetric", {}};
  property.value = 0.5;
  dataset.properties.push_back(property);
  const std::vector<sweep::Quantity> expected{{"cos.minimum", -3}, {"cos.maximum", 4},  {"cos.mean", 2.0 / 3},
                                              {"ones.minimum", 2}, {"ones.maximum", 6}, {"ones.mean", 4},
                                              {"ones.last", 6},    {"symmetric", 0.5},  {"first_rise", 7, "tokens"}};
  EXPECT_EQ(sweep::quantitiesOf(dataset), expected);
}

TEST(SweepQuantities, NamesDiffer) {
  Dataset dataset;
  dataset.maps = {mapOf("head", {1, 1, 1, 1}), mapOf("head", {2, 2, 2, 2})};
  EXPECT_EQ(namesOf(sweep::quantitiesOf(dataset)),
            (std::vector<std::string>{"head.minimum", "head.maximum", "head.mean", "head.minimum 2", "head.maximum 2",
                                      "head.mean 2"}));
}

TEST(SweepQuantities, AMapTooLargeToWriteHasItsLimitsOnly) {
  Dataset dataset;
  Map map;
  map.key = "all";
  map.field = computedField(1 << 20, 1 << 20, [](std::int64_t i, std::int64_t j) { return static_cast<float>(i - j); });
  dataset.maps.push_back(std::move(map));
  EXPECT_EQ(namesOf(sweep::quantitiesOf(dataset)),
            (std::vector<std::string>{"all.minimum of a sample", "all.maximum of a sample"}));
}

}  // namespace
}  // namespace posiscope
