// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/list.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>

namespace posiscope::measures {
namespace {

Question question(const std::string& padding, std::int64_t height = 6, std::int64_t width = 8) {
  Question q;
  q.measure = "border_effect";
  q.scheme.id = "conditional";
  q.scheme.values["padding"] = padding;
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

Dataset answerOf(const std::string& padding, const std::string& content, std::int64_t height = 6,
                 std::int64_t width = 8) {
  Question q = question(padding, height, width);
  q.options["picture"] = content;
  return answerOf(q);
}

double metric(const Dataset& dataset, const std::string& key) {
  const auto found = std::ranges::find(dataset.metrics, key, &Metric::key);
  return found == dataset.metrics.end() ? std::nan("") : found->value;
}

TEST(BorderEffect, zerosMarkTheRimAndOnlyTheRim) {
  const Dataset dataset = answerOf("zero", "plain");
  const Field& field = *dataset.maps.front().field;
  ASSERT_EQ(field.rows(), 6);
  ASSERT_EQ(field.cols(), 8);
  for (std::int64_t r = 0; r < 6; ++r)
    for (std::int64_t c = 0; c < 8; ++c) {
      const bool rim = r == 0 || c == 0 || r == 5 || c == 7;
      EXPECT_EQ(field.at(r, c) > 0, rim) << r << ", " << c;
    }
  EXPECT_EQ(metric(dataset, "reach"), 1);
  EXPECT_EQ(metric(dataset, "touched"), 24);
}

TEST(BorderEffect, hasTheSizeThatTheMissingTapsHave) {
  Question q = question("zero");
  q.shape.d_model = 1;
  q.shape.num_heads = q.shape.head_dim = 1;
  q.content.source = ContentSource::ones;
  q.scheme.values["residual"] = false;
  q.scheme.values["weight"] = makeArray({1, 3, 3}, std::vector<double>(9, 1.0));
  const Dataset dataset = answerOf(q);
  const Field& field = *dataset.maps.front().field;
  EXPECT_NEAR(field.at(0, 0), 5.0 / 9, 1e-6) << "a corner misses five of nine taps";
  EXPECT_NEAR(field.at(0, 3), 3.0 / 9, 1e-6);
  EXPECT_EQ(field.at(2, 3), 0.0F);
  EXPECT_NEAR(metric(dataset, "largest"), 5.0 / 9, 1e-6);
}

TEST(BorderEffect, reachesAsFarAsItIsStacked) {
  Question q = question("zero", 9, 9);
  q.scheme.values["stacked"] = 3.0;
  const Dataset dataset = answerOf(q);
  EXPECT_EQ(metric(dataset, "reach"), 3);
  EXPECT_EQ(dataset.maps.front().field->at(3, 4), 0.0F);
  EXPECT_GT(dataset.maps.front().field->at(2, 4), 0.0F);
  ASSERT_EQ(dataset.curves.size(), 1U);
  EXPECT_GT(dataset.curves.front().y[0], dataset.curves.front().y[2]);
  EXPECT_EQ(dataset.curves.front().y[3], 0);
}

TEST(BorderEffect, otherPaddingsTellAPlainPictureNothing) {
  for (const char* padding : {"circular", "edge"}) {
    const Dataset dataset = answerOf(padding, "plain");
    EXPECT_EQ(metric(dataset, "touched"), 0) << padding;
    ASSERT_EQ(dataset.remarks.size(), 1U);
    EXPECT_NE(dataset.remarks.front().sentence.en.find("No patch"), std::string::npos) << padding;
  }
}

TEST(BorderEffect, goingAroundContinuesAPatternThatFits) {
  EXPECT_EQ(metric(answerOf("circular", "repeated", 6, 8), "touched"), 0);
  EXPECT_GT(metric(answerOf("circular", "repeated", 7, 8), "touched"), 0) << "an odd side breaks tiles of two";
  EXPECT_GT(metric(answerOf("edge", "repeated"), "touched"), 0);
  EXPECT_GT(metric(answerOf("circular", "shuffled"), "touched"), 0);
}

TEST(BorderEffect, contentChangesNothingAboutHowFarItReaches) {
  for (const char* content : {"plain", "repeated", "shuffled"}) {
    EXPECT_EQ(metric(answerOf("zero", content), "reach"), 1) << content;
    EXPECT_EQ(metric(answerOf("zero", content), "touched"), 24) << content;
  }
}

TEST(BorderEffect, prefixTokensAreNoPatches) {
  Question q = question("zero");
  q.shape.seq_len += 2;
  q.scheme.values["prefix_tokens"] = 2.0;
  const Dataset with = answerOf(q);
  const Dataset without = answerOf(question("zero"));
  for (std::int64_t c = 0; c < 8; ++c)
    EXPECT_EQ(with.maps.front().field->at(0, c), without.maps.front().field->at(0, c));
}

TEST(BorderEffect, aPictureThatFitsNoMemoryIsRefused) {
  const double before = memoryLimit();
  setMemoryLimit(200 * 1024);
  Question q = question("zero");
  q.scheme.values["stacked"] = 20.0;
  const Expected<Dataset> refused = find("border_effect")->compute(q, Job{});
  setMemoryLimit(before);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::too_large);
}

TEST(BorderEffect, othersHaveNone) {
  Question q = question("zero");
  for (const char* scheme : {"rope_2d", "learned", "none", "embedding_sum"}) {
    q.scheme = {scheme, {}, {}, 0, true};
    EXPECT_NE(answerOf(q).nothing.en.find("No border effect"), std::string::npos) << scheme;
  }
}

TEST(BorderEffect, neighboursOfTheSequenceAreNotThoseOfThePicture) {
  Question q = question("zero");
  q.scheme = {"dynamic", {}, {}, 0, true};
  EXPECT_TRUE(answerOf(q).nothing.en.starts_with("Not measured here: this scheme lets tokens mix along the sequence"));
  q.scheme.values["context_window"] = 0.0;
  EXPECT_NE(answerOf(q).nothing.en.find("does not let neighbouring patches mix"), std::string::npos);
}

}  // namespace
}  // namespace posiscope::measures
