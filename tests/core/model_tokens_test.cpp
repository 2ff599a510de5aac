// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model_tokens.h"

#include "core/compute.h"
#include "core/files/reader.h"
#include "core/models/model.h"
#include "tests/support/small_model.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

namespace posiscope {
namespace {

/// A model with ten ids, opened, its own attention asked for.
class ModelTokens : public ::testing::Test {
 protected:
  ModelTokens() {
    folder.write("m/config.json", test::smallLlamaConfig());
    folder.write("m/model.safetensors", test::smallModel(test::smallLlama()));
    e = models::experimentOf(*models::inspect(folder.file("m")), Experiment{});
    e.content.source = ContentSource::model;
    e.content.model = folder.file("m");
    e.shape.seq_len = 12;
  }
  void writeTokens(const Array& ids) { ASSERT_TRUE(files::writeNpy(folder.file("m/tokens.npy"), ids)); }
  std::string scopeOf(const std::string& measure) const {
    const auto result = compute({e, {{measure, {}}}}, Job{});
    const auto& dataset = (*result)->answers[0][0].dataset;
    EXPECT_TRUE(dataset) << measure << ": " << (dataset ? "" : dataset.error().message.en);
    return dataset ? (*dataset)->scope.en : "";
  }

  test::TemporaryFolder folder;
  Experiment e;
};

TEST_F(ModelTokens, areThoseOfTheFileBesideTheWeights) {
  EXPECT_EQ(tokenFileBeside(e.content), "");
  writeTokens(makeArray({3}, {0, 9, 4}));
  EXPECT_EQ(tokenFileBeside(e.content), folder.file("m/tokens.npy"));
  const Expected<Array> ids = tokensBeside(e.content);
  ASSERT_TRUE(ids) << ids.error().message.en;
  EXPECT_EQ(*ids->values, (std::vector<double>{0, 9, 4}));
  e.content.model = folder.file("m/config.json");
  EXPECT_EQ(tokenFileBeside(e.content), folder.file("m/tokens.npy"));
}

TEST_F(ModelTokens, areNoneWhereTheFileHoldsNoIdsOfTheModel) {
  for (const auto& [ids, code] : {std::pair{makeArray({2}, {0, 10}), ErrorCode::out_of_range},
                                  {makeArray({2}, {-1, 1}), ErrorCode::out_of_range},
                                  {makeArray({2}, {0.5, 1}), ErrorCode::out_of_range},
                                  {makeArray({1, 2}, {0, 1}), ErrorCode::bad_shape}}) {
    writeTokens(ids);
    const Expected<Array> found = tokensBeside(e.content);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, code) << found.error().message.en;
  }
}

TEST_F(ModelTokens, drawnOnesAreNamedByEveryMeasureOfARun) {
  for (const char* measure : {"attention_weights", "attention_by_offset", "heads", "head_kinds", "loss_by_position"})
    EXPECT_NE(scopeOf(measure).find("tokens drawn from the seed"), std::string::npos) << measure;
  EXPECT_NE(scopeOf("heads").find("m, layer 0, "), std::string::npos);
  EXPECT_NE(scopeOf("loss_by_position").find("m, all 2 layers, "), std::string::npos);
  e.content.token_ids = "1 2 3 4 5 6 7 8 9 0 1 2";
  for (const char* measure : {"heads", "head_kinds", "loss_by_position"})
    EXPECT_EQ(scopeOf(measure).find("drawn"), std::string::npos) << measure;
}

}  // namespace
}  // namespace posiscope
