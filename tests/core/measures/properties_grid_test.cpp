// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What a card says of a scheme for images is of the question's own grid, and says where the grid's size matters.
#include "tests/support/card_line.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace posiscope {
namespace {

using enum Property::Answer;
using test::property;
using test::says;

Question question(const std::string& scheme, ParamValues values, std::int64_t height, std::int64_t width,
                  std::int64_t head_dim = 16) {
  Question q = test::questionOf("properties", scheme, std::move(values), height * width);
  q.shape.grid_height = height;
  q.shape.grid_width = width;
  q.shape.num_heads = 1;
  q.shape.head_dim = q.shape.d_model = head_dim;
  return q;
}

ParamValues normalized() { return {{"variant", std::string("normalized")}}; }

TEST(PropertiesOfGrids, decayIsThatOfTheQuestionsGrid) {
  const Property small = property(question("rope_2d", {}, 3, 3), "first_rise");
  EXPECT_EQ(small.value, 2) << small.sentence.en;
  EXPECT_TRUE(says(small, "On a grid of 3 × 3, counted in reading order.")) << small.sentence.en;
  const Question centres = question("rope_2d", normalized(), 4, 4, 8);
  EXPECT_EQ(property(centres, "first_rise").value, 1);
  EXPECT_TRUE(says(property(centres, "first_rise"), "rises by 0.39 of the largest"))
      << property(centres, "first_rise").sentence.en;
  EXPECT_NE(property(question("rope_2d", {}, 1, 64), "first_rise").value, small.value);
}

TEST(PropertiesOfGrids, theCaptionNamesTheGrids) {
  EXPECT_EQ(test::answerOf(question("rope_2d", {}, 3, 3)).scope.en, "measured on grids of 8 × 8, 16 × 32, 3 × 3");
  EXPECT_EQ(test::answerOf(question("rope_2d", {}, 8, 8)).scope.en, "measured on grids of 8 × 8, 16 × 32");
  EXPECT_EQ(test::answerOf(question("rope", {}, 3, 3)).scope.en, "measured on 64, 512 tokens") << "reads no grid";
}

TEST(PropertiesOfGrids, aLargeGridIsAskedBySomeOfItsQueries) {
  const Property p = property(question("rope_2d", {}, 48, 64), "first_rise");
  EXPECT_TRUE(says(p, "On a grid of 48 × 64, counted in reading order, from 64 of its 3072 patches.")) << p.sentence.en;
}

TEST(PropertiesOfGrids, anImageWithTextBehindItIsNoGrid) {
  Question q = question("mrope", {}, 4, 6);
  EXPECT_EQ(property(q, "offset_only").word.en, "yes, on the grid");
  q.shape.seq_len = 36;
  EXPECT_EQ(property(q, "offset_only").word.en, "yes, of its positions");
  q.shape.grid_height = q.shape.grid_width = 0;
  EXPECT_EQ(property(q, "offset_only").word.en, "yes") << "text";
}

TEST(PropertiesOfGrids, whatTheSizeChangesHoldsAtOneGrid) {
  EXPECT_EQ(property(question("rope_2d", {}, 4, 4), "offset_only").word.en, "yes, on the grid");
  for (const auto& [scheme, values] : {std::pair<std::string, ParamValues>{"rope_2d", normalized()},
                                       {"rope_2d", {{"ref_shape", std::vector<double>{8, 8}}}},
                                       {"swin_v2", {}}}) {
    const Property p = property(question(scheme, values, 4, 4), "offset_only");
    EXPECT_EQ(p.answer, yes) << scheme;
    EXPECT_EQ(p.word.en, "yes, at one grid") << scheme << ": " << p.sentence.en;
    EXPECT_TRUE(says(p, "on a grid of 16 × 32 than on one of 8 × 8")) << p.sentence.en;
  }
}

TEST(PropertiesOfGrids, nothingIsSaidToBeMovedWhereNoPositionIs) {
  for (const char* key : {"offset_only", "symmetric"}) {
    EXPECT_FALSE(says(property(question("rope_2d", {}, 4, 4), key), "positions moved")) << key;
    EXPECT_FALSE(says(property(question("alibi", {{"form", std::string("key_only")}}, 4, 4), key), "positions moved"));
    EXPECT_FALSE(says(property(question("position_ids", {}, 4, 4), key), "positions moved")) << key;
    EXPECT_TRUE(says(property(question("rope", {}, 4, 4), key), "positions moved")) << key;
  }
}

TEST(PropertiesOfGrids, pairsAreComparedWithALargerGrid) {
  const Property axial = property(question("rope_2d", {}, 14, 14, 64), "beyond_training");
  EXPECT_TRUE(says(axial, "But on a grid of 28 × 28, 28 of 32 pairs meet angles never seen on a grid of 14 × 14."))
      << axial.sentence.en;
  const Property centres = property(question("rope_2d", normalized(), 5, 7, 64), "beyond_training");
  EXPECT_TRUE(says(centres, "On a grid of 10 × 14, no pair meets an angle never seen")) << centres.sentence.en;
}

}  // namespace
}  // namespace posiscope
