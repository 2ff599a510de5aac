// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/answer_of.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace posiscope::measures {
namespace {

using std::string;

Question question(ParamValues values, std::int64_t seq_len = 4096) {
  Question q = test::questionOf("base_by_length", "rope", std::move(values), seq_len);
  q.shape.head_dim = 128;
  return q;
}

double baseAt(const Dataset& dataset, double length) {
  const Curve& curve = dataset.curves.at(0);
  const auto found = std::ranges::find(curve.x, length);
  EXPECT_NE(found, curve.x.end()) << length;
  return found == curve.x.end() ? NAN : curve.y[static_cast<std::size_t>(found - curve.x.begin())];
}

TEST(BaseByLength, isFlatForWhatDoesNotLookAtTheLength) {
  for (const double base : {10000.0, 500000.0}) {
    const Dataset dataset = test::answerOf(question({{"base", base}}));
    for (const double y : dataset.curves.at(0).y) EXPECT_NEAR(y / base, 1, 1e-12);
    EXPECT_EQ(dataset.remarks.at(0).sentence.en, "The base is the same at every length.");
    EXPECT_EQ(dataset.curves[0].x.back(), 4 * 4096.0);
  }
}

TEST(BaseByLength, jumpsWhereLongropeTakesItsOtherList) {
  ParamValues values{{"scaling", string("longrope")},
                     {"original_length", 4096.0},
                     {"max_length", 131072.0},
                     {"short_factor", std::vector<double>(64, 1.0)},
                     {"long_factor", std::vector<double>(64, 8.0)}};
  const Dataset dataset = test::answerOf(question(std::move(values)));
  EXPECT_NEAR(baseAt(dataset, 4096), 1e4, 1e-6);
  const double stretched = 1e4 * std::pow(8.0, 64.0 / 63.0);
  EXPECT_NEAR(baseAt(dataset, 4096 + 256) / stretched, 1, 1e-9);
  EXPECT_NEAR(baseAt(dataset, 4 * 4096) / stretched, 1, 1e-9);
}

TEST(BaseByLength, reachesAsFarAsItIsAskedAndMarksTheTrainingLength) {
  Question q = question({});
  q.train_length = 8192;
  EXPECT_EQ(test::answerOf(q).curves.at(0).x.back(), 4 * 8192.0);
  q.options["longest"] = 1000.0;
  const Dataset dataset = test::answerOf(q);
  EXPECT_EQ(dataset.curves.at(0).x.front(), 1);
  EXPECT_EQ(dataset.curves[0].x.back(), 1000);
  EXPECT_EQ(dataset.marks.at(0).from, 8192);
}

TEST(BaseByLength, saysWhyThereIsNone) {
  Question q = question({}, 36);
  q.scheme.id = "alibi";
  EXPECT_NE(test::answerOf(q).nothing.en.find("rotates nothing"), string::npos);
  for (const char* inside : {"rerope", "leaky_rerope", "self_extend", "dual_chunk", "fope", "pope"}) {
    q.scheme.id = inside;
    EXPECT_NE(test::answerOf(q).nothing.en.find("inside its score"), string::npos) << inside;
  }
  q.scheme.id = "rope_2d";
  q.shape.grid_height = q.shape.grid_width = 6;
  EXPECT_NE(test::answerOf(q).nothing.en.find("several positions"), string::npos);
  q.scheme.id = "rope";
  q.shape.head_dim = 2;
  EXPECT_NE(test::answerOf(q).nothing.en.find("No pair of this scheme"), string::npos);
}

}  // namespace
}  // namespace posiscope::measures
