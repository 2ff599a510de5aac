// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/model.h"
#include "core/schemes/list.h"

#include <gtest/gtest.h>
#include <set>

namespace posiscope::models {
namespace {

TEST(Presets, everyOneIsALegalExperiment) {
  std::set<std::string> ids;
  for (const Preset& preset : presets()) {
    EXPECT_TRUE(ids.insert(preset.id).second) << preset.id;
    EXPECT_FALSE(preset.name.empty() || preset.source.empty()) << preset.id;
    EXPECT_GT(preset.train_length, 0) << preset.id;
    const Experiment e = experimentOf(preset);
    const Outcome ok = checkExperiment(e);
    EXPECT_TRUE(ok) << preset.id << ": " << (ok ? "" : ok.error().message.en);
    ASSERT_EQ(e.schemes.size(), 1U) << preset.id;
    EXPECT_EQ(e.schemes[0].id, preset.scheme.id);
    EXPECT_EQ(e.schemes[0].values, preset.scheme.values) << preset.id;
  }
}

TEST(Presets, namesSayTheSameInEveryLanguage) {
  for (const Preset& preset : presets())
    for (const char* word : {"(", "with", "vision", "encoder", "default", "pixels"})
      EXPECT_EQ(preset.name.find(word), std::string::npos) << preset.name;
}

TEST(Presets, theModelsOfThisVersionAreThere) {
  for (const char* id :
       {"gpt-2", "bert-base", "llama-2-7b", "llama-3.1-8b", "llama-3.2-1b", "mistral-7b-v0.1", "mistral-7b-v0.3",
        "bloom-7b1", "t5-v1.1-base", "gpt-j-6b", "gpt-neox-20b", "qwen2-7b", "code-llama-7b", "phi-2"})
    EXPECT_NE(findPreset(id), nullptr) << id;
  EXPECT_EQ(findPreset("gpt-5"), nullptr);
}

TEST(Presets, theStartExperimentIsLlama31) {
  const Experiment start = startExperiment();
  const Preset* preset = findPreset("llama-3.1-8b");
  ASSERT_TRUE(preset);
  EXPECT_EQ(preset->shape, start.shape);
  EXPECT_EQ(preset->mask, start.mask);
  EXPECT_EQ(preset->train_length, start.train_length);
  EXPECT_EQ(preset->scheme.values, start.schemes.at(1).values);
}

TEST(Presets, layersAndPartsThatDiffer) {
  const auto encoded = [](const char* id, std::int64_t layer) {
    const Preset* preset = findPreset(id);
    Shape shape = preset->shape;
    shape.layer = layer;
    return *schemes::find(preset->scheme.id)->encode_double(preset->scheme.values, shape);
  };
  EXPECT_EQ(encoded("gemma-3-4b", 5).reach.window, -1);
  EXPECT_EQ(encoded("gemma-3-4b", 6).reach.window, 1023);
  EXPECT_EQ(encoded("gemma-3-4b", 5).rotation->frequencyOf(0, 0, 0), 1.0 / 8);
  EXPECT_EQ(encoded("modernbert-base", 3).reach.window, -1);
  EXPECT_EQ(encoded("modernbert-base", 4).reach.window, 64);
  EXPECT_FALSE(encoded("llama-4", 3).rotation);
  EXPECT_EQ(encoded("llama-4", 0).reach.chunk, 8192);
  EXPECT_FALSE(encoded("smollm3", 7).rotation);
  EXPECT_FALSE(encoded("smollm3", 0).reach.isLimited());
  EXPECT_EQ(encoded("gpt-oss-20b", 0).reach.window, 127);
  EXPECT_FALSE(encoded("gpt-oss-20b", 1).reach.isLimited());
  EXPECT_NEAR(encoded("deepseek-v3", 0).logit_scale, 0.1352338, 5e-8);
  EXPECT_EQ(encoded("qwen2-vl-7b", 0).rotation->axes, 3);
  EXPECT_EQ(encoded("dinov3-vits16", 0).rotation->axes, 2);
}

TEST(Presets, factsOfAFew) {
  const Preset* gpt2 = findPreset("gpt-2");
  EXPECT_EQ(gpt2->shape.seq_len, 1024);
  EXPECT_EQ(gpt2->shape.d_model, 768);
  EXPECT_EQ(gpt2->shape.num_heads, 12);
  EXPECT_EQ(findPreset("mistral-7b-v0.1")->mask.window, 4095);
  EXPECT_EQ(findPreset("mistral-7b-v0.3")->mask.window, -1);
  const auto rotated = [](const char* id) {
    const Preset* preset = findPreset(id);
    return schemes::find("rope")->encode(preset->scheme.values, preset->shape)->rotation->rotary_dim;
  };
  EXPECT_EQ(rotated("gpt-j-6b"), 64);
  EXPECT_EQ(rotated("gpt-neox-20b"), 24);
  EXPECT_EQ(rotated("phi-2"), 32);
  EXPECT_EQ(rotated("stablelm-3b"), 20);
  EXPECT_EQ(rotated("llama-2-7b"), 128);
}

}  // namespace
}  // namespace posiscope::models
