// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Schemes that end before the training length does: the card tells how far they go all the same.
#include "core/measures/properties.h"
#include "core/schemes/list.h"

#include <gtest/gtest.h>

#include <string>

namespace posiscope::measures {
namespace {

Reach reachAt(const std::string& scheme, ParamValues values, double train_length, std::int64_t present = 64) {
  Question q;
  q.measure = "properties";
  q.scheme = {scheme, std::move(values), "", 0, true};
  q.shape.seq_len = present;
  q.shape.d_model = 24;
  q.shape.num_heads = 3;
  q.shape.head_dim = 8;
  q.train_length = train_length;
  return reachOf(*schemes::find(scheme), q, 0);
}

ParamValues own(const char* kind, const char* formula) {
  return {{"kind", std::string(kind)}, {"formula", std::string(formula)}};
}

ParamValues drawnFrom(const char* rule) { return {{"rule", std::string(rule)}, {"range", 300.0}}; }

TEST(Reach, chineseSetsItsNumbersApart) {
  Question q;
  q.scheme = {"alibi", {}, "", 0, true};
  Reach reach;
  reach.from = 64;
  reach.longest = 300;
  EXPECT_EQ(beyondTraining(reach, q, false).sentence.zh, "从当前长度 64 到 300 个词元均可编码，没有拒绝。");
}

TEST(Reach, aTableThatEndsBeforeTheTrainingLengthHasNoGrid) {
  for (const std::int64_t present : {1, 64, 299, 300}) {
    const Reach reach = reachAt("learned", {{"max_positions", 300.0}}, 512, present);
    EXPECT_EQ(reach.longest, 300) << present;
    EXPECT_FALSE(reach.grid) << present;
    EXPECT_TRUE(reach.endsWithTable()) << present;
  }
  EXPECT_EQ(reachAt("relative_key", {{"max_positions", 300.0}}, 512).longest, 300);
  EXPECT_EQ(reachAt("embedding_sum", {{"max_positions", 300.0}}, 512).longest, 300);
  for (const char* rule : {"sorted_sample", "pose"})
    EXPECT_EQ(reachAt("position_ids", drawnFrom(rule), 512).longest, 300);
}

TEST(Reach, aFormulaThatEndsBeforeTheTrainingLengthHasNoGrid) {
  EXPECT_EQ(reachAt("own", own("table", "1/(pos-130)"), 512).longest, 130);
  EXPECT_EQ(reachAt("own", own("bias", "1/(offset-300)"), 512).longest, 300);
  EXPECT_EQ(reachAt("own", own("table", "exp(pos/10)"), 512).longest, 428) << "24 squares of e^42.8 are too large";
  EXPECT_EQ(reachAt("own", own("table", "1/(pos-130)"), 512, 130).refusal->code, ErrorCode::not_defined);
}

TEST(Reach, aGridThatEndsBeforeTheTrainingLengthIsStillLookedFor) {
  const Reach reach = reachAt("learned_2d", {{"max_side", 8.0}}, 512);
  EXPECT_EQ(reach.longest, 64);
  ASSERT_TRUE(reach.grid);
  EXPECT_EQ(*reach.grid, (Grid{8, 8}));
}

}  // namespace
}  // namespace posiscope::measures
