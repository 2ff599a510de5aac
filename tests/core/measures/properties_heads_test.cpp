// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What a card says is of all heads, of the question's own length and of the positions that were tried.
#include "core/measures/axes.h"
#include "core/measures/properties.h"
#include "core/schemes/list.h"
#include "tests/support/card_line.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

namespace posiscope {
namespace {

using enum Property::Answer;
using test::property;
using test::says;

Question question(const std::string& scheme, ParamValues values, std::int64_t heads = 12, std::int64_t seq_len = 64) {
  Question q = test::questionOf("properties", scheme, std::move(values), seq_len);
  q.shape.num_heads = heads;
  q.shape.d_model = 16 * heads;
  return q;
}

ParamValues bias(const char* formula) { return {{"kind", std::string("bias")}, {"formula", std::string(formula)}}; }

ParamValues twoLists(double original) {
  return {{"scaling", std::string("longrope")},
          {"original_length", original},
          {"max_length", 1000.0},
          {"long_factor", std::vector<double>(8, 8)},
          {"short_factor", std::vector<double>(8, 1)}};
}

TEST(PropertiesOfHeads, oneHeadThatDiffersIsFound) {
  const Question q = question("own", bias("head==1 ? offset : -abs(offset)"));
  for (const char* key : {"symmetric", "monotone_decay"}) {
    const Property p = property(q, key);
    EXPECT_EQ(p.answer, no) << key;
    EXPECT_TRUE(says(p, "h = 1.")) << p.sentence.en;
  }
  const Property steepest =
      property(question("own", bias("head==5 ? -abs(offset)^1.5 : -sqrt(abs(offset))")), "bounded");
  EXPECT_NEAR(steepest.value, 1.5, 0.01);
  EXPECT_TRUE(says(steepest, "(h = 5)")) << steepest.sentence.en;
}

TEST(PropertiesOfHeads, aLargeBoundDoesNotHideTheHeadThatGoesOn) {
  for (const char* formula :
       {"head==2 ? -abs(offset) : -min(abs(offset),10)", "head==2 ? -abs(offset) : -1000000*min(abs(offset),10)"}) {
    const Property p = property(question("own", bias(formula)), "bounded");
    EXPECT_EQ(p.answer, no) << formula;
    EXPECT_TRUE(says(p, "(h = 2)")) << p.sentence.en;
  }
}

TEST(PropertiesOfHeads, constantMeansAllHeads) {
  const Property some = property(question("own", bias("-abs(offset)*(head==0)"), 2), "monotone_decay");
  EXPECT_EQ(some.answer, yes);
  EXPECT_TRUE(says(some, "In 1 of 2 heads it is the same at every offset: h = 1.")) << some.sentence.en;
  const Property all = property(question("own", bias("2+0*offset"), 2), "monotone_decay");
  EXPECT_EQ(all.answer, neither);
  EXPECT_EQ(all.word.en, "constant");
}

TEST(PropertiesOfHeads, theLargestRiseIsThatOfAllHeads) {
  const Question q = question("rope", {{"bases", std::vector<double>{50, 20000}}}, 2);
  const Property rise = property(q, "monotone_decay");
  EXPECT_NEAR(rise.value, 0.282, 0.001);
  EXPECT_TRUE(says(rise, ", h = 0.")) << rise.sentence.en;
  // The head that rises first, and by how much it does there, stand beside it.
  const Question second = question("own", bias("head==0 ? -abs(abs(offset)-5) : -abs(offset)+2*(abs(offset)>2)"), 2);
  EXPECT_TRUE(says(property(second, "first_rise"), "h = 0.")) << property(second, "first_rise").sentence.en;
}

TEST(Properties, nothingAddedIsNoBoundOfTheProduct) {
  const Property p = property(question("none", {}, 2), "bounded");
  EXPECT_EQ(p.answer, yes);
  EXPECT_TRUE(says(p, "position adds 0 to the logits")) << p.sentence.en;
}

TEST(Properties, pairsThatDoNotTurnCostNothing) {
  Question q = question("rope", {{"scaling", std::string("proportional")}, {"factor", 1.0}, {"rotary_share", 0.25}}, 8);
  q.shape.head_dim = 64;
  q.shape.d_model = 512;
  EXPECT_EQ(property(q, "token_operations").value, 4 * 8 * (8 + 8));
}

TEST(PropertiesOfHeads, aSampleIsNamed) {
  for (const char* key : {"offset_only", "monotone_decay", "first_rise"}) {
    const Property p = property(question("shaw", {}), key);
    if (p.answer == no) continue;
    EXPECT_TRUE(says(p, " Only 4 of 12 heads were measured: h = 0, 3, 7, 11.")) << p.sentence.en;
  }
  for (const char* id : {"rope", "alibi", "t5_log"})
    for (const char* key : {"offset_only", "symmetric", "bounded", "monotone_decay"})
      EXPECT_FALSE(says(property(question(id, {}), key), "heads were measured")) << id << " " << key;
}

TEST(PropertiesOfLength, aShortQuestionIsAskedAtItsOwnLength) {
  const Question q = question("rope", twoLists(100), 2);
  Question curve = q;
  curve.measure = "relative_decay";
  const Dataset decay = test::answerOf(curve);
  const auto rise = std::ranges::find(decay.metrics, "first_rise", &Metric::key);
  ASSERT_NE(rise, decay.metrics.end());
  EXPECT_EQ(property(q, "first_rise").value, rise->value);
  EXPECT_EQ(test::answerOf(q).scope.en, "measured on 64 tokens");
  EXPECT_EQ(test::answerOf(question("rope", {}, 2)).scope.en, "measured on 64, 512 tokens") << "the length is nothing";
}

TEST(PropertiesOfLength, twoListsHoldAtOneLength) {
  for (const std::int64_t length : {64, 300, 512, 600}) {
    const Property p = property(question("rope", twoLists(100), 2, length), "offset_only");
    EXPECT_EQ(p.word.en, "yes, at one length") << length;
    EXPECT_TRUE(says(p, "But the same tokens have other logits in")) << p.sentence.en;
  }
  EXPECT_EQ(property(question("rope", twoLists(100000), 2), "offset_only").word.en, "yes");
}

TEST(PropertiesOfLength, anAnswerOfNearPositionsSaysHowFarItGoes) {
  const Property factor = property(question("query_scale", {}, 2), "offset_only");
  EXPECT_EQ(factor.answer, yes);
  EXPECT_EQ(factor.word.en, "yes, up to " + measures::readable(1063));
  EXPECT_TRUE(says(factor, "But all positions moved by 4096, 16384 or 65536: ")) << factor.sentence.en;
  EXPECT_EQ(property(question("query_scale", {}, 2, 4096), "offset_only").word.en,
            "yes, up to " + measures::readable(4095));
  EXPECT_EQ(property(question("fire", {{"threshold_length", 5000.0}}, 2), "offset_only").word.en,
            "yes, up to " + measures::readable(1063));
  for (const char* id : {"rope", "xpos", "alibi", "kerple", "shaw"})
    for (const char* precision : {"double", "single"}) {
      Question q = question(id, {}, 2);
      q.options["precision"] = std::string(precision);
      EXPECT_EQ(property(q, "offset_only").word.en, "yes") << id << " " << precision;
    }
}

TEST(PropertiesOfLength, aYesThatHoldsOnlySomewhereIsQualified) {
  EXPECT_TRUE(property(question("query_scale", {}, 2), "offset_only").qualified) << "up to a position";
  EXPECT_TRUE(property(question("rope", twoLists(100), 2), "offset_only").qualified) << "at one length";
  EXPECT_TRUE(property(question("learned", {{"max_positions", 100.0}}), "beyond_training").qualified) << "up to 100";
  EXPECT_TRUE(property(question("learned", {{"max_positions", 100.0}}), "bounded").qualified) << "the table ends";
  for (const char* key : {"offset_only", "keeps_norms", "bounded", "beyond_training"})
    EXPECT_FALSE(property(question("rope", {}, 2), key).qualified) << key;
  const std::string text = csv(test::answerOf(question("query_scale", {}, 2)));
  EXPECT_NE(text.find("offset_only,\"yes, up to "), std::string::npos) << text;
}

TEST(PropertiesOfFormulas, aFormulaHasOneTimeForTheWholeCard) {
  using namespace std::chrono_literals;
  const auto card = [](const Question& q, std::chrono::duration<double> time) {
    const auto found = measures::cardOf<double>(*schemes::find(q.scheme.id), q, Job(), time);
    EXPECT_TRUE(found);
    return found ? found->properties : std::vector<Property>{};
  };
  const Question typed = question("own", bias("-abs(offset)"), 2);
  const std::vector<Property> whole = card(typed, 10s), late = card(typed, 0s);
  ASSERT_EQ(late.size(), whole.size());
  for (std::size_t n = 0; n < late.size(); ++n) {
    EXPECT_EQ(late[n].key, whole[n].key);
    EXPECT_EQ(late[n].question.en, whole[n].question.en);
    if (n < measures::probed_questions.size()) {
      EXPECT_EQ(late[n].answer, neither);
      EXPECT_TRUE(says(late[n], "Undecided: the formula took longer than 0 s.")) << late[n].sentence.en;
    } else {
      EXPECT_EQ(late[n].sentence.en, whole[n].sentence.en) << "how far a formula reaches is known all the same";
    }
  }
  const std::vector<Property> plain = card(question("alibi", {}, 2), 0s);
  EXPECT_EQ(plain.front().answer, yes) << "nothing is typed";
}

}  // namespace
}  // namespace posiscope
