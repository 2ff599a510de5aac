// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/encoded.h"
#include "core/measures/list.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>

namespace posiscope::measures {
namespace {

constexpr std::int64_t height = 4;
constexpr std::int64_t width = 6;

Question question(const std::string& scheme, ParamValues values = {}) {
  Question q;
  q.measure = "bias_grid";
  q.scheme = {scheme, std::move(values), {}, 0, true};
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

/// The cell of a map at an offset.
float atOffset(const Map& map, std::int64_t dr, std::int64_t dc) {
  return map.field->at(dr - static_cast<std::int64_t>(map.rows.first), dc - static_cast<std::int64_t>(map.cols.first));
}

/// Every pair of patches reads the cell of its offset, query − key, in the map of that key.
void expectWhatAttentionReads(const Question& q, const std::string& key, std::int64_t head, bool distances = false) {
  const Dataset dataset = answerOf(q);
  const auto map = std::ranges::find(dataset.maps, key, &Map::key);
  ASSERT_NE(map, dataset.maps.end()) << q.scheme.id << ' ' << key;
  const EncodingPtr encoding = *encodingOf(q);
  const auto& bias = std::get<PairBias<float>>(encoding->logits.bias);
  std::vector<float> row(static_cast<std::size_t>(q.shape.keys()));
  for (std::int64_t i = 0; i < q.shape.keys(); ++i) {
    bias.fill(head, i, row);
    for (std::int64_t j = 0; j < q.shape.keys(); ++j) {
      std::int64_t dr = i / width - j / width;
      std::int64_t dc = i % width - j % width;
      if (distances) dr = std::abs(dr), dc = std::abs(dc);
      ASSERT_EQ(atOffset(*map, dr, dc), row[static_cast<std::size_t>(j)]) << q.scheme.id << ' ' << i << ", " << j;
    }
  }
}

TEST(BiasGrid, isWhatAttentionReads) {
  expectWhatAttentionReads(question("swin"), "trained head 1", 1);
  expectWhatAttentionReads(question("swin_v2"), "trained head 2", 2);
  expectWhatAttentionReads(question("grid_bias"), "trained head 0", 0);
  expectWhatAttentionReads(question("grid_bias", {{"kind", std::string("maxvit")}}), "trained head 1", 1);
  expectWhatAttentionReads(question("grid_bias", {{"kind", std::string("levit")}}), "trained head 1", 1, true);
}

TEST(BiasGrid, theResizedFormIsWhatAttentionReadsOnTheOtherGrid) {
  const Question beit = question("grid_bias", {{"source_height", 3.0}, {"source_width", 5.0}});
  expectWhatAttentionReads(beit, "resized head 2", 2);
  const Dataset dataset = answerOf(beit);
  ASSERT_EQ(dataset.maps.size(), 6U);
  EXPECT_EQ(dataset.maps.front().field->rows(), 5);
  EXPECT_EQ(dataset.maps.front().field->cols(), 9);
  expectWhatAttentionReads(
      question("grid_bias", {{"kind", std::string("maxvit")}, {"source_height", 3.0}, {"source_width", 3.0}}),
      "resized head 0", 0);
  expectWhatAttentionReads(question("swin_v2", {{"pretrained_height", 8.0}, {"pretrained_width", 8.0}}),
                           "resized head 1", 1);
}

TEST(BiasGrid, anyTargetCanBeAskedFor) {
  Question q = question("swin");
  q.options = {{"target_height", 7.0}, {"target_width", 5.0}, {"heads", std::vector<double>{1}}};
  const Dataset dataset = answerOf(q);
  ASSERT_EQ(dataset.maps.size(), 2U);
  const Map& resized = dataset.maps.back();
  EXPECT_EQ(resized.field->rows(), 13);
  EXPECT_EQ(resized.field->cols(), 9);
  EXPECT_EQ(resized.rows.first, -6);
  EXPECT_NE(resized.label.en.find("7 × 5"), std::string::npos);
  // The middle stays the middle: a constant picture is not changed by bicubic weights that sum to 1.
  q.scheme.values["table"] = makeArray({77, 3}, std::vector<double>(77 * 3, 0.25));
  const Dataset constant = answerOf(q);
  for (std::int64_t r = 0; r < 13; ++r)
    for (std::int64_t c = 0; c < 9; ++c) EXPECT_NEAR(constant.maps.back().field->at(r, c), 0.25, 1e-6);
}

TEST(BiasGrid, distancesAloneAreResizedAsDistances) {
  Question q = question("grid_bias", {{"kind", std::string("levit")}});
  q.options = {{"target_height", 7.0}, {"target_width", 7.0}};
  const Dataset resized = answerOf(q);
  ASSERT_EQ(resized.maps.size(), 6U);
  EXPECT_EQ(resized.maps.back().field->rows(), 7);
  EXPECT_EQ(resized.maps.back().rows.first, 0);
  EXPECT_EQ(resized.maps.front().field->rows(), height);
  q.options = {{"target_height", static_cast<double>(height)}, {"target_width", 0.0}};
  const Dataset dataset = answerOf(q);
  ASSERT_EQ(dataset.maps.size(), 3U);
  EXPECT_EQ(dataset.maps.front().rows.first, 0);
  EXPECT_EQ(dataset.maps.front().field->rows(), height);
}

TEST(BiasGrid, distancesAreNotCalledOffsets) {
  Question q = question("grid_bias", {{"kind", std::string("levit")}});
  for (const std::int64_t rows : {height, std::int64_t{1}}) {
    q.shape.grid_height = rows;
    q.shape.grid_width = q.shape.seq_len / rows;
    const Dataset dataset = answerOf(q);
    const Map& map = dataset.maps.front();
    EXPECT_EQ(map.rows.symbol, "|Δr|");
    EXPECT_EQ(map.cols.symbol, "|Δc|");
    EXPECT_EQ(map.rows.name.en, "row distance");
    EXPECT_EQ(map.label.en.rfind("table by distance, ", 0), 0U) << map.label.en;
    EXPECT_EQ(map.term(0, 2), "β(|Δr| = 0, |Δc| = 2)");
    ASSERT_EQ(dataset.metrics.size(), 1U) << "there is no −Δ to compare with";
    EXPECT_EQ(dataset.metrics.front().label.en, "distances");
  }
  q.scheme.values.clear();  // BEiT, also in a single row
  const Map offsets = answerOf(q).maps.front();
  EXPECT_EQ(offsets.rows.symbol, "Δr");
  EXPECT_EQ(offsets.term(0, 0), "β(Δr = 0, Δc = −23)");
  EXPECT_NE(find("bias_grid")->shape_help.find("[heads, height, width] over |Δ|"), std::string::npos);
}

TEST(BiasGrid, theDecomposedBiasIsThatOfAQueryOfOnes) {
  const Question q = question("decomposed_2d");
  const Dataset dataset = answerOf(q);
  ASSERT_EQ(dataset.maps.size(), 1U) << "all heads share it";
  const EncodingPtr encoding = *encodingOf(q);
  const Table<float> ones{24, 8, std::vector<float>(24 * 8, 1.0F)};
  const Mask mask;
  const auto fill = encoding->logits.terms.prepare({0, rowsOf(ones), rowsOf(ones), {}, &q.shape, &mask});
  std::vector<float> down(24), across(24);
  for (std::int64_t i = 0; i < 24; ++i) {
    fill(1, i, down);
    fill(2, i, across);
    for (std::int64_t j = 0; j < 24; ++j)
      ASSERT_NEAR(atOffset(dataset.maps.front(), i / width - j / width, i % width - j % width),
                  down[static_cast<std::size_t>(j)] + across[static_cast<std::size_t>(j)], 1e-5);
  }
}

TEST(BiasGrid, othersHaveNone) {
  for (const char* scheme : {"rope", "alibi", "none", "t5_log"})
    EXPECT_NE(answerOf(question(scheme)).nothing.en.find("two-dimensional offset"), std::string::npos) << scheme;
}

}  // namespace
}  // namespace posiscope::measures
