// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dataset.h"

#include "core/shape.h"

#include <gtest/gtest.h>
#include <cmath>
#include <cstdlib>
#include <sstream>

namespace posiscope {
namespace {

Axis axis(const char* symbol, double first = 0) {
  Axis a;
  a.name = {"name", "名"};
  a.symbol = symbol;
  a.first = first;
  return a;
}

Map map(const char* key, std::int64_t rows, std::int64_t cols, std::vector<float> values) {
  return {key, {key, key}, storedField(rows, cols, std::move(values)), axis("i"), axis("n", -1), {"value", "值"}};
}

Curve curve(const char* key, std::vector<double> x, std::vector<double> y) {
  return {key, {key, key}, CurveRole::line, std::move(x), std::move(y), -1};
}

using Shape64 = std::vector<std::int64_t>;

TEST(Dataset, oneMapIsATable) {
  Dataset dataset;
  dataset.maps.push_back(map("a", 2, 3, {1, 2, 3, 4, 5, 6}));
  const Array array = numbers(dataset);
  EXPECT_EQ(array.shape, (Shape64{2, 3}));
  EXPECT_EQ(*array.values, (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(csv(dataset), "i,n-1,n0,n1\n0,1,2,3\n1,4,5,6\n");
}

TEST(Dataset, aZeroHasNoSignInCsv) {
  Dataset dataset;
  dataset.maps.push_back(map("a", 1, 3, {-0.0, 0.0, -1.0}));
  EXPECT_EQ(csv(dataset), "i,n-1,n0,n1\n0,0,0,-1\n");
}

TEST(Dataset, severalMapsAreStackedAndNamed) {
  Dataset dataset;
  dataset.maps = {map("a", 1, 2, {1, 2}), map("b, c", 2, 1, {3, 4})};
  const Array array = numbers(dataset);
  EXPECT_EQ(array.shape, (Shape64{2, 2, 2}));
  EXPECT_EQ(array.data()[1], 2);
  EXPECT_TRUE(std::isnan(array.data()[2]));
  EXPECT_EQ(array.data()[6], 4);
  EXPECT_EQ(csv(dataset), "map,i,n-1,n0\na,0,1,2\n\"b, c\",0,3,\n\"b, c\",1,4,\n");
}

TEST(Dataset, curvesShareTheirAbscissa) {
  Dataset dataset;
  dataset.x = axis("n");
  dataset.curves = {curve("a", {0, 1}, {5, 6}), curve("b", {0, 1}, {7, 8})};
  EXPECT_EQ(numbers(dataset).shape, (Shape64{3, 2}));
  EXPECT_EQ(*numbers(dataset).values, (std::vector<double>{0, 1, 5, 6, 7, 8}));
  EXPECT_EQ(csv(dataset), "n,a,b\n0,5,7\n1,6,8\n");
}

TEST(Dataset, curvesWithTheirOwnAbscissae) {
  Dataset dataset;
  dataset.curves = {curve("a", {0, 1}, {5, 6}), curve("b", {3}, {7})};
  const Array array = numbers(dataset);
  EXPECT_EQ(array.shape, (Shape64{4, 2}));
  EXPECT_EQ(array.data()[4], 3);
  EXPECT_TRUE(std::isnan(array.data()[5]));
  EXPECT_EQ(csv(dataset), "curve,x,y\na,0,5\na,1,6\nb,3,7\n");
}

TEST(Dataset, metricsWhenThereIsNothingElse) {
  Dataset dataset;
  dataset.metrics.push_back({"entropy", {"entropy", "熵"}, 0.1, "nats"});
  EXPECT_EQ(*numbers(dataset).values, (std::vector<double>{0.1}));
  EXPECT_EQ(csv(dataset), "metric,value,unit\nentropy,0.1,nats\n");
  EXPECT_EQ(numbers(Dataset{}).shape, (Shape64{0}));
}

TEST(Dataset, propertiesWithTheTolerancesThatDecidedThem) {
  Dataset dataset;
  Property measured{"symmetric", {"symmetric?", "对称？"}};
  measured.word = {"no, not at all", "否"};
  measured.value = 0.5;
  measured.tolerance = 1e-9;
  Property count{"parameters", {"parameters", "参数"}};
  count.value = 3;
  dataset.properties = {measured, count};
  dataset.metrics.push_back({"entropy", {"entropy", "熵"}, 0.1, "nats"});
  const Array array = numbers(dataset);
  EXPECT_EQ(array.shape, (Shape64{2, 2}));
  EXPECT_EQ(array.data()[1], 1e-9);
  EXPECT_TRUE(std::isnan(array.data()[3]));
  EXPECT_EQ(csv(dataset),
            "property,answer,value,unit,tolerance\nsymmetric,\"no, not at all\",0.5,,1e-09\nparameters,,3,,\n");
}

TEST(Dataset, numbersReadBackExactly) {
  Dataset dataset;
  const float third = 1.0F / 3.0F;
  dataset.maps.push_back(map("a", 1, 1, {third}));
  const std::string text = csv(dataset);
  EXPECT_EQ(std::strtof(text.substr(text.find('\n') + 3).c_str(), nullptr), third);
  Dataset curves;
  curves.x = axis("x");
  curves.curves = {curve("a", {0}, {0.1 + 0.2})};
  EXPECT_NE(csv(curves).find("0.30000000000000004"), std::string::npos);
}

TEST(Dataset, aMapLargerThanMemoryIsRefusedNotWritten) {
  Dataset dataset;
  Map huge = map("a", 1, 1, {0});
  huge.field = computedField(1 << 20, 1 << 20, [](auto, auto) { return 0.0F; });
  dataset.maps.push_back(std::move(huge));
  const Outcome ok = checkNumbers(dataset);
  ASSERT_FALSE(ok);
  EXPECT_EQ(ok.error().code, ErrorCode::too_large);
  EXPECT_NE(ok.error().message.en.find("numbers of about 12 bytes as text, would need"), std::string::npos)
      << "what the size is made of: " << ok.error().message.en;
  EXPECT_NE(ok.error().message.zh.find("个数，以文本计每个约 12 字节"), std::string::npos);
  EXPECT_TRUE(numbers(dataset).empty());
  EXPECT_TRUE(csv(dataset).empty());
}

TEST(Dataset, whatIsInMemoryAlreadyIsNotRefusedAfterAllTheWork) {
  Dataset stored;
  stored.maps.push_back(map("a", 10, 10, std::vector<float>(100, 0.5F)));
  Dataset computed = stored;
  computed.maps.front().field = computedField(10, 10, [](auto, auto) { return 0.5F; });
  const double before = memoryLimit();
  setMemoryLimit(10 * 10 * 12 - 1);
  EXPECT_TRUE(checkNumbers(stored));
  EXPECT_FALSE(checkNumbers(computed));
  setMemoryLimit(before);
}

}  // namespace
}  // namespace posiscope
