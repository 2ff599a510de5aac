// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/given_attention.h"

#include "core/content_tokens.h"
#include "core/token_labels.h"
#include "core/token_names.h"
#include "tests/support/answer_of.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>

namespace posiscope::measures {
namespace {

using test::answerOf;

const std::vector<double> two_heads{1, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0.5, 0.5, 0, 0.25, 0.25, 0.5};

Question given(const char* measure, std::vector<std::int64_t> shape, std::vector<double> values) {
  Question q = test::questionOf(measure, "none", {}, shape.back());
  q.shape.num_heads = shape.size() > 2 ? shape[shape.size() - 3] : 1;
  q.shape.seq_len_q = shape[shape.size() - 2] == shape.back() ? 0 : shape[shape.size() - 2];
  q.mask.causal = true;
  q.content.source = ContentSource::attention;
  q.content.attention = makeArray(std::move(shape), std::move(values), "/folder/dump.npy");
  return q;
}
Question twoHeads(const char* measure) { return given(measure, {2, 3, 3}, two_heads); }

std::vector<double> rowOf(const Map& map, std::int64_t i) {
  std::vector<double> row;
  for (std::int64_t j = 0; j < map.field->cols(); ++j) row.push_back(static_cast<double>(map.field->at(i, j)));
  return row;
}
double valueOf(const Dataset& dataset, const std::string& curve, std::size_t at) {
  const auto found = std::ranges::find(dataset.curves, curve, &Curve::key);
  EXPECT_NE(found, dataset.curves.end()) << curve;
  return found == dataset.curves.end() ? NAN : found->y.at(at);
}
Error refusalOf(const Question& q) {
  const auto answer = find(q.measure)->compute(q, Job{});
  EXPECT_FALSE(answer) << q.measure;
  const Error error = answer ? Error{ErrorCode::cancelled, {}} : answer.error();
  EXPECT_FALSE(error.message.zh.empty()) << error.message.en;
  return error;
}

TEST(GivenAttention, weightsAreShownAsTheyAreUnderAnyScheme) {
  for (const char* scheme : {"none", "rope", "alibi"}) {
    Question q = twoHeads("attention_weights");
    q.scheme.id = scheme;
    const Dataset dataset = answerOf(q);
    ASSERT_EQ(dataset.maps.size(), 2U);
    EXPECT_EQ(rowOf(dataset.maps[0], 2), (std::vector<double>{1, 0, 0}));
    EXPECT_EQ(rowOf(dataset.maps[1], 2), (std::vector<double>{0.25, 0.25, 0.5}));
    ASSERT_FALSE(dataset.remarks.empty());
    EXPECT_EQ(dataset.remarks[0].sentence.en,
              "The numbers come from dump.npy; the scheme plays no part in them, and the mask changes none of the "
              "weights.");
  }
}

TEST(GivenAttention, whatIsSaidToBeWeightsStaysAsItIs) {
  Question q = given("attention_weights", {3, 3}, {0.5, 0, 0, 0.25, 0.25, 0, 0.125, 0.25, 0.25});
  EXPECT_NEAR(rowOf(answerOf(q).maps[0], 1)[0], 0.5, 1e-6) << "logits, by their sums";
  EXPECT_EQ(answerOf(q).remarks.size(), 2U) << "which may be wrong";
  q.content.attention_kind = AttentionReading::weights;
  const Dataset dataset = answerOf(q);
  EXPECT_EQ(rowOf(dataset.maps[0], 1), (std::vector<double>{0.25, 0.25, 0}));
  EXPECT_EQ(dataset.remarks.size(), 1U) << "and nobody asks any more";
  const auto first = firstOfAttention(q.content, q.shape, 2);
  ASSERT_TRUE(first);
  EXPECT_EQ(*first->attention.values, (std::vector<double>{0.5, 0, 0.25, 0.25}));
  Question sums = given("attention_weights", {2, 2}, {1, 0, 0.5, 0.5});
  sums.content.attention_kind = AttentionReading::logits;
  EXPECT_NEAR(rowOf(answerOf(sums).maps[0], 1)[0], 0.5, 1e-6);
  sums.mask.causal = false;
  EXPECT_NEAR(rowOf(answerOf(sums).maps[0], 0)[0], 1 / (1 + std::exp(-1.0)), 1e-6) << "through the softmax";
}

TEST(GivenAttention, moreQueriesThanKeysAskForTheAxes) {
  Question q = given("attention_weights", {1, 3, 2}, {1, 0, 0, 1, 0.5, 0.5});
  q.shape.seq_len_q = 0;
  EXPECT_NE(refusalOf(q).message.en.find("more queries (3) than keys (2)"), std::string::npos);
  EXPECT_NE(refusalOf(q).message.en.find("“axes of the array”"), std::string::npos);
}

TEST(GivenAttention, logitsGoThroughTheSoftmaxUnderTheMask) {
  Question q = given("attention_weights", {2, 2}, {5, 9, 0, std::log(3.0)});
  const Dataset weights = answerOf(q);
  EXPECT_EQ(rowOf(weights.maps[0], 0), (std::vector<double>{1, 0}));
  EXPECT_NEAR(rowOf(weights.maps[0], 1)[1], 0.75, 1e-6);
  q.options = {{"quantity", std::string("logits")}};
  EXPECT_EQ(rowOf(answerOf(q).maps[0], 0), (std::vector<double>{5, 9}));
}

TEST(GivenAttention, aRowOfNothingIsEmptyAndCounted) {
  const Dataset dataset = answerOf(given("attention_weights", {2, 2}, {NAN, NAN, 0.25, 0.75}));
  EXPECT_EQ(rowOf(dataset.maps[0], 0), (std::vector<double>{0, 0}));
  const auto empty = std::ranges::find(dataset.metrics, "empty_rows", &Metric::key);
  ASSERT_NE(empty, dataset.metrics.end());
  EXPECT_EQ(empty->value, 1);
}

/// Ten queries on themselves, but query 4 with a number that was lost.
Question withLostNumber(const char* measure) {
  std::vector<double> values(100, 0.0);
  for (std::size_t i = 0; i < 10; ++i) values[i * 10 + i] = 1;
  values[43] = NAN;
  return given(measure, {10, 10}, std::move(values));
}

TEST(GivenAttention, aLostNumberStaysIsToldAndCountsNowhere) {
  const std::string told = "1 of 10 rows in dump.npy holds NaN; it stays as it is, and counts in no figure.";
  const Dataset weights = answerOf(withLostNumber("attention_weights"));
  EXPECT_TRUE(std::isnan(weights.maps[0].field->at(4, 3)));
  EXPECT_EQ(weights.maps[0].field->at(4, 4), 1);
  EXPECT_EQ(weights.maps[0].field->at(5, 5), 1) << "weights, not the softmax of logits";
  ASSERT_EQ(weights.remarks.size(), 2U);
  EXPECT_EQ(weights.remarks[1].sentence.en, told);
  EXPECT_EQ(valueOf(weights, "by offset head 0", 0), 1);
  EXPECT_EQ(valueOf(weights, "by offset head 0", 1), 0);
  const auto entropy = std::ranges::find(weights.metrics, "entropy", &Metric::key);
  ASSERT_NE(entropy, weights.metrics.end());
  EXPECT_EQ(entropy->value, 0);

  const Dataset by_offset = answerOf(withLostNumber("attention_by_offset"));
  for (const Curve& curve : by_offset.curves)
    EXPECT_TRUE(std::ranges::none_of(curve.y, [](double y) { return std::isnan(y); })) << curve.key;
  const Dataset heads = answerOf(withLostNumber("heads"));
  EXPECT_EQ(valueOf(heads, "diag_score", 0), 1);
  EXPECT_EQ(valueOf(heads, "entropy_mean", 0), 0);
  ASSERT_EQ(heads.metrics[1].key, "rows");
  EXPECT_EQ(heads.metrics[1].value, 9);
}

TEST(GivenAttention, theRowWithALostNumberHasNoFigures) {
  Question q = withLostNumber("attention_row");
  q.options["query"] = 4.0;
  const Dataset row = answerOf(q);
  ASSERT_EQ(row.curves.size(), 1U);
  EXPECT_TRUE(std::isnan(row.curves[0].y[3]));
  EXPECT_TRUE(row.metrics.empty());
  EXPECT_EQ(row.remarks.back().sentence.en, "Query 4 has NaN for 1 of its keys: it has no figures.");
  q.options["query"] = 5.0;
  EXPECT_EQ(answerOf(q).metrics.size(), 3U);
}

TEST(GivenAttention, theOverviewTellsOfTheLostNumbersOfEachLayer) {
  Question q = given("attention_overview", {2, 1, 2, 2}, {1, 0, 0.5, 0.5, 1, 0, 0.5, NAN});
  q.shape.num_layers = 2;
  const Dataset dataset = answerOf(q);
  ASSERT_EQ(dataset.maps.size(), 2U);
  ASSERT_EQ(dataset.remarks.size(), 2U) << "where they come from is said once";
  EXPECT_EQ(dataset.remarks[1].sentence.en,
            "1 of 2 rows of layer 1 in dump.npy holds NaN; it stays as it is, and counts in no figure.");
}

TEST(GivenAttention, logitsWithALostNumberHaveNoSoftmax) {
  // NaN and +∞ where the query may look; NaN where the mask forbids changes nothing.
  const Dataset dataset =
      answerOf(given("attention_weights", {4, 4},
                     {5, 0, 0, 0, NAN, 2, 0, 0, 1, INFINITY, 1, 0, std::log(3.0), -INFINITY, 0, -INFINITY}));
  const Field& map = *dataset.maps[0].field;
  EXPECT_EQ(map.at(0, 0), 1);
  EXPECT_TRUE(std::isnan(map.at(1, 0)) && std::isnan(map.at(1, 1)));
  EXPECT_EQ(map.at(1, 3), 0) << "masked";
  EXPECT_TRUE(std::isnan(map.at(2, 0)));
  EXPECT_NEAR(map.at(3, 0), 0.75, 1e-6);
  ASSERT_EQ(dataset.remarks.size(), 2U);
  EXPECT_NE(dataset.remarks[1].sentence.en.find("2 of 4 rows"), std::string::npos) << dataset.remarks[1].sentence.en;
  const Dataset ahead = answerOf(given("attention_weights", {2, 2}, {5, NAN, 2, 2}));
  EXPECT_EQ(rowOf(ahead.maps[0], 0), (std::vector<double>{1, 0}));
  EXPECT_EQ(ahead.remarks.size(), 1U);
}

TEST(GivenAttention, theLayerIsThatOfTheShape) {
  Question q = given("attention_weights", {2, 1, 2, 2}, {1, 0, 0.5, 0.5, 1, 0, 0.25, 0.75});
  q.shape.num_layers = 2;
  q.shape.layer = 1;
  EXPECT_EQ(rowOf(answerOf(q).maps[0], 1), (std::vector<double>{0.25, 0.75}));
  q.content.attention_axes = "batch, head, query, key";
  q.shape.layer = 0;
  EXPECT_EQ(rowOf(answerOf(q).maps[0], 1), (std::vector<double>{0.5, 0.5}));
  q.content.attention_batch = 1;
  EXPECT_EQ(rowOf(answerOf(q).maps[0], 1), (std::vector<double>{0.25, 0.75}));
  q.content.attention_batch = 2;
  EXPECT_EQ(refusalOf(q).code, ErrorCode::out_of_range);
  q.content.attention_axes = "heads";
  EXPECT_EQ(refusalOf(q).code, ErrorCode::bad_value);
  q.content.attention_axes = "";
  q.content.attention_batch = 0;
  q.shape.num_layers = 3;
  q.shape.layer = 2;
  EXPECT_EQ(refusalOf(q).code, ErrorCode::out_of_range);
}

TEST(GivenAttention, aStartOfItIsWeighedAnew) {
  std::vector<double> values;
  for (int row = 0; row < 4; ++row) values.insert(values.end(), {0.375, 0.125, 0.25, 0.25});
  Question q = given("attention_weights", {4, 4}, values);
  q.mask = {};
  q.options = {{"tokens", 2.0}};
  const Dataset dataset = answerOf(q);
  EXPECT_EQ(dataset.maps[0].field->rows(), 2);
  EXPECT_EQ(rowOf(dataset.maps[0], 0), (std::vector<double>{0.75, 0.25})) << "as after a softmax over two keys";
}

TEST(GivenAttention, wrongSizesAreToldWithTheRightOnes) {
  Question q = twoHeads("heads");
  q.shape.seq_len = 4;
  const Error error = refusalOf(q);
  EXPECT_EQ(error.code, ErrorCode::bad_shape);
  EXPECT_NE(error.message.en.find("(2, 4, 4)"), std::string::npos) << error.message.en;
  EXPECT_NE(error.message.en.find("got (2, 3, 3)"), std::string::npos) << error.message.en;
  EXPECT_NE(error.message.en.find("--attention-axes"), std::string::npos) << error.message.en;
  q.measure = "attention_weights";
  q.options = {{"tokens", 2.0}};
  EXPECT_EQ(refusalOf(q).code, ErrorCode::bad_shape) << "also where only a start is looked at";
}

TEST(GivenAttention, whatIsNotThereIsTold) {
  Question q = twoHeads("attention_weights");
  q.options = {{"quantity", std::string("logits")}};
  EXPECT_EQ(refusalOf(q).code, ErrorCode::not_supported);
  q.options = {{"part", std::string("content")}};
  EXPECT_FALSE(answerOf(q).nothing.en.empty());
  q.options = {};
  q.content.attention.values = nullptr;  // its file is gone
  EXPECT_EQ(refusalOf(q).code, ErrorCode::file_missing);
  q.content.attention = {};
  EXPECT_EQ(refusalOf(q).code, ErrorCode::bad_value);
}

TEST(GivenAttention, whatNeedsQueriesAndKeysRefuses) {
  for (const auto& [measure, scheme] :
       {std::pair{"shuffle_test", "none"}, std::pair{"score_terms", "rope"}, std::pair{"norm_ratio", "sinusoidal"}}) {
    Question q = twoHeads(measure);
    q.scheme.id = scheme;
    const Error error = refusalOf(q);
    EXPECT_EQ(error.code, ErrorCode::not_supported) << measure;
    EXPECT_NE(error.message.en.find("no queries, keys"), std::string::npos) << error.message.en;
  }
}

TEST(GivenAttention, headsAndOffsetsAreMeasured) {
  const Dataset heads = answerOf(twoHeads("heads"));
  EXPECT_EQ(heads.properties.size(), 2U);
  EXPECT_FALSE(heads.remarks.empty());
  EXPECT_FALSE(answerOf(twoHeads("head_kinds")).remarks.empty());
  const Dataset offsets = answerOf(twoHeads("attention_by_offset"));
  EXPECT_FALSE(offsets.remarks.empty());
  EXPECT_NEAR(valueOf(offsets, "head 1", 0), (1 + 0.5 + 0.5) / 3, 1e-6);
}

TEST(GivenAttention, labelsNameTheTokensAndTellEqualOnes) {
  const test::TemporaryFolder folder;
  Question q = twoHeads("heads");
  EXPECT_EQ(tokensOf(q.content, q.shape), std::nullopt);
  folder.write("labels.txt", "the\r\ncat\r\nthe\r\n");
  q.content.label_file = folder.file("labels.txt");
  EXPECT_EQ(tokenLabels(q.content, q.shape), (std::vector<std::string>{"the", "cat", "the"}));
  EXPECT_NEAR(valueOf(answerOf(q), "duplicate_score", 0), 1.0 / 3, 1e-6) << "the last query looks at the first key";
  folder.write("labels.txt", "\xEF\xBB\xBFthe\ncat\nsat\n");
  EXPECT_EQ(tokenLabels(q.content, q.shape).front(), "the") << "a byte order mark is no letter";
  folder.write("labels.txt", "the\ncat");
  EXPECT_EQ(tokenLabels(q.content, q.shape), (std::vector<std::string>{"the", "cat", "pad?"}));
  EXPECT_EQ(tokensOf(q.content, q.shape), std::nullopt) << "which word is missing is not known";
  Dataset dataset = answerOf(q);
  ASSERT_EQ(dataset.remarks.size(), 2U);
  EXPECT_EQ(dataset.remarks[1].verdict, Verdict::warning);
  EXPECT_NE(dataset.remarks[1].sentence.en.find("at least 3"), std::string::npos) << dataset.remarks[1].sentence.en;
  EXPECT_NE(dataset.remarks[1].sentence.zh.find("pad?"), std::string::npos) << dataset.remarks[1].sentence.zh;
  q.content.label_file = folder.file("gone.txt");
  EXPECT_TRUE(tokenLabels(q.content, q.shape).empty());
  dataset = answerOf(q);
  ASSERT_EQ(dataset.remarks.size(), 2U);
  EXPECT_NE(dataset.remarks[1].sentence.en.find("gone.txt"), std::string::npos) << dataset.remarks[1].sentence.en;
}

/// Two queries of another sequence that look at three keys.
Question crossed(const char* measure) {
  Question q = given(measure, {2, 3}, {0.5, 0.25, 0.25, 0.125, 0.375, 0.5});
  q.mask = {};
  return q;
}

TEST(GivenAttention, queriesOfTheirOwnAreNamedAsSuch) {
  const test::TemporaryFolder folder;
  Question q = crossed("attention_weights");
  q.content.label_file = folder.file("labels.txt");
  const auto named = [&](const std::string& lines, const Mask& mask) {
    folder.write("labels.txt", lines);
    Dataset dataset = answerOf(q);
    nameTokens(dataset, q.content, mask, q.shape);
    return dataset.maps.at(0);
  };
  const Map both = named("a\nb\nc\nx\ny\n", {});
  EXPECT_EQ(both.rows.first, 1) << "as the offsets of curves and heads count them";
  ASSERT_TRUE(both.rows.names && both.cols.names);
  EXPECT_EQ(*both.rows.names, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(*both.cols.names, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(named("a\nb\nc\n", {}).rows.names, nullptr) << "the keys' labels are not theirs";
  Mask causal;
  causal.causal = true;  // then they are the last of the same tokens
  const Map cached = named("a\nb\nc\n", causal);
  EXPECT_EQ(cached.rows.first, 1);
  EXPECT_EQ(*cached.rows.names, (std::vector<std::string>{"b", "c"}));

  q = crossed("attention_row");
  q.content.label_file = folder.write("labels.txt", "a\nb\nc\nx\ny\n");
  const Dataset row = answerOf(q);
  EXPECT_EQ(row.query, 2);
  EXPECT_EQ(row.curves.at(0).label.en, "query 2 “y”, head 0");
  EXPECT_TRUE(excessLabels(q.content, q.mask, q.shape).en.empty());
}

TEST(GivenAttention, labelsThatNoOneCanReadAreRefusedByLine) {
  const test::TemporaryFolder folder;
  const auto refusal = [&](const std::string& bytes) {
    const auto labels = readLabels(folder.write("labels.txt", bytes), 3);
    EXPECT_FALSE(labels) << bytes;
    return labels ? Error{ErrorCode::cancelled, {}} : labels.error();
  };
  const Error gbk = refusal("the\n\xC4\xE3\nsat\n");
  EXPECT_EQ(gbk.code, ErrorCode::file_format);
  EXPECT_NE(gbk.message.en.find("labels.txt: line 2 must be UTF-8 text"), std::string::npos) << gbk.message.en;
  EXPECT_FALSE(gbk.message.zh.empty());
  EXPECT_EQ(refusal("caf\xE9\n").code, ErrorCode::file_format);
  EXPECT_EQ(refusal(std::string("\xFF\xFEt\0\n\0", 6)).code, ErrorCode::file_format);
  EXPECT_EQ(refusal(std::string("t\0h\0\n\0", 6)).code, ErrorCode::file_format) << "UTF-16 without its mark";
}

TEST(GivenAttention, labelsThatWouldTurnTheTextAreEscapedAndTooManyAreTold) {
  const test::TemporaryFolder folder;
  Question q = twoHeads("attention_weights");
  q.content.label_file = folder.write("labels.txt",
                                      "a\xE2\x80\xAE"
                                      "b\nc\td\n猫\n");
  EXPECT_EQ(tokenLabels(q.content, q.shape), (std::vector<std::string>{"a\\u{202E}b", "c\\u{9}d", "猫"}));
  const std::string word(3000, 'w');
  folder.write("labels.txt", word + "\nb\nc\n\n\n");
  EXPECT_EQ(tokenLabels(q.content, q.shape).front(), word) << "of any length";
  EXPECT_TRUE(excessLabels(q.content, q.mask, q.shape).en.empty()) << "empty lines at the end are no labels";
  folder.write("labels.txt", "a\nb\nc\nd\n");
  const Text excess = excessLabels(q.content, q.mask, q.shape);
  EXPECT_NE(excess.en.find("there are 4 lines and 3 keys"), std::string::npos) << excess.en;
  EXPECT_FALSE(excess.zh.empty());
}

TEST(GivenAttention, aMissingFileOfAnotherContentIsNotWaitedFor) {
  ContentSpec spec;
  spec.source = ContentSource::arrays;
  spec.q = spec.k = makeArray({1, 2, 2}, {1, 2, 3, 4});
  spec.attention = {{1, 2, 2}, nullptr, "gone.npy"};
  Shape shape{.seq_len = 2, .d_model = 2, .num_heads = 1, .head_dim = 2};
  EXPECT_TRUE(makeContent<float>(spec, shape, false));
}

}  // namespace
}  // namespace posiscope::measures
