// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base_range.h"

#include "core/schemes/list.h"

#include <gtest/gtest.h>

namespace posiscope {
namespace {

TEST(BaseRange, aBaseBelowOneIsComputedWithAWarning) {
  Shape shape;
  shape.seq_len = shape.grid_height = shape.grid_width = 1;
  shape.d_model = shape.head_dim = 8;
  for (const std::string id : {"sinusoidal", "sinusoidal_2d", "sinusoidal_nd", "scaled_sinusoidal", "fusion", "hybrid",
                               "layerwise", "rerope", "query_scale", "position_ids", "rope"}) {
    ParamValues values{{"base", 0.5}};
    const Scheme& scheme = *schemes::find(id);
    if (id == "query_scale") values["rotate"] = true;
    if (findParam(scheme.params, "table_kind")) values["table_kind"] = std::string("sinusoidal");
    const auto below = encode<double>(scheme, values, shape);
    ASSERT_TRUE(below) << below.error().message.en;
    ASSERT_EQ(below->warnings.size(), 1u) << id;
    EXPECT_EQ(below->warnings[0].en, "With a base of 0.5, below 1, the frequencies grow from pair to pair.");
    values["base"] = 4.58e10;  // models for a million tokens have such
    EXPECT_TRUE(encode<double>(scheme, values, shape)) << id;
    values["base"] = 1.0;
    EXPECT_TRUE(encode<double>(scheme, values, shape)->warnings.empty()) << id;
    for (const double none : {0.0, -3.0}) {
      values["base"] = none;
      EXPECT_FALSE(encode<double>(scheme, values, shape)) << id;
    }
  }
}

}  // namespace
}  // namespace posiscope
