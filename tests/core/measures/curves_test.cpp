// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/derived.h"
#include "core/measures/list.h"
#include "core/measures/products.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>

namespace posiscope::measures {
namespace {

Question question(const char* measure, const char* scheme, std::int64_t seq_len = 64) {
  Question q;
  q.measure = measure;
  q.scheme.id = scheme;
  q.shape.seq_len = seq_len;
  q.shape.d_model = 32;
  q.shape.num_heads = 12;
  q.shape.head_dim = 128;
  return q;
}

Dataset answerOf(const Question& q) {
  Expected<Dataset> dataset = find(q.measure)->compute(q, Job{});
  EXPECT_TRUE(dataset) << (dataset ? "" : dataset.error().message.en);
  return dataset ? std::move(*dataset) : Dataset{};
}

double metric(const Dataset& dataset, const std::string& key) {
  const auto found = std::ranges::find(dataset.metrics, key, &Metric::key);
  EXPECT_NE(found, dataset.metrics.end()) << key;
  return found == dataset.metrics.end() ? 0 : found->value;
}

TEST(RelativeDecay, allOnesRiseAgainAndFallBelowZero) {
  const Dataset dataset = answerOf(question("relative_decay", "rope", 4096));
  ASSERT_EQ(dataset.curves.size(), 1U);
  EXPECT_EQ(dataset.curves[0].key, "ones");
  EXPECT_NEAR(dataset.curves[0].y[0], 1, 1e-12);
  EXPECT_EQ(metric(dataset, "first_rise"), 11);
  EXPECT_EQ(metric(dataset, "first_negative"), 1707);
}

TEST(RelativeDecay, independentQueriesAndKeysDoNotDecay) {
  Question q = question("relative_decay", "rope", 2048);
  q.options = {{"curves", std::string("independent")}, {"samples", 256.0}};
  const Dataset dataset = answerOf(q);
  ASSERT_EQ(dataset.curves.size(), 3U);
  const auto spread = [&](std::size_t n) { return (dataset.curves[2].y[n] - dataset.curves[1].y[n]) / 2; };
  // Standard deviation √r of a score divided by r, at every offset; 256 samples know it to about 5 %.
  for (const std::size_t n : {std::size_t{0}, std::size_t{100}, std::size_t{2047}}) {
    EXPECT_NEAR(spread(n), 1 / std::sqrt(128.0), 0.02);
    EXPECT_NEAR(dataset.curves[0].y[n], 0, 0.03);
  }
}

TEST(RelativeDecay, theSameRandomVectorDecaysLikeAllOnes) {
  Question q = question("relative_decay", "rope", 512);
  q.options = {{"curves", std::string("all")}, {"samples", 1024.0}};
  const Dataset dataset = answerOf(q);
  ASSERT_EQ(dataset.curves.size(), 6U);
  EXPECT_EQ(dataset.curves[5].role, CurveRole::bound);
  for (std::size_t n = 0; n < 512; ++n) EXPECT_NEAR(dataset.curves[1].y[n], dataset.curves[0].y[n], 0.05);
}

TEST(RelativeDecay, rawScoresCarryTheAttentionFactorTwice) {
  Question q = question("relative_decay", "rope");
  q.scheme.values = {{"scaling", std::string("yarn")}, {"factor", 8.0}, {"original_length", 64.0}};
  q.options["normalise"] = false;
  const double factor = 0.1 * std::log(8.0) + 1;
  EXPECT_NEAR(answerOf(q).curves.at(0).y[0], 128 * factor * factor, 1e-9);
}

TEST(RelativeDecay, tablesAverageOverAllRows) {
  const Question q = question("relative_decay", "sinusoidal");
  const std::vector<double> expected = similarityCurve({32}, {}, Normalise::cosine);
  const Dataset dataset = answerOf(q);
  for (std::size_t n = 0; n < 64; ++n) {
    const std::vector<double> offset{static_cast<double>(n)};
    EXPECT_NEAR(dataset.curves.at(0).y[n], similarityCurve({32}, offset, Normalise::cosine)[0], 1e-6);
  }
  InputPart<float> input;
  input.table = {3, 2, {1, 2, 3, 4, 5, 6}};
  const MeanProducts products = meanProducts(input, Job{});
  EXPECT_EQ(products.mean, (std::vector<double>{(5.0 + 25 + 61) / 3, (11.0 + 39) / 2, 17}));
}

TEST(RelativeDecay, leavesRowsWithNaNOutOfTheMeans) {
  Question q = question("relative_decay", "learned", 4);
  q.shape.d_model = 2;
  const auto curve = [&](std::vector<double> table) {
    q.scheme.values = {{"table", makeArray({4, 2}, std::move(table))}};
    return answerOf(q);
  };
  const Dataset dataset = curve({2, 0, NAN, 0, 0, 2, 2, 0});
  // The other rows have length 2. Without the second row three pairs are left at offset 0 and one at each other.
  const std::vector<double>& y = dataset.curves.at(0).y;
  EXPECT_EQ(y[0], 1);
  EXPECT_EQ(y[1], 0);
  EXPECT_EQ(y[2], 0);
  EXPECT_EQ(y[3], 1);
  EXPECT_NE(dataset.remarks.at(0).sentence.en.find("4 pairs of rows are left out"), std::string::npos)
      << dataset.remarks[0].sentence.en;
  EXPECT_EQ(dataset.remarks[0].verdict, Verdict::warning);
  EXPECT_FALSE(curve({1e30, 0, 0, 1e30, 1e30, 0, 0, 1e30}).nothing.en.empty()) << "no length is known";
  EXPECT_NE(curve(std::vector<double>(8, NAN)).nothing.en.find("NaN"), std::string::npos);
}

TEST(RelativeDecay, ofOnePositionSaysSo) {
  for (const char* scheme : {"rope", "alibi", "sinusoidal"})
    EXPECT_TRUE(answerOf(question("relative_decay", scheme, 1)).nothing.en.starts_with("There is one position only"));
  EXPECT_TRUE(answerOf(question("bias_by_offset", "alibi", 1)).nothing.en.starts_with("There is one position only"));
  EXPECT_NE(answerOf(question("bias_by_offset", "rope", 1)).nothing.en.find("adds no bias"), std::string::npos);
}

TEST(RelativeDecay, biasesShowEightSpreadHeadsOrThoseAskedFor) {
  Question q = question("relative_decay", "alibi");
  const Dataset spread = answerOf(q);
  ASSERT_EQ(spread.curves.size(), 8U);
  EXPECT_EQ(spread.curves.front().head, 0);
  EXPECT_EQ(spread.curves.back().head, 11);
  EXPECT_EQ(spread.scope.en, "8 of 12 heads");
  EXPECT_EQ(spread.remarks.at(0).sentence.en, "Only 8 of 12 heads are drawn: 0, 1, 3, 4, 6, 7, 9, 11.");
  q.options["heads"] = std::vector<double>{2};
  q.options["negative"] = true;
  const Dataset one = answerOf(q);
  ASSERT_EQ(one.curves.size(), 1U);
  EXPECT_EQ(one.curves[0].x.front(), -63);
  EXPECT_FALSE(std::signbit(one.curves[0].y[63])) << "a slope times no distance";
  EXPECT_EQ(one.curves[0].x.size(), 127U);
  EXPECT_FALSE(one.x.logarithmic);
  EXPECT_TRUE(one.scope.en.empty()) << "that is what was asked for";
  q.options.clear();
  q.shape.num_heads = 8;
  EXPECT_TRUE(answerOf(q).scope.en.empty()) << "these are all";
}

TEST(NormRatio, isTheRatioOfLengths) {
  Question q = question("norm_ratio", "sinusoidal");
  q.shape.d_model = 768;
  const Dataset plain = answerOf(q);
  EXPECT_NEAR(plain.curves.at(0).y[5], 35.4, 0.1);  // √384 / 0.554
  EXPECT_EQ(plain.remarks.at(0).verdict, Verdict::warning);
  EXPECT_EQ(metric(plain, "rows_above"), 64);
  q.options["scale_words"] = true;
  EXPECT_NEAR(answerOf(q).curves.at(0).y[5], 1.28, 0.01);
  q.content.word_std = 0.1;
  const Dataset inside = answerOf(q);
  EXPECT_EQ(inside.remarks.at(0).verdict, Verdict::good);
  EXPECT_EQ(metric(inside, "rows_inside"), 64);
  q.options["words"] = std::string("sample");
  EXPECT_NEAR(answerOf(q).curves.at(0).y[5], 0.256, 0.03);
}

TEST(NormRatio, namesTheOtherChoiceOnlyWhereItHelps) {
  Question q = question("norm_ratio", "sinusoidal");
  q.shape.d_model = 768;
  const auto sentence = [&](double word_std, bool scaled) {
    q.content.word_std = word_std;
    q.options["scale_words"] = scaled;
    return answerOf(q).remarks.at(0).sentence.en;
  };
  const auto says = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  EXPECT_TRUE(says(sentence(0.02, false), "With words × √d_model it would be 1.276"));
  EXPECT_FALSE(says(sentence(0.02, true), "it would be")) << "above 1 already: shorter words make it worse";
  EXPECT_FALSE(says(sentence(40, false), "it would be")) << "lost already: longer words make it worse";
  EXPECT_TRUE(says(sentence(1, true), "Without √d_model it would be"));
  EXPECT_FALSE(says(sentence(0.1, true), "it would be")) << "as it should be";
}

TEST(NormRatio, saysWhyThereIsNothingToCompare) {
  EXPECT_NE(answerOf(question("norm_ratio", "rope")).nothing.en.find("keeps their lengths"), std::string::npos);
  Question yarn = question("norm_ratio", "rope");
  yarn.scheme.values = {{"scaling", std::string("yarn")}, {"factor", 8.0}, {"original_length", 64.0}};
  EXPECT_NE(answerOf(yarn).nothing.en.find("multiplies the lengths of what it turns by 1.208."), std::string::npos)
      << answerOf(yarn).nothing.en;
  EXPECT_NE(answerOf(question("norm_ratio", "xpos")).nothing.en.find("scales them"), std::string::npos);
  EXPECT_NE(answerOf(question("norm_ratio", "alibi")).nothing.en.find("logits"), std::string::npos);
  EXPECT_TRUE(answerOf(question("norm_ratio", "none")).curves.empty());
}

TEST(Spectrum, countsPairsThatNeverTurn) {
  Question q = question("spectrum", "rope");
  q.scheme.values["base"] = 500000.0;
  q.train_length = 8192;
  const Dataset plain = answerOf(q);
  EXPECT_EQ(metric(plain, "incomplete_pairs"), 29);
  EXPECT_EQ(plain.remarks.at(0).sentence.en, "29 of 64 pairs never complete a turn in 8\u202f192 tokens.");
  EXPECT_EQ(plain.marks.at(0).from, 8192);
  EXPECT_EQ(plain.marks.at(1).from, 8192);
  EXPECT_TRUE(std::isinf(plain.marks.at(1).to)) << "longer waves never completed a turn";
  q.options["quantity"] = std::string("turns");
  EXPECT_NEAR(answerOf(q).curves.at(0).y[0], 8192 / (2 * M_PI), 1e-9);
}

TEST(Spectrum, saysWhichColumnsOfATableArePairs) {
  Question q = question("spectrum", "sinusoidal");
  EXPECT_EQ(metric(answerOf(q), "columns_apart"), 1);
  q.scheme.values["columns"] = std::string("concatenated");
  EXPECT_EQ(metric(answerOf(q), "columns_apart"), 16);
  const Dataset rotary = answerOf(question("spectrum", "rope"));
  EXPECT_EQ(std::ranges::count(rotary.metrics, "columns_apart", &Metric::key), 0);
}

TEST(Spectrum, saysTrulyWhatScalingDoesToTheOthers) {
  const auto said = [](const char* scaling, double factor) {
    Question q = question("spectrum", "rope");
    q.scheme.values = {{"scaling", std::string(scaling)}, {"factor", factor}};
    if (scaling == std::string("proportional")) q.scheme.values["rotary_share"] = 0.5;
    for (const Remark& remark : answerOf(q).remarks)
      if (remark.sentence.en.starts_with("Scaling keeps")) return remark.sentence.en;
    return std::string();
  };
  EXPECT_EQ(said("linear", 0.5),
            "Scaling keeps 0 of 64 pairs unchanged and shortens the wavelengths of the others down to 0.5 times.");
  EXPECT_EQ(said("proportional", 4),
            "Scaling keeps 0 of 64 pairs unchanged and stretches the wavelengths of the others that turn up to 4 "
            "times.");
  EXPECT_EQ(said("proportional", 1), "Scaling keeps 32 of 64 pairs unchanged.");
}

TEST(Spectrum, tellsWhatScalingChanges) {
  Question q = question("spectrum", "rope", 131072);
  q.train_length = 8192;
  q.scheme.values = {
      {"base", 500000.0}, {"scaling", std::string("llama3")}, {"factor", 8.0}, {"original_length", 8192.0}};
  const Dataset scaled = answerOf(q);
  ASSERT_EQ(scaled.curves.size(), 2U);
  EXPECT_NEAR(metric(scaled, "largest_stretch"), 8, 1e-9);
  EXPECT_EQ(metric(scaled, "kept_pairs"), 29);  // wavelengths below 8192/4
  EXPECT_NEAR(scaled.curves[0].y[63] / scaled.curves[1].y[63], 8, 1e-9);
  EXPECT_GT(metric(scaled, "unseen_pairs"), 0);
  q.shape.seq_len = 8 * 8192;
  EXPECT_EQ(metric(answerOf(q), "unseen_pairs"), 0);
}

TEST(Waves, drawTheColumnsAskedFor) {
  Question q = question("waves", "sinusoidal");
  q.options["dims"] = std::vector<double>{1, 0};
  const Dataset table = answerOf(q);
  ASSERT_EQ(table.curves.size(), 2U);
  EXPECT_NEAR(table.curves[0].y[3], std::cos(3.0), 1e-6);
  EXPECT_NEAR(table.curves[1].y[3], std::sin(3.0), 1e-6);
  Question turned = question("waves", "rope");
  turned.scheme.values["pairing"] = std::string("half");
  turned.options["dims"] = std::vector<double>{0, 64};
  const Dataset pairs = answerOf(turned);
  EXPECT_NEAR(pairs.curves.at(0).y[3], std::cos(3.0), 1e-12);
  EXPECT_NEAR(pairs.curves.at(1).y[3], std::sin(3.0), 1e-12);
  turned.options["dims"] = std::vector<double>(9, 0.0);
  EXPECT_EQ(find("waves")->compute(turned, Job{}).error().code, ErrorCode::too_large);
}

TEST(Rotation, givesTheHandsOfBothTokens) {
  Question q = question("rotation", "rope");
  q.options = {{"i", 10.0}, {"j", 3.0}};
  const Dataset dataset = answerOf(q);
  ASSERT_EQ(dataset.curves.size(), 3U);
  EXPECT_NEAR(dataset.curves[0].y[0], 10 - 2 * M_PI, 1e-12);
  EXPECT_NEAR(dataset.curves[1].y[0], 3, 1e-12);
  EXPECT_NEAR(dataset.curves[2].y[0], 7 - 2 * M_PI, 1e-12);
  q.options["i"] = 64.0;
  EXPECT_EQ(find("rotation")->compute(q, Job{}).error().message.en, "rotation: i must be 0 to 63, got 64");
}

/// PoPE turns inside its score, by the position of each token.
TEST(Rotation, aScoreOfItsOwnHasHandsToo) {
  Question q = question("rotation", "pope");
  q.options = {{"i", 10.0}, {"j", 3.0}};
  const Dataset dataset = answerOf(q);
  ASSERT_EQ(dataset.curves.size(), 3U);
  EXPECT_NEAR(dataset.curves[0].y[0], 10 - 2 * M_PI, 1e-12);
  EXPECT_NEAR(dataset.curves[1].y[0], 3, 1e-12);
  EXPECT_TRUE(dataset.nothing.en.empty());
}

}  // namespace
}  // namespace posiscope::measures
