// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/model.h"
#include "core/schemes/list.h"
#include "tests/support/shared.h"

#include <gtest/gtest.h>
#include <cmath>
#include <cstdlib>
#include <filesystem>

namespace posiscope::models {
namespace {

/// Models that were really trained; they are not part of the project.
class RealModels : public testing::Test {
 protected:
  void SetUp() override {
    folder = test::modelsPath();
    const char* ci = std::getenv("CI");
    if (!folder.empty()) return;
    if (ci && std::string(ci) == "true") FAIL() << "the models are missing: set POSISCOPE_MODELS to their folder";
    GTEST_SKIP() << "the real models are not here; set POSISCOPE_MODELS to their folder to run this test";
  }
  Inspection look(const std::string& name) const {
    const auto result = inspect(folder + "/" + name);
    EXPECT_TRUE(result) << (result ? "" : result.error().message.en);
    return result ? *result : Inspection{};
  }

  std::string folder;
};

TEST_F(RealModels, gptNanoSortShowsItsTable) {
  const Inspection i = look("gpt-nano-sort");
  EXPECT_EQ(i.model_type, "gpt2");
  ASSERT_EQ(i.schemes.size(), 1u);
  EXPECT_EQ(i.schemes[0].id, "learned");
  EXPECT_EQ(i.positional, std::vector<std::string>{"transformer.wpe.weight"});
  EXPECT_EQ(i.shape.seq_len, 11);
  EXPECT_EQ(i.shape.d_model, 48);
  EXPECT_EQ(i.shape.num_heads, 3);
  EXPECT_EQ(i.shape.num_layers, 3);
  EXPECT_EQ(i.train_length, 11);
  EXPECT_TRUE(i.notes.empty());
  const auto encoding = schemes::find("learned")->encode_double(i.schemes[0].values, i.shape);
  ASSERT_TRUE(encoding) << encoding.error().message.en;
  const auto stored = files::readArray(folder + "/gpt-nano-sort/model.safetensors#transformer.wpe.weight");
  ASSERT_TRUE(stored);
  ASSERT_EQ(stored->shape, (std::vector<std::int64_t>{11, 48}));
  EXPECT_EQ(encoding->input.table.values, *stored->values);
  double square = 0;
  for (const double v : *stored->values) square += v * v;
  EXPECT_GT(square, 0.1) << "a trained table is not empty";
}

TEST_F(RealModels, stories260KAgreesWithItsCheckpoint) {
  const Inspection i = look("stories260K");
  EXPECT_EQ(i.model_type, "llama");
  ASSERT_EQ(i.schemes.size(), 1u);
  EXPECT_EQ(i.schemes[0], (SchemeChoice{"rope", {{"pairing", std::string("half")}}, "", 0, true}))
      << "base 10000 is the default";
  EXPECT_EQ(i.shape.head_dim, 8);
  EXPECT_EQ(i.shape.num_heads, 8);
  EXPECT_EQ(i.shape.num_kv_heads, 4);
  EXPECT_EQ(i.shape.seq_len, 512);
  EXPECT_TRUE(i.mask.causal);
  const auto encoding = schemes::find("rope")->encode_double(i.schemes[0].values, i.shape);
  ASSERT_TRUE(encoding && encoding->rotation);
  ASSERT_EQ(encoding->rotation->pairs(), 4);
  const auto cosine = files::readNpy(folder + "/stories260K/rotary_cos_from_checkpoint.npy");
  const auto sine = files::readNpy(folder + "/stories260K/rotary_sin_from_checkpoint.npy");
  ASSERT_TRUE(cosine && sine);
  ASSERT_EQ(cosine->shape, (std::vector<std::int64_t>{512, 4}));
  double worst = 0;
  for (std::int64_t t = 0; t < 512; ++t)
    for (std::int64_t p = 0; p < 4; ++p) {
      const double angle = encoding->rotation->angle(0, t, p);
      worst = std::max({worst, std::abs(std::cos(angle) - cosine->data()[t * 4 + p]),
                        std::abs(std::sin(angle) - sine->data()[t * 4 + p])});
    }
  EXPECT_LT(worst, 3e-6);
}

TEST_F(RealModels, bertRandomIsALearnedTable) {
  const Inspection i = look("bert-random");
  ASSERT_EQ(i.schemes.size(), 1u);
  EXPECT_EQ(i.schemes[0].id, "learned");
  EXPECT_EQ(std::get<Array>(i.schemes[0].values.at("table")).shape, (std::vector<std::int64_t>{24, 32}));
  EXPECT_FALSE(i.mask.causal);
}

TEST_F(RealModels, everyFileIsReadWithoutANoteOfTrouble) {
  int arrays = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".npy") continue;
    const auto array = files::readNpy(entry.path().string());
    EXPECT_TRUE(array) << entry.path() << (array ? "" : array.error().message.en);
    EXPECT_TRUE(inspect(entry.path().string()));
    ++arrays;
  }
  EXPECT_GE(arrays, 15);
}

}  // namespace
}  // namespace posiscope::models
