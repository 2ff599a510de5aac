// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is said below pictures of attention, and what a layer that looks only so far leaves in them.
#include "core/compute.h"
#include "core/files/attention_array.h"
#include "core/measures/encoded.h"
#include "core/token_names.h"
#include "tests/support/answer_of.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace posiscope::measures {
namespace {

using test::answerOf;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Question shortLayer(const char* measure) {
  Question q = test::questionOf(measure, "layer_pattern", {{"window", 3.0}, {"limit", std::string("window")}}, 30);
  q.shape.layer = 0;
  q.shape.num_layers = 8;
  return q;
}

TEST(AttentionScope, saysWhichPartIsShown) {
  Question q = test::questionOf("attention_weights", "alibi", {}, 30);
  EXPECT_EQ(answerOf(q).part.en, "");
  q.options["part"] = std::string("content");
  EXPECT_EQ(answerOf(q).part.en, "content only");
  q.options["tokens"] = 20.0;
  q.options["part"] = std::string("position");
  EXPECT_EQ(answerOf(q).part.en, "position only");
  EXPECT_EQ(answerOf(q).scope.en.rfind("first 20 of 30", 0), 0U) << answerOf(q).scope.en;
}

TEST(AttentionScope, termsStopWhereTheLayerDoes) {
  const Question q = shortLayer("score_terms");
  ASSERT_EQ(reachOf(q.scheme, q.shape).window, 3);
  const Dataset dataset = answerOf(q);
  double sum = 0, count = 0;
  for (std::int64_t i = 0; i < 30; ++i)
    for (std::int64_t j = 0; j < 30; ++j) {
      const float value = dataset.maps.back().field->at(i, j);
      if (std::abs(i - j) > 3) {
        ASSERT_EQ(value, 0.0F) << i << ' ' << j;
        continue;
      }
      sum += static_cast<double>(value) * static_cast<double>(value);
      count += 1;
    }
  const auto size = std::ranges::find(dataset.metrics, "rms logits", &Metric::key);
  ASSERT_NE(size, dataset.metrics.end());
  EXPECT_NEAR(size->value, std::sqrt(sum / count), 1e-5 * size->value);
}

TEST(AttentionScope, countsPaddingInWords) {
  Shape shape;
  shape.seq_len = 10;
  shape.seq_len_q = 4;
  Mask mask;
  mask.padding = Mask::Padding::end;
  mask.padded_keys = 1;
  mask.padded_queries = 8;
  EXPECT_EQ(paddingScope(mask, shape).en, "the last key is padding, last 4 queries are padding");
  mask.padding = Mask::Padding::start;
  mask.padded_queries = 7;
  EXPECT_EQ(paddingScope(mask, shape).en, "the first key is padding, the first query is padding");
  mask = {};
  mask.key_padding = {1, 1, 0, 0, 1, 1, 1, 1, 1, 0};
  EXPECT_EQ(paddingScope(mask, shape).en, "3 of 10 keys are padding");
}

TEST(AttentionScope, tellsOfPaddingUnderEveryMeasureOfAttention) {
  Request request;
  request.experiment.shape.seq_len = 24;
  request.experiment.schemes = {{"alibi", {}, {}, 0, true}};
  request.experiment.mask.padding = Mask::Padding::end;
  request.experiment.mask.padded_keys = 5;
  for (const char* id : {"attention_weights", "attention_overview", "attention_row", "attention_by_offset", "heads",
                         "head_kinds", "score_terms"})
    request.measures.push_back({id, {}});
  const auto result = compute(request, Job{});
  ASSERT_TRUE(result);
  for (const auto& row : (*result)->answers) {
    ASSERT_TRUE(row.front().dataset) << row.front().question.measure;
    EXPECT_NE((*row.front().dataset)->scope.en.find("last 5 keys are padding"), std::string::npos)
        << row.front().question.measure;
  }
}

TEST(AttentionScope, aPartIsNamedBeforeThePadding) {
  Request request;
  request.experiment.shape.seq_len = 24;
  request.experiment.schemes = {{"alibi", {}, {}, 0, true}};
  request.experiment.mask.padding = Mask::Padding::start;
  request.experiment.mask.padded_keys = 4;
  request.measures.push_back({"attention_weights", {{"part", std::string("content")}}});
  const auto result = compute(request, Job{});
  ASSERT_TRUE(result && (*result)->answers.front().front().dataset);
  EXPECT_EQ((*(*result)->answers.front().front().dataset)->scope.en, "content only · first 4 keys are padding");
  request.measures.front().options["tokens"] = 20.0;
  const auto start = compute(request, Job{});
  ASSERT_TRUE(start && (*start)->answers.front().front().dataset);
  const std::string scope = (*(*start)->answers.front().front().dataset)->scope.en;
  EXPECT_EQ(scope.rfind("content only · first 4 keys are padding · first 20 of 24", 0), 0U) << scope;
}

TEST(AttentionScope, ofADumpOfLayersTheLayerIsNamed) {
  Request request;
  request.experiment.shape.seq_len = 2;
  request.experiment.shape.num_heads = 1;
  request.experiment.shape.num_layers = 3;
  request.experiment.shape.layer = 2;
  request.experiment.schemes = {{"none", {}, {}, 0, true}};
  request.experiment.content.source = ContentSource::attention;
  request.experiment.content.attention = makeArray({3, 1, 2, 2}, {1, 0, 0.5, 0.5, 1, 0, 0.5, 0.5, 1, 0, 0.25, 0.75});
  request.measures.push_back({"attention_weights", {}});
  const auto result = compute(request, Job{});
  ASSERT_TRUE(result && (*result)->answers.front().front().dataset);
  EXPECT_EQ((*(*result)->answers.front().front().dataset)->scope.en, "layer 2");
}

TEST(AttentionScope, weightsWithANanInEveryRowAreWeights) {
  const auto kindOf = [](std::vector<double> values) { return files::attentionOf(makeArray({2, 3}, values), {}); };
  const auto weights = kindOf({nan, 0.5, 0.25, 0.5, nan, 1});
  ASSERT_TRUE(weights);
  EXPECT_EQ(weights->kind, files::AttentionKind::weights);
  EXPECT_NE(weights->reason.en.find("between 0 and 1"), std::string::npos);
  EXPECT_EQ(kindOf({nan, 0.5, 0.25, 2.5, nan, 1})->kind, files::AttentionKind::logits);

  Question q = test::questionOf("attention_by_offset", "none", {}, 2);
  q.content.source = ContentSource::attention;
  q.content.attention = makeArray({1, 2, 2}, {nan, 0.5, 0.5, nan});
  q.shape.num_heads = 1;
  EXPECT_NE(answerOf(q).nothing.en.find("NaN"), std::string::npos) << answerOf(q).nothing.en;
}

}  // namespace
}  // namespace posiscope::measures
