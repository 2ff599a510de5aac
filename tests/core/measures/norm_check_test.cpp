// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The norm check on the embeddings of a model: words, positions and segments.
#include "core/files/reader.h"
#include "core/transformers/model.h"
#include "tests/support/answer_of.h"
#include "tests/support/shared.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace posiscope::measures {
namespace {

using test::answerOf;

const std::string folder = test::dataPath("models/bert-random");

Array stored(const std::string& name) {
  const auto array = files::readNpy(folder + "/" + name);
  EXPECT_TRUE(array) << (array ? "" : array.error().message.en);
  return array ? *array : Array{};
}

double metric(const Dataset& dataset, const std::string& key) {
  const auto found = std::ranges::find(dataset.metrics, key, &Metric::key);
  return found == dataset.metrics.end() ? std::nan("") : found->value;
}

/// The stored tokens of a BERT whose true norms of words, positions and segments are known.
class NormCheck : public testing::Test {
 protected:
  void SetUp() override {
    const auto model = transformers::openModel(folder);
    ASSERT_TRUE(model) << model.error().message.en;
    norms = stored("embedding_norms.npy");
    tokens = norms.shape.at(1);
    question.measure = "norm_ratio";
    question.scheme = model->scheme;
    question.shape = model->shape;
    question.shape.seq_len = tokens;
    question.content.source = ContentSource::model;
    question.content.model = folder;
    question.content.token_file = stored("tokens.npy");
    question.options["words"] = std::string("sample");
    segments = stored("segments.npy");
  }
  double norm(std::int64_t kind, std::int64_t token) const { return norms.data()[kind * tokens + token]; }
  double mean(std::int64_t kind) const {
    return std::accumulate(norms.data() + kind * tokens, norms.data() + (kind + 1) * tokens, 0.0) /
           static_cast<double>(tokens);
  }
  /// The stored norm of a segment's row, from a token that is of it.
  double segmentNorm(double segment) const {
    const auto at = std::find(segments.data(), segments.data() + tokens, segment) - segments.data();
    return norm(2, at);
  }

  Question question;
  Array norms;  ///< [word, position, segment; tokens]
  Array segments;
  std::int64_t tokens = 0;
};

TEST_F(NormCheck, theRatiosAreThoseOfTheStoredNorms) {
  const Dataset dataset = answerOf(question);
  ASSERT_EQ(dataset.curves.size(), 1U);
  for (std::int64_t t = 0; t < tokens; ++t)
    EXPECT_NEAR(dataset.curves[0].y.at(static_cast<std::size_t>(t)), norm(1, t) / norm(0, t), 1e-5) << t;
  EXPECT_NEAR(metric(dataset, "word_norm"), mean(0), 1e-5);
  EXPECT_NEAR(metric(dataset, "position_norm"), mean(1), 1e-5);
}

TEST_F(NormCheck, bothSegmentsAreTold) {
  const Dataset dataset = answerOf(question);
  for (const double kind : {0.0, 1.0}) {
    const std::string name = " " + std::to_string(static_cast<int>(kind));
    EXPECT_NEAR(metric(dataset, "segment_norm" + name), segmentNorm(kind), 1e-5);
    EXPECT_NEAR(metric(dataset, "segment_ratio" + name), segmentNorm(kind) / mean(0), 1e-5);
  }
  ASSERT_EQ(dataset.remarks.size(), 2U);
  EXPECT_NE(dataset.remarks[1].sentence.en.find("the row of segment 0"), std::string::npos);
}

TEST_F(NormCheck, theTokensAreOfTheSegmentsThatAreGiven) {
  question.content.segment_file = segments;
  question.options["show"] = std::string("lengths");
  const Dataset dataset = answerOf(question);
  ASSERT_EQ(dataset.curves.size(), 3U);
  for (std::int64_t t = 0; t < tokens; ++t)
    EXPECT_NEAR(dataset.curves[2].y.at(static_cast<std::size_t>(t)), norm(2, t), 1e-5) << t;
  const std::string second = std::to_string(std::count(segments.data(), segments.data() + tokens, 1.0));
  EXPECT_NE(dataset.remarks.at(1).sentence.en.find("segment 1 to " + second + " tokens"), std::string::npos)
      << dataset.remarks[1].sentence.en;
}

TEST_F(NormCheck, theRatioIsToldBeforeAndAfterTheRoot) {
  const double root = std::sqrt(32.0);
  const double plain = mean(1) / mean(0);
  for (const bool scaled : {false, true}) {
    question.options["scale_words"] = scaled;
    const Dataset dataset = answerOf(question);
    EXPECT_NEAR(metric(dataset, "ratio_plain"), plain, 1e-5);
    EXPECT_NEAR(metric(dataset, "ratio_scaled"), plain / root, 1e-5);
    EXPECT_NEAR(metric(dataset, "ratio"), scaled ? plain / root : plain, 1e-5);
    EXPECT_NEAR(metric(dataset, "segment_ratio 0"), segmentNorm(0) / mean(0) / (scaled ? root : 1), 1e-5);
  }
}

TEST_F(NormCheck, theLengthsThemselvesCanBeShown) {
  question.options["show"] = std::string("lengths");
  const Dataset dataset = answerOf(question);
  ASSERT_EQ(dataset.curves.size(), 3U);
  for (std::int64_t t = 0; t < tokens; ++t) {
    const auto at = static_cast<std::size_t>(t);
    EXPECT_NEAR(dataset.curves[0].y.at(at), norm(0, t), 1e-5);
    EXPECT_NEAR(dataset.curves[1].y.at(at), norm(1, t), 1e-5);
    EXPECT_NEAR(dataset.curves[2].y.at(at), segmentNorm(0), 1e-5);
  }
  EXPECT_EQ(numbers(dataset).shape, (std::vector<std::int64_t>{4, tokens}));
  EXPECT_TRUE(std::ranges::none_of(dataset.marks, [](const Mark& mark) { return !mark.vertical; }))
      << "the band is one of ratios";
  question.content = {};
  EXPECT_EQ(answerOf(question).curves.size(), 2U) << "only a model has segments";
}

}  // namespace
}  // namespace posiscope::measures
