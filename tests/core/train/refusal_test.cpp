// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a person can ask for and not get: a sentence, never a wrong number.
#include "core/train/check.h"
#include "tests/core/train/small_model.h"

namespace posiscope::train {
namespace {

ErrorCode codeOf(const ModelSpec& spec) {
  const auto model = Model<float>::create(spec);
  EXPECT_FALSE(model);
  return model ? ErrorCode::cancelled : model.error().code;
}

TEST(Refusal, SequencesLongerThanATable) {
  for (const char* scheme : {"learned", "hybrid"}) {
    auto model = Model<float>::create(smallSpec(scheme, {{"rows", 5.0}}));
    ASSERT_TRUE(model) << scheme;
    EXPECT_TRUE(model->forward(scatteredBatch(model->spec(), 2, 5))) << scheme;
    const Outcome refused = model->forward(scatteredBatch(model->spec(), 2, 6));
    ASSERT_FALSE(refused) << scheme;
    EXPECT_EQ(refused.error().code, ErrorCode::past_table);
    EXPECT_NE(refused.error().message.en.find("6"), std::string::npos);
    // The model goes on with what fits.
    EXPECT_TRUE(model->forward(scatteredBatch(model->spec(), 2, 4))) << scheme;
  }
}

TEST(Refusal, GridsLargerThanATableAndTextWithoutAGrid) {
  auto model = Model<float>::create(encoder(smallSpec("learned_2d", {{"rows", 2.0}, {"columns", 2.0}})));
  ASSERT_TRUE(model);
  EXPECT_EQ(model->forward(scatteredBatch(model->spec())).error().code, ErrorCode::past_table);
  Batch text = scatteredBatch(model->spec());
  text.grid.reset();
  EXPECT_EQ(model->forward(text).error().code, ErrorCode::bad_shape);
}

TEST(Refusal, SchemesThatAreNotTrainedYetAndNamesNobodyKnows) {
  EXPECT_EQ(codeOf(smallSpec("swin_v2")), ErrorCode::not_supported);
  EXPECT_EQ(codeOf(smallSpec("no_such")), ErrorCode::unknown_name);
  EXPECT_EQ(codeOf(smallSpec("alibi", {{"no_such", 1.0}})), ErrorCode::unknown_name);
}

TEST(Refusal, AConvolutionThatWouldReadAhead) { EXPECT_EQ(codeOf(smallSpec("conditional")), ErrorCode::bad_shape); }

TEST(Refusal, SizesThatDoNotFit) {
  ModelSpec spec = smallSpec("none");
  spec.num_heads = 3;
  EXPECT_EQ(codeOf(spec), ErrorCode::bad_shape);
  spec = smallSpec("none");
  spec.d_model = 0;
  EXPECT_EQ(codeOf(spec), ErrorCode::out_of_range);
  spec = smallSpec("none");
  spec.tied = true;
  spec.classes = 3;
  EXPECT_EQ(codeOf(spec), ErrorCode::bad_shape);
  EXPECT_EQ(codeOf(smallSpec("rope", {{"rotary_dim", 3.0}})), ErrorCode::bad_shape);
}

TEST(Refusal, BatchesOutsideTheVocabulary) {
  auto model = Model<float>::create(smallSpec("none"));
  Batch batch = scatteredBatch(model->spec());
  batch.tokens[3] = 7;
  EXPECT_EQ(model->forward(batch).error().code, ErrorCode::out_of_range);
  // Also when a batch of the same size has gone through before.
  batch.tokens[3] = 6;
  ASSERT_TRUE(model->forward(batch));
  batch.tokens[3] = -1;
  EXPECT_FALSE(model->forward(batch));
}

TEST(Refusal, ConstantsThatNeedOtherParameters) {
  auto model = Model<float>::create(smallSpec("learned", {{"rows", 5.0}}));
  EXPECT_EQ(model->setPosition({"learned", {{"rows", 6.0}}}).error().code, ErrorCode::bad_shape);
  EXPECT_EQ(model->setPosition({"none", {}}).error().code, ErrorCode::bad_shape);
}

}  // namespace
}  // namespace posiscope::train
