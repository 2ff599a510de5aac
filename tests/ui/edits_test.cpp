// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/edits.h"

#include "core/schemes/list.h"

#include <gtest/gtest.h>

#include <set>

namespace posiscope::ui {
namespace {

std::vector<std::string> ids(const Experiment& e) {
  std::vector<std::string> all;
  for (const SchemeChoice& choice : e.schemes) all.push_back(choice.id);
  return all;
}

Experiment three() {
  Experiment e;
  for (const char* id : {"rope", "alibi", "none"}) e = withScheme(std::move(e), id);
  return e;
}

TEST(Edits, addsDuplicatesMovesAndRemoves) {
  Experiment e = three();
  EXPECT_EQ(ids(e), (std::vector<std::string>{"rope", "alibi", "none"}));
  EXPECT_EQ(ids(withDuplicate(e, 0)), (std::vector<std::string>{"rope", "rope", "alibi", "none"}));
  EXPECT_EQ(ids(withMoved(e, 0, 2)), (std::vector<std::string>{"alibi", "none", "rope"}));
  EXPECT_EQ(ids(withMoved(e, 2, 0)), (std::vector<std::string>{"none", "rope", "alibi"}));
  EXPECT_EQ(ids(withoutScheme(e, 1)), (std::vector<std::string>{"rope", "none"}));
  EXPECT_FALSE(withVisible(e, 1, false).schemes[1].visible);
}

TEST(Edits, everySchemeHasAColourOfItsOwnForAsLongAsItLives) {
  Experiment e = three();
  e = withoutScheme(e, 0);
  EXPECT_EQ(e.schemes[0].colour, 1);
  e = withDuplicate(e, 0);
  e = withScheme(e, "t5_log");
  std::set<int> colours;
  for (const SchemeChoice& choice : e.schemes) colours.insert(choice.colour);
  EXPECT_EQ(colours.size(), e.schemes.size());
  EXPECT_TRUE(colours.contains(0));  // taken again
}

TEST(Edits, theListIsNeverLongerThanAllowed) {
  Experiment e;
  for (int i = 0; i < max_schemes + 3; ++i) e = withScheme(std::move(e), "rope");
  EXPECT_EQ(static_cast<int>(e.schemes.size()), max_schemes);
  EXPECT_EQ(withDuplicate(e, 0), e);
}

TEST(Edits, indicesOutsideAndUnknownIdsChangeNothing) {
  const Experiment e = three();
  for (const int index : {-1, 3, 99}) {
    EXPECT_EQ(withDuplicate(e, index), e);
    EXPECT_EQ(withoutScheme(e, index), e);
    EXPECT_EQ(withMoved(e, index, 0), e);
    EXPECT_EQ(withVisible(e, index, false), e);
    EXPECT_EQ(withSchemeValue(e, index, "base", 5.0), e);
  }
  EXPECT_EQ(withScheme(e, "no such scheme"), e);
  EXPECT_EQ(withShapeValue(e, "seq_len", -4.0), e);
}

TEST(Edits, keyValueHeadsFollowTheHeadsTheyMustDivide) {
  Experiment e;
  e.shape.num_heads = 32;
  e.shape.num_kv_heads = 8;
  EXPECT_EQ(withShapeValue(e, "num_heads", 64.0).shape.num_kv_heads, 8);
  EXPECT_EQ(withShapeValue(e, "num_heads", 12.0).shape.num_kv_heads, 4);
  for (int heads = 1; heads <= 64; ++heads) {
    const Experiment next = withShapeValue(e, "num_heads", static_cast<double>(heads));
    EXPECT_EQ(next.shape.num_heads, heads);
    EXPECT_TRUE(checkShape(next.shape)) << heads;
  }
  e.shape.num_kv_heads = 0;
  EXPECT_EQ(withShapeValue(e, "num_heads", 7.0).shape.num_kv_heads, 0);
}

TEST(Edits, aValueEqualToTheDefaultIsNotKept) {
  Experiment e = three();
  e = withSchemeValue(e, 0, "base", 500000.0);
  EXPECT_EQ(e.schemes[0].values.count("base"), 1U);
  const ParamSpec* base = findParam(schemes::find("rope")->params, "base");
  ASSERT_NE(base, nullptr);
  EXPECT_EQ(withSchemeValue(e, 0, "base", base->default_value), three());
  EXPECT_EQ(withSchemeValue(e, 0, "base", std::nullopt), three());
  EXPECT_EQ(withSchemeDefaults(e, 0), three());
}

TEST(Edits, proportionalScalingStartsAtFactorOne) {
  const std::string proportional = "proportional", yarn = "yarn";
  const auto factor = [](const Experiment& e) {
    return valueOf(*findParam(schemes::find("rope")->params, "factor"), e.schemes[0].values);
  };
  const Experiment start = three();
  const Experiment chosen = withSchemeValue(start, 0, "scaling", proportional);
  EXPECT_EQ(factor(chosen), Value(1.0));
  EXPECT_EQ(factor(withSchemeValue(chosen, 0, "factor", std::nullopt)), Value(1.0)) << "a reset";
  EXPECT_EQ(withSchemeValue(chosen, 0, "scaling", yarn), withSchemeValue(start, 0, "scaling", yarn));
  EXPECT_EQ(withSchemeValue(chosen, 0, "scaling", std::nullopt), start);
  const Experiment given = withSchemeValue(withSchemeValue(start, 0, "factor", 2.0), 0, "scaling", proportional);
  EXPECT_EQ(factor(given), Value(2.0));
  // 4 is the default beside other scalings; here it is a choice like any other, and stays one.
  const Experiment four = withSchemeValue(chosen, 0, "factor", 4.0);
  EXPECT_EQ(factor(four), Value(4.0));
  EXPECT_EQ(factor(withSchemeValue(four, 0, "base", 500.0)), Value(4.0));
}

TEST(Edits, putsArraysWhereSessionsNameThem) {
  Experiment e;
  e = withScheme(e, "learned");
  const Array table = makeArray({512, 512}, std::vector<double>(512 * 512, 0.5), "t.npy");
  const Expected<Experiment> with = withArray(e, "schemes[0].table", table);
  ASSERT_TRUE(with) << with.error().message.en;
  EXPECT_EQ(std::get<Array>(with->schemes[0].values.at("table")), table);
  const Expected<Experiment> content = withArray(e, "content.q", table);
  ASSERT_TRUE(content) << content.error().message.en;
  EXPECT_EQ(content->content.q, table);
  for (const char* where : {"schemes[7].table", "schemes[0].nothing", "elsewhere", "content.nothing"})
    EXPECT_EQ(withArray(e, where, table).error().code, ErrorCode::unknown_name) << where;
}

TEST(Edits, theSizesFollowTheAxesOfGivenAttention) {
  Experiment e = withContentValue({}, "source", std::string("attention"));
  const Shape before = e.shape;
  // [key, query, head], causal
  const Array turned = makeArray({2, 2, 1}, {1, 0.5, 0, 0.5}, "t.npy");
  e = *withArray(std::move(e), "content.attention", turned);
  EXPECT_EQ(e.shape, before) << "with the usual axes there would be more queries than keys";
  e = withContentValue(std::move(e), "attention_axes", std::string("key, query"));
  EXPECT_EQ(e.shape, before) << "not yet all axes";
  e = withContentValue(std::move(e), "attention_axes", std::string("key,query,head"));
  EXPECT_EQ(e.shape.seq_len, 2);
  EXPECT_EQ(e.shape.num_heads, 1);
  EXPECT_TRUE(e.mask.causal);
  EXPECT_TRUE(checkExperiment(withScheme(e, "none")));

  e.mask.causal = false;
  e = *withArray(std::move(e), "content.attention", turned);
  EXPECT_FALSE(e.mask.causal) << "beside the same sizes the mask that was chosen stays";
  const Array layers = makeArray({3, 1, 2, 2}, {1, 0, 0.5, 0.5, 1, 0, 0.5, 0.5, 1, 0, 0.5, 0.5}, "l.npy");
  e = withContentValue(std::move(e), "attention_axes", std::string());
  e = *withArray(std::move(e), "content.attention", layers);
  e = withContentValue(std::move(e), "attention_axes", std::string("layer,head,query,key"));
  EXPECT_EQ(e.shape.num_layers, 3);
  e.shape.layer = 2;
  e = withContentValue(std::move(e), "attention_axes", std::string("batch,head,query,key"));
  EXPECT_EQ(e.shape.num_layers, 1);
  EXPECT_EQ(e.shape.layer, 0) << "which must be there";
}

TEST(Edits, theMaskFollowsWhatGivenAttentionIsSaidToHold) {
  Experiment e = withContentValue({}, "source", std::string("attention"));
  e = *withArray(std::move(e), "content.attention", makeArray({1, 2, 2}, {0.5, 0, 0.25, 0.25}, "c.npy"));
  EXPECT_FALSE(e.mask.causal) << "logits, by their sums";
  e = withContentValue(std::move(e), "attention_kind", std::string("weights"));
  EXPECT_TRUE(e.mask.causal);
  EXPECT_EQ(e.shape.seq_len, 2);
}

TEST(Edits, aChosenRuleTakesThePlaceOfCellsMaskedOneByOne) {
  Experiment e = withContentValue({}, "source", std::string("attention"));
  e.mask.blocked = {0, 1, 0, 0};
  EXPECT_TRUE(withMaskValue(e, "mask", std::string("causal")).mask.blocked.empty());
}

TEST(Edits, aFoundArrayGoesToEveryParameterThatWaitsForIt) {
  Experiment e = withScheme(withScheme({}, "rope"), "learned");
  e.schemes[1].values["table"] = Array{{}, nullptr, "gone.npy"};
  e = withoutScheme(withDuplicate(std::move(e), 1), 0);
  const Array table = makeArray({512, 512}, std::vector<double>(512 * 512, 0.5), "t.npy");
  const Expected<Experiment> found = withFound(e, "gone.npy", table);
  ASSERT_TRUE(found) << found.error().message.en;
  for (const SchemeChoice& choice : found->schemes) EXPECT_EQ(std::get<Array>(choice.values.at("table")), table);
  EXPECT_EQ(withFound(e, "other.npy", table).error().code, ErrorCode::unknown_name);
  EXPECT_EQ(withFound(*found, "gone.npy", table).error().code, ErrorCode::unknown_name);
  EXPECT_FALSE(withFound(e, "gone.npy", makeArray({2, 3}, {1, 2, 3, 4, 5, 6}))) << "a table of another width";
  EXPECT_TRUE(withSchemeDefaults(e, 0).schemes[0].values.empty());
}

TEST(Edits, shiftedWindowsThatAreChosenAreShifted) {
  const Experiment chosen = withMaskValue(startExperiment(), "mask", std::string("shifted"));
  EXPECT_EQ(chosen.mask.side, 8);
  EXPECT_EQ(chosen.mask.shift, 4);
  EXPECT_EQ(withMaskValue(chosen, "window_shift", 0.0).mask.shift, 0) << "plain windows can be had";
}

TEST(Edits, paddingThatIsSwitchedOnIsSeenAtOnce) {
  const Experiment start = withShapeValue(startExperiment(), "seq_len", 64.0);
  const Experiment padded = withMaskValue(start, "padding", std::string("start"));
  EXPECT_EQ(padded.mask.padding, Mask::Padding::start);
  EXPECT_EQ(padded.mask.padded_keys, 8);
  const Experiment none = withMaskValue(padded, "padded_keys", 0.0);
  EXPECT_EQ(none.mask.padding, Mask::Padding::start) << "the rows of the form must not go while one of them is dragged";
  EXPECT_EQ(withMaskValue(padded, "padding", std::string("none")).mask.padding, Mask::Padding::none);
}

}  // namespace
}  // namespace posiscope::ui
