// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One row of the attention map.
#include "tests/support/answer_of.h"

#include <algorithm>
#include <cmath>

namespace posiscope::measures {
namespace {

using test::answerOf;

double metric(const Dataset& dataset, const std::string& key) {
  const auto found = std::ranges::find(dataset.metrics, key, &Metric::key);
  return found == dataset.metrics.end() ? std::nan("") : found->value;
}

bool says(const Dataset& dataset, const std::string& part) {
  return std::ranges::any_of(dataset.remarks,
                             [&](const Remark& r) { return r.sentence.en.find(part) != std::string::npos; });
}

Question plain(const char* measure, const char* scheme, std::int64_t seq_len = 50) {
  Question q = test::questionOf(measure, scheme, {}, seq_len);
  q.mask.causal = true;
  return q;
}

TEST(AttentionRow, isOneRowOfTheMap) {
  for (const char* scheme : {"none", "sinusoidal", "rope", "alibi"}) {
    Question q = plain("attention_weights", scheme);
    const Dataset maps = answerOf(q);
    q.measure = "attention_row";
    q.options = {{"query", 30.0}, {"head", 2.0}};
    const Dataset row = answerOf(q);
    ASSERT_EQ(row.curves.at(0).y.size(), 31U) << scheme;
    double entropy = 0;
    for (std::int64_t j = 0; j <= 30; ++j) {
      const double weight = maps.maps.at(2).field->at(30, j);
      EXPECT_EQ(row.curves[0].y[static_cast<std::size_t>(j)], weight);
      entropy -= weight * std::log(weight);
    }
    EXPECT_NEAR(metric(row, "entropy"), entropy, 1e-4);
    EXPECT_EQ(row.curves[0].term(7), maps.maps[2].term(30, 7)) << scheme;
  }
}

TEST(AttentionRow, isCountedFromTheEndBelowZero) {
  Question q = plain("attention_row", "rope");
  const Dataset last = answerOf(q);
  EXPECT_EQ(last.curves.at(0).y.size(), 50U);
  q.options["query"] = -20.0;
  const Dataset before = answerOf(q);
  q.options["query"] = 30.0;
  EXPECT_EQ(before.curves.at(0).y, answerOf(q).curves.at(0).y);
  for (const double query : {50.0, -51.0}) {
    q.options["query"] = query;
    const Expected<Dataset> refused = find(q.measure)->compute(q, Job{});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message.en, join("attention_row: query must be -50 to 49, got ", query));
  }
}

TEST(AttentionRow, namesTheLargestKeysByTheirWords) {
  Question q = plain("attention_row", "alibi", 12);
  q.content.source = ContentSource::tokens;
  q.content.text = "the cat sat on the mat";
  q.options["query"] = 5.0;
  q.shape.first_position = 100;
  const Dataset dataset = answerOf(q);
  ASSERT_TRUE(dataset.x.names);
  EXPECT_EQ(*dataset.x.names, (std::vector<std::string>{"the", "cat", "sat", "on", "the", "mat"}));
  EXPECT_EQ(dataset.x.first, 100);
  const std::vector<double>& y = dataset.curves.at(0).y;
  const auto largest = std::ranges::max_element(y) - y.begin();
  EXPECT_EQ(metric(dataset, "largest_key"), 100 + static_cast<double>(largest));
  EXPECT_TRUE(says(dataset, join("Query 105 “mat” looks most at key ", 100 + largest, " “",
                                 (*dataset.x.names)[static_cast<std::size_t>(largest)], "” (")))
      << dataset.remarks.at(0).sentence.en;
  EXPECT_EQ(dataset.y.name.en, "weight, query 105 “mat”, head 0");
}

TEST(AttentionRow, leavesOutWhatItMayNotSee) {
  Question q = plain("attention_row", "none", 10);
  q.mask.key_padding = {0, 1, 1, 0, 1, 1, 1, 1, 1, 1};
  q.options["query"] = 5.0;
  const Dataset dataset = answerOf(q);
  EXPECT_TRUE(std::isnan(dataset.curves.at(0).y[3]));
  EXPECT_GT(dataset.curves[0].y[4], 0);
  q.options["query"] = 0.0;
  EXPECT_EQ(answerOf(q).nothing.en, "Query 0 may look at no key; its weights are all 0.");
}

}  // namespace
}  // namespace posiscope::measures
