// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A trained table with NaN in one of its rows: no answer is made of it, and means leave the row out.
#include "tests/support/answer_of.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace posiscope {
namespace {

using enum Property::Answer;

Question damaged(const char* measure) {
  std::vector<double> numbers(16 * 8, 0.5);
  numbers[9 * 8 + 3] = std::numeric_limits<double>::quiet_NaN();
  Question q = test::questionOf(measure, "learned", {{"table", makeArray({16, 8}, numbers)}}, 16);
  q.shape.num_heads = 2;
  q.shape.head_dim = 4;
  q.shape.d_model = 8;
  return q;
}

TEST(DamagedTable, theCardLeavesUndecidedWhatReadsIt) {
  const Dataset card = test::answerOf(damaged("properties"));
  for (const char* key : {"offset_only", "symmetric", "keeps_norms", "bounded", "monotone_decay", "first_rise"}) {
    const auto p = std::ranges::find(card.properties, key, &Property::key);
    ASSERT_NE(p, card.properties.end()) << key;
    EXPECT_EQ(p->answer, neither) << key;
    EXPECT_EQ(p->word.en, "undecided") << key;
    EXPECT_TRUE(std::isnan(p->value)) << key;
    EXPECT_EQ(p->sentence.en, "Undecided: 1 of 16 rows of the added table holds NaN.");
    EXPECT_FALSE(p->sentence.zh.empty());
  }
  const auto end = std::ranges::find(card.properties, "beyond_training", &Property::key);
  EXPECT_NE(end->word.en, "undecided") << "that is no question of its numbers";
}

TEST(DamagedTable, theNormRatioLeavesTheRowOut) {
  const Dataset ratio = test::answerOf(damaged("norm_ratio"));
  const auto position = std::ranges::find(ratio.metrics, "position_norm", &Metric::key);
  ASSERT_NE(position, ratio.metrics.end());
  EXPECT_NEAR(position->value, 0.5 * std::sqrt(8.0), 1e-6);
  EXPECT_TRUE(std::ranges::any_of(ratio.remarks, [](const Remark& remark) {
    return remark.sentence.en.starts_with("1 of 16 rows is left out of the means");
  }));
  for (const Remark& remark : ratio.remarks) EXPECT_EQ(remark.sentence.en.find("nan"), std::string::npos);
}

TEST(DamagedTable, theShiftIsFittedToTheOtherRows) {
  const Dataset shift = test::answerOf(damaged("shift_matrix"));
  ASSERT_EQ(shift.remarks.size(), 2U);
  EXPECT_TRUE(shift.remarks[0].sentence.en.starts_with("1 row of the table is left out of the fit"));
  EXPECT_EQ(shift.remarks[1].verdict, Verdict::good) << "a constant table is moved by a matrix";
  EXPECT_TRUE(std::isfinite(shift.maps.at(0).field->at(0, 0)));
}

}  // namespace
}  // namespace posiscope
