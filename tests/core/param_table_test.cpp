// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/content.h"
#include "core/shape.h"

#include <gtest/gtest.h>

namespace posiscope {
namespace {

TEST(ParamTable, writesWhatDiffersFromTheDefaultsAndReadsItBack) {
  EXPECT_TRUE(shapeTable().values(Shape{}).empty());
  Shape shape;
  shape.seq_len = 131072;
  shape.first_position = 7.5;
  const ParamValues values = shapeTable().values(shape);
  EXPECT_EQ(values, (ParamValues{{"first_position", 7.5}, {"seq_len", 131072.0}}));
  const Expected<Shape> back = shapeTable().read("shape", values);
  ASSERT_TRUE(back);
  EXPECT_EQ(*back, shape);
}

TEST(ParamTable, writesChoicesAsTheirKeysAndArraysAsThemselves) {
  ContentSpec spec;
  spec.source = ContentSource::arrays;
  spec.q = makeArray({1, 1, 2}, {1, 2}, "q.npy");
  const ParamValues values = contentTable().values(spec);
  EXPECT_EQ(values.at("source"), Value(std::string("arrays")));
  const Expected<ContentSpec> back = contentTable().read("content", values);
  ASSERT_TRUE(back) << back.error().message.en;
  EXPECT_EQ(*back, spec);
}

}  // namespace
}  // namespace posiscope
