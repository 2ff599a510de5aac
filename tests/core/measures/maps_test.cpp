// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/encoded.h"
#include "core/measures/list.h"

#include <gtest/gtest.h>
#include <cmath>

namespace posiscope::measures {
namespace {

Question question(const char* measure, const char* scheme, std::int64_t seq_len = 40) {
  Question q;
  q.measure = measure;
  q.scheme.id = scheme;
  q.shape.seq_len = seq_len;
  q.shape.d_model = 32;
  q.shape.num_heads = 4;
  q.shape.head_dim = 16;
  return q;
}

Dataset answerOf(const Question& q) {
  Expected<Dataset> dataset = find(q.measure)->compute(q, Job{});
  EXPECT_TRUE(dataset) << (dataset ? "" : dataset.error().message.en);
  return dataset ? std::move(*dataset) : Dataset{};
}

TEST(PositionTable, showsTheAddedTableItself) {
  const Question q = question("position_table", "sinusoidal");
  const Dataset dataset = answerOf(q);
  const Map& map = dataset.maps.at(0);
  const EncodingPtr encoding = *encodingOf(q);
  EXPECT_EQ(map.field->stored(), encoding->input.table.values.data());  // not a copy
  EXPECT_EQ(map.field->rows(), 40);
  EXPECT_EQ(map.field->cols(), 32);
  EXPECT_EQ(numbers(dataset).shape, (std::vector<std::int64_t>{40, 32}));
}

TEST(PositionTable, cosAndSinCarryTheAttentionFactor) {
  Question q = question("position_table", "rope", 300);
  q.scheme.values = {{"scaling", std::string("yarn")}, {"factor", 8.0}, {"original_length", 64.0}};
  q.shape.first_position = 5;
  const Dataset dataset = answerOf(q);
  const RotationPart& rotation = *(*encodingOf(q))->rotation;
  EXPECT_GT(rotation.attention_factor, 1.1);
  ASSERT_EQ(dataset.maps.size(), 2U);
  EXPECT_EQ(dataset.maps[0].rows.first, 5);
  for (const std::int64_t t : {0, 1, 127, 128, 299})
    for (std::int64_t p = 0; p < 8; ++p) {
      EXPECT_NEAR(dataset.maps[0].field->at(t, p), rotation.attention_factor * std::cos(rotation.angle(0, t, p)), 1e-6);
      EXPECT_NEAR(dataset.maps[1].field->at(t, p), rotation.attention_factor * std::sin(rotation.angle(0, t, p)), 1e-6);
    }
  EXPECT_NEAR(dataset.maps[0].field->limits().maximum, rotation.attention_factor, 1e-3) << "colours cover the data";
  EXPECT_EQ(dataset.maps[0].value.en, "cos of the angle × attention factor") << "no cosine is above 1";
  EXPECT_EQ(dataset.maps[1].value.zh, "角度的 sin × 注意力因子");
  EXPECT_EQ(answerOf(question("position_table", "rope", 300)).maps.at(0).value.en, "cos of the angle");
}

TEST(PositionTable, theLimitsOfALongTableCoverTheAttentionFactor) {
  Question q = question("position_table", "rope", 1 << 20);
  q.scheme.values = {{"scaling", std::string("yarn")}, {"attention_factor", 2.0}};
  const Dataset dataset = answerOf(q);
  for (const Map& map : dataset.maps) {
    EXPECT_EQ(map.field->stored(), nullptr);
    EXPECT_EQ(map.field->limits().maximum, 2);
    EXPECT_EQ(map.field->limits().minimum, -2);
  }
}

TEST(PositionTable, longTablesAreComputedWhenAsked) {
  Question q = question("position_table", "rope", 1 << 20);
  const Dataset dataset = answerOf(q);
  EXPECT_EQ(dataset.maps.at(0).field->stored(), nullptr);
  EXPECT_NEAR(dataset.maps[0].field->at(1048575, 0), std::cos(1048575.0), 1e-6);
}

TEST(PositionTable, aBiasHasARowAHeadAndAColumnAnOffset) {
  const Dataset dataset = answerOf(question("position_table", "alibi"));
  const Map& map = dataset.maps.at(0);
  EXPECT_EQ(map.field->rows(), 4);
  EXPECT_EQ(map.field->cols(), 79);
  EXPECT_EQ(map.cols.first, -39);
  EXPECT_FLOAT_EQ(map.field->at(0, 39), 0);
  EXPECT_FLOAT_EQ(map.field->at(0, 39 + 3), -0.75F);  // slope 2^(−8/4) = ¼, three tokens back
}

TEST(Similarity, ofATableIsItsProducts) {
  for (const char* scheme : {"sinusoidal", "learned"}) {
    const Question q = question("similarity", scheme, 130);
    const EncodingPtr encoding = *encodingOf(q);
    const Table<float>& table = encoding->input.table;
    const Dataset dataset = answerOf(q);
    for (const std::int64_t i : {0, 5, 64, 129})
      for (const std::int64_t j : {0, 63, 100, 129}) {
        double product = 0;
        for (std::size_t d = 0; d < 32; ++d) product += static_cast<double>(table.row(i)[d]) * table.row(j)[d];
        EXPECT_NEAR(dataset.maps.at(0).field->at(i, j), product, 1e-5) << scheme;
        EXPECT_EQ(dataset.maps[0].field->at(i, j), dataset.maps[0].field->at(j, i)) << scheme;
      }
  }
}

TEST(Similarity, oddWidthsAreNotToeplitz) {
  Question q = question("similarity", "sinusoidal");
  q.shape.d_model = 5;
  q.scheme.values["base"] = 10.0;
  const Dataset dataset = answerOf(q);
  EXPECT_GT(std::abs(dataset.maps.at(0).field->at(0, 0) - dataset.maps[0].field->at(9, 9)), 1e-3);
}

TEST(Similarity, cosineIsOneOnTheDiagonal) {
  for (const char* scheme : {"sinusoidal", "learned", "rope"}) {
    Question q = question("similarity", scheme);
    q.options["normalize"] = std::string("cosine");
    EXPECT_NEAR(answerOf(q).maps.at(0).field->at(7, 7), 1, 1e-6) << scheme;
    q.options["normalize"] = std::string("mean");
    const Dataset mean = answerOf(q);
    const bool unit = scheme != std::string("learned");
    EXPECT_EQ(std::abs(mean.maps.at(0).field->at(7, 7) - 1) < 1e-6, unit) << scheme;
  }
}

TEST(Similarity, longRotationsStayAProfile) {
  const Dataset dataset = answerOf(question("similarity", "rope", 131072));
  const Field& field = *dataset.maps.at(0).field;
  EXPECT_EQ(field.stored(), nullptr);
  EXPECT_TRUE(field.limits().exact);
  EXPECT_NEAR(field.at(131071, 131071), 16, 1e-5);
  EXPECT_EQ(field.at(100000, 3), field.at(99997, 0));
}

TEST(Similarity, showsTheHeadAskedFor) {
  Question q = question("similarity", "alibi");
  q.options["head"] = 3.0;
  const Dataset dataset = answerOf(q);
  EXPECT_EQ(dataset.maps.at(0).head, 3);
  EXPECT_FLOAT_EQ(dataset.maps[0].field->at(20, 10), -10.0F / 256);
  q.options["head"] = 4.0;
  const Expected<Dataset> refused = find("similarity")->compute(q, Job{});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message.en, "similarity: head must be 0 to 3, got 4");
}

TEST(Maps, areNotMadeByAStoppedJob) {
  const Job job;
  job.stop();
  for (const char* scheme : {"rope", "learned"}) {
    const Expected<Dataset> dataset = find("similarity")->compute(question("similarity", scheme), job);
    ASSERT_FALSE(dataset) << scheme;
    EXPECT_EQ(dataset.error().code, ErrorCode::cancelled);
  }
}

}  // namespace
}  // namespace posiscope::measures
