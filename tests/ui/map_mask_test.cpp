// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/map_mask.h"

#include <gtest/gtest.h>

#include <utility>

namespace posiscope::ui {
namespace {

Map mapOf(std::vector<float> values, MapKind kind) {
  Map map;
  map.field = storedField(3, 3, std::move(values));
  map.kind = kind;
  return map;
}

TEST(MapMask, rowsOfGivenWeightsWithNothingToAttendToAreMasked) {
  Question q;
  q.shape.seq_len = 3;
  q.content.source = ContentSource::attention;
  const Map weights = mapOf({1, 0, 0, 0, 0, 0, 0.5F, 0, 0.5F}, MapKind::sequential);
  const auto masked = forbidden(q, weights);
  ASSERT_TRUE(masked);
  for (std::int64_t j = 0; j < 3; ++j) EXPECT_TRUE(masked(1, j)) << j;
  EXPECT_FALSE(masked(0, 2)) << "a weight of zero is a weight";
  EXPECT_FALSE(masked(2, 1));

  q.mask.causal = true;
  const auto both = forbidden(q, weights);
  EXPECT_TRUE(both(0, 2));
  EXPECT_TRUE(both(1, 0));
  EXPECT_FALSE(both(2, 1));
}

TEST(MapMask, onlyGivenWeightsTellByTheirZeros) {
  Question q;
  q.shape.seq_len = 3;
  const std::vector<float> values{1, 0, 0, 0, 0, 0, 0, 0, 1};
  EXPECT_FALSE(forbidden(q, mapOf(values, MapKind::sequential))) << "computed: the mask knows";
  q.content.source = ContentSource::attention;
  EXPECT_FALSE(forbidden(q, mapOf(values, MapKind::diverging))) << "logits and differences may be zero";
  EXPECT_FALSE(forbidden(q, mapOf({1, 0, 0, 0, 1, 0, 0, 0, 1}, MapKind::sequential)));
}

TEST(MapMask, whatTheLayerDoesNotReachIsMasked) {
  Question q;
  q.shape.seq_len = 3;
  q.shape.num_layers = 8;  // the last one may be full
  q.scheme.id = "layer_pattern";
  q.scheme.values = {{"limit", std::string("window")}, {"window", 1.0}};
  const Map map = mapOf({1, 0, 0, 0.5F, 0.5F, 0, 0, 0.5F, 0.5F}, MapKind::sequential);
  const auto masked = forbidden(q, map);
  ASSERT_TRUE(masked);
  EXPECT_TRUE(masked(2, 0));
  EXPECT_FALSE(masked(2, 1));
  q.content.source = ContentSource::attention;
  EXPECT_FALSE(forbidden(q, map)) << "given attention: the scheme plays no part";
}

}  // namespace
}  // namespace posiscope::ui
