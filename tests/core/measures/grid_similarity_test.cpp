// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/encoded.h"
#include "core/measures/list.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>

namespace posiscope::measures {
namespace {

Question question(const std::string& scheme, std::int64_t height = 4, std::int64_t width = 6) {
  Question q;
  q.measure = "grid_similarity";
  q.scheme.id = scheme;
  q.shape.seq_len = height * width;
  q.shape.grid_height = height;
  q.shape.grid_width = width;
  q.shape.d_model = 24;
  q.shape.num_heads = 3;
  q.shape.head_dim = 8;
  return q;
}

Dataset answerOf(const Question& q) {
  Expected<Dataset> dataset = find(q.measure)->compute(q, Job{});
  EXPECT_TRUE(dataset) << q.scheme.id << ": " << (dataset ? "" : dataset.error().message.en);
  return dataset ? std::move(*dataset) : Dataset{};
}

Question at(Question q, double row, double column) {
  q.options["row"] = row;
  q.options["column"] = column;
  return q;
}

TEST(GridSimilarity, isARowOfTheSimilarityLaidOutAsTheImage) {
  for (const char* scheme : {"sinusoidal", "sinusoidal_2d", "learned_2d", "rope", "rope_2d", "rope_mixed", "t5_log"}) {
    Question q = at(question(scheme), 1, 2);
    q.options["normalize"] = std::string("dot");
    const Dataset picture = answerOf(q);
    Question whole = question(scheme);
    whole.measure = "similarity";
    const Dataset matrix = answerOf(whole);
    ASSERT_EQ(picture.maps.size(), matrix.maps.size()) << scheme;
    const Field& field = *picture.maps.front().field;
    ASSERT_EQ(field.rows(), 4) << scheme;
    ASSERT_EQ(field.cols(), 6) << scheme;
    for (std::int64_t r = 0; r < 4; ++r)
      for (std::int64_t c = 0; c < 6; ++c)
        EXPECT_NEAR(field.at(r, c), matrix.maps.front().field->at(1 * 6 + 2, r * 6 + c), 1e-4)
            << scheme << ' ' << r << ' ' << c;
  }
}

TEST(GridSimilarity, cosineIsOneAtTheChosenPatchAndNowhereMore) {
  for (const char* scheme : {"sinusoidal", "sinusoidal_2d", "rope", "rope_2d"}) {
    const Dataset dataset = answerOf(at(question(scheme), 3, 5));
    const Field& field = *dataset.maps.front().field;
    EXPECT_NEAR(field.at(3, 5), 1, 1e-6) << scheme;
    EXPECT_LE(field.limits().maximum, 1 + 1e-6) << scheme;
  }
}

TEST(GridSimilarity, theMiddleIsChosenWhenNoneIsNamed) {
  const Dataset dataset = answerOf(question("sinusoidal_2d", 5, 7));
  EXPECT_NEAR(dataset.maps.front().field->at(2, 3), 1, 1e-6);
  EXPECT_LT(dataset.maps.front().field->at(0, 0), 1);
}

TEST(GridSimilarity, twoDimensionsTreatRowsAndColumnsAlikeOneDoesNot) {
  const Dataset plane = answerOf(question("rope_2d", 8, 8));
  const Field& spot = *plane.maps.front().field;
  EXPECT_NEAR(spot.at(3, 4), spot.at(4, 3), 1e-5);
  ASSERT_FALSE(plane.remarks.empty());
  EXPECT_EQ(plane.remarks.front().verdict, Verdict::good);
  const Dataset line = answerOf(question("rope", 8, 8));
  const Field& stripe = *line.maps.front().field;
  EXPECT_LT(stripe.at(3, 4), stripe.at(4, 3));
  ASSERT_FALSE(line.remarks.empty());
  EXPECT_EQ(line.remarks.front().verdict, Verdict::warning);
}

TEST(GridSimilarity, aBiasOfPatchesIsTheRowOfTheChosenQuery) {
  for (const char* scheme : {"swin", "grid_bias", "swin_v2"}) {
    Question q = at(question(scheme), 2, 1);
    q.options["head"] = 2.0;
    const Dataset dataset = answerOf(q);
    const EncodingPtr encoding = *encodingOf(q);
    std::vector<float> row(24);
    std::get<PairBias<float>>(encoding->logits.bias).fill(2, 2 * 6 + 1, row);
    for (std::int64_t j = 0; j < 24; ++j)
      EXPECT_EQ(dataset.maps.front().field->at(j / 6, j % 6), row[static_cast<std::size_t>(j)]) << scheme;
  }
}

TEST(GridSimilarity, tokensBeforeThePatchesAreLeftOut) {
  Question q = at(question("rope_2d"), 1, 2);
  q.shape.seq_len = 25;
  q.scheme.values["prefix_tokens"] = 1.0;
  const Dataset known = answerOf(q);
  const Dataset plain = answerOf(at(question("rope_2d"), 1, 2));
  for (std::int64_t c = 0; c < 6; ++c)
    EXPECT_EQ(known.maps.front().field->at(1, c), plain.maps.front().field->at(1, c));
  Question line = at(question("rope"), 1, 2);
  line.shape.seq_len = 25;
  EXPECT_FALSE(find("grid_similarity")->compute(line, Job{})) << "24 patches are not 25 tokens";
  line.options["prefix_tokens"] = 1.0;
  EXPECT_EQ(answerOf(line).maps.front().field->at(1, 2), 1.0F);
}

TEST(GridSimilarity, refusesAPatchThatIsNotThere) {
  const Expected<Dataset> refused = find("grid_similarity")->compute(at(question("rope"), 4, 0), Job{});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::out_of_range);
  EXPECT_NE(refused.error().message.en.find("row"), std::string::npos) << refused.error().message.en;
}

TEST(GridSimilarity, saysWhyThereIsNothing) {
  EXPECT_NE(answerOf(question("none")).nothing.en.find("Without a positional encoding"), std::string::npos);
  EXPECT_NE(answerOf(question("cope")).nothing.en.find("content"), std::string::npos);
  Question strided = question("grid_bias", 4, 4);
  strided.scheme.values = {{"kind", std::string("levit")}, {"stride", 2.0}};
  strided.shape.seq_len_q = 4;
  EXPECT_NE(answerOf(strided).nothing.en.find("Only some patches ask"), std::string::npos);
}

}  // namespace
}  // namespace posiscope::measures
