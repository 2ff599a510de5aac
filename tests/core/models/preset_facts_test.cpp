// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is known of each released model, asked of its entry: sizes, and what its scheme then does.
#include "core/models/model.h"
#include "core/schemes/list.h"
#include "tests/support/encoded.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace posiscope::models {
namespace {

const Preset& preset(const std::string& id) {
  const Preset* found = findPreset(id);
  EXPECT_TRUE(found) << id;
  static const Preset none{};
  return found ? *found : none;
}

Encoding<double> encoded(const std::string& id, std::int64_t layer = -1) {
  const Preset& p = preset(id);
  Shape shape = p.shape;
  if (layer >= 0) shape.layer = layer;
  return test::encoded(p.scheme.id, p.scheme.values, shape);
}

struct Sizes {
  const char* id;
  std::int64_t width, heads, head_dim, longest;
  double trained;
};

TEST(PresetFacts, sizesAndLengths) {
  const Sizes facts[] = {
      {"gpt-2", 768, 12, 64, 1024, 1024},
      {"bert-base", 768, 12, 64, 512, 512},
      {"roberta-base", 768, 12, 64, 512, 512},
      {"arctic-embed-m", 768, 12, 64, 512, 512},
      {"bloom-7b1", 4096, 32, 128, 2048, 2048},
      {"mpt-7b", 4096, 32, 128, 2048, 2048},
      {"t5-v1.1-base", 768, 12, 64, 512, 512},
      {"umt5-xxl", 4096, 64, 64, 512, 512},
      {"deberta-v3-xsmall", 384, 6, 64, 512, 512},
      {"deberta-v2-base", 768, 12, 64, 512, 512},
      {"llama-1-7b", 4096, 32, 128, 2048, 2048},
      {"llama-2-7b", 4096, 32, 128, 4096, 4096},
      {"code-llama-7b", 4096, 32, 128, 16384, 16384},
      {"llama-3-8b", 4096, 32, 128, 8192, 8192},
      {"llava-1.5-7b", 4096, 32, 128, 4096, 4096},
      {"smollm2-135m", 576, 9, 64, 8192, 8192},
      {"baichuan2-7b", 4096, 32, 128, 4096, 4096},
      {"mistral-7b-v0.1", 4096, 32, 128, 32768, 32768},
      {"mistral-7b-v0.3", 4096, 32, 128, 32768, 32768},
      {"mixtral-8x7b", 4096, 32, 128, 32768, 32768},
      {"mistral-nemo", 5120, 32, 128, 131072, 131072},
      {"command-r", 8192, 64, 128, 8192, 8192},
      {"olmo-2-7b", 4096, 32, 128, 4096, 4096},
      {"redpajama-3b", 2560, 32, 80, 2048, 2048},
      {"phi-3-mini-4k", 3072, 32, 96, 4096, 4096},
      {"qwen2-7b", 3584, 28, 128, 32768, 32768},
      {"qwen2.5-7b", 3584, 28, 128, 32768, 32768},
      {"qwen3-0.6b", 1024, 16, 128, 40960, 32768},
      {"gemma-2b", 2048, 8, 256, 8192, 8192},
      {"gpt-j-6b", 4096, 16, 256, 2048, 2048},
      {"gpt-neox-20b", 6144, 64, 96, 2048, 2048},
      {"pythia-6.9b", 4096, 32, 128, 2048, 2048},
      {"phi-2", 2560, 32, 80, 2048, 2048},
      {"stablelm-3b", 2560, 32, 80, 4096, 4096},
      {"persimmon-8b", 4096, 64, 64, 16384, 16384},
      {"chatglm3-6b", 4096, 32, 128, 8192, 8192},
      {"glm-4-9b", 4096, 32, 128, 32768, 32768},
      {"llama-3.1-8b", 4096, 32, 128, 131072, 8192},
      {"llama-3.2-1b", 2048, 32, 64, 131072, 8192},
      {"llama-3.2-3b", 3072, 24, 128, 131072, 8192},
      {"llama-3.3-70b", 8192, 64, 128, 131072, 8192},
      {"qwen2.5-7b-yarn", 3584, 28, 128, 131072, 32768},
      {"qwen3-0.6b-yarn", 1024, 16, 128, 131072, 32768},
      {"qwq-32b-yarn", 5120, 40, 128, 131072, 32768},
      {"internlm2.5-7b", 4096, 32, 128, 32768, 32768},
      {"minicpm-2b-128k", 2304, 36, 64, 65536, 65536},
      {"phi-3-mini-128k", 3072, 32, 96, 131072, 4096},
      {"phi-3.5-mini", 3072, 32, 96, 131072, 4096},
      {"phi-3.5-v", 3072, 32, 96, 131072, 4096},
      {"phi-4-mini", 3072, 24, 128, 131072, 4096},
      {"gemma-3-1b", 1152, 4, 256, 32768, 32768},
      {"gemma-3-4b", 2560, 8, 256, 131072, 131072},
      {"gemma-3-27b", 5376, 32, 128, 131072, 131072},
      {"modernbert-base", 768, 12, 64, 8192, 8192},
      {"deepseek-v2-lite", 2048, 16, 192, 163840, 4096},
      {"deepseek-v2", 5120, 128, 192, 163840, 4096},
      {"deepseek-v3", 7168, 128, 192, 163840, 4096},
      {"gemma-2-9b", 3584, 16, 256, 8192, 8192},
      {"gemma-2-27b", 4608, 32, 128, 8192, 8192},
      {"gpt-oss-20b", 2880, 64, 64, 131072, 4096},
      {"llama-4", 5120, 40, 128, 131072, 131072},
      {"smollm3", 2048, 16, 128, 32768, 32768},
      {"ministral-3-3b", 3072, 32, 128, 262144, 16384},
      {"qwen-1.8b", 2048, 16, 128, 8192, 8192},
      {"vit-b-16", 768, 12, 64, 197, 197},
      {"clip-vit-b-32", 768, 12, 64, 50, 50},
      {"clip-text", 512, 8, 64, 77, 77},
      {"clip-vit-l-14-336", 1024, 16, 64, 577, 577},
      {"qwen3-vl-vit", 1152, 16, 72, 2304, 2304},
      {"swin-tiny", 96, 3, 32, 3136, 3136},
      {"dinov3-vits16", 384, 6, 64, 201, 201},
      {"pixtral-vision", 1024, 16, 64, 1024, 4096},
      {"ministral-3-vision", 1024, 16, 64, 12100, 12100},
      {"qwen2-vl-vit", 1280, 16, 80, 1024, 1024},
      {"qwen2-vl-7b", 3584, 28, 128, 32768, 32768},
      {"qwen3-vl-8b", 4096, 32, 128, 262144, 262144},
      {"whisper-tiny-audio", 384, 6, 64, 1500, 1500},
      {"whisper-tiny-text", 384, 6, 64, 448, 448},
  };
  std::set<std::string> seen;
  for (const Sizes& f : facts) {
    const Preset& p = preset(f.id);
    EXPECT_EQ(p.shape.d_model, f.width) << f.id;
    EXPECT_EQ(p.shape.num_heads, f.heads) << f.id;
    EXPECT_EQ(p.shape.head_dim, f.head_dim) << f.id;
    EXPECT_EQ(p.shape.seq_len, f.longest) << f.id;
    EXPECT_EQ(p.train_length, f.trained) << f.id;
    seen.insert(f.id);
  }
  for (const Preset& p : presets()) EXPECT_TRUE(seen.contains(p.id)) << p.id << " has facts that nothing checks";
}

struct Turn {
  const char* id;
  double base;
  std::int64_t width;  ///< dimensions of a head that turn
  Pairing pairing = Pairing::half;
};

/// Unscaled rotations: the last frequency is base^(−(r − 2)/r).
TEST(PresetFacts, plainRotations) {
  const Turn facts[] = {
      {"llama-1-7b", 1e4, 128},
      {"llama-2-7b", 1e4, 128},
      {"code-llama-7b", 1e6, 128},
      {"llama-3-8b", 5e5, 128},
      {"llava-1.5-7b", 1e4, 128},
      {"smollm2-135m", 1e5, 64},
      {"baichuan2-7b", 1e4, 128},
      {"mistral-7b-v0.1", 1e4, 128},
      {"mistral-7b-v0.3", 1e6, 128},
      {"mixtral-8x7b", 1e6, 128},
      {"mistral-nemo", 1e6, 128},
      {"command-r", 8e6, 128, Pairing::interleaved},
      {"olmo-2-7b", 5e5, 128},
      {"redpajama-3b", 1e4, 80},
      {"phi-3-mini-4k", 1e4, 96},
      {"qwen2-7b", 1e6, 128},
      {"qwen2.5-7b", 1e6, 128},
      {"qwen3-0.6b", 1e6, 128},
      {"gemma-2b", 1e4, 256},
      {"gpt-j-6b", 1e4, 64, Pairing::interleaved},
      {"gpt-neox-20b", 1e4, 24},
      {"pythia-6.9b", 1e4, 32},
      {"phi-2", 1e4, 32},
      {"stablelm-3b", 1e4, 20},
      {"persimmon-8b", 1e4, 32},
      {"chatglm3-6b", 1e4, 64, Pairing::interleaved},
      {"glm-4-9b", 1e4, 64, Pairing::interleaved},
      {"gemma-3-1b", 1e6, 256},
      {"gemma-2-9b", 1e4, 256},
      {"gemma-2-27b", 1e4, 128},
      {"llama-4", 5e5, 128, Pairing::interleaved},
      {"smollm3", 2e6, 128},
      {"qwen-1.8b", 1e4, 128},
  };
  for (const Turn& f : facts) {
    const Encoding<double> e = encoded(f.id);
    ASSERT_TRUE(e.rotation) << f.id;
    EXPECT_EQ(e.rotation->rotary_dim, f.width) << f.id;
    EXPECT_EQ(e.rotation->pairing, f.pairing) << f.id;
    const double r = static_cast<double>(f.width);
    EXPECT_NEAR(e.rotation->frequency.back() * std::pow(f.base, (r - 2) / r), 1, 1e-12) << f.id;
    EXPECT_EQ(e.rotation->attention_factor, 1) << f.id;
  }
}

TEST(PresetFacts, stretchedRotations) {
  const auto last = [](const char* id) { return encoded(id).rotation->frequency.back(); };
  const auto ratio = [&](const char* id, double base, double width) {
    return std::pow(base, -(width - 2) / width) / last(id);
  };
  EXPECT_NEAR(ratio("llama-3.1-8b", 5e5, 128), 8, 1e-12);
  EXPECT_NEAR(ratio("llama-3.3-70b", 5e5, 128), 8, 1e-12);
  EXPECT_NEAR(ratio("llama-3.2-1b", 5e5, 64), 32, 1e-12);
  EXPECT_NEAR(ratio("llama-3.2-3b", 5e5, 128), 32, 1e-12);
  // What stays and what is blended, as the model's own code prints it.
  const Encoding<double> small = encoded("llama-3.2-1b");
  EXPECT_NEAR(small.rotation->frequency[15], 0.00129054793, 5e-12);
  EXPECT_NEAR(small.rotation->frequency[17], 0.0000970828780, 5e-14);
  for (const char* id : {"qwen2.5-7b-yarn", "qwen3-0.6b-yarn", "qwq-32b-yarn"}) {
    EXPECT_NEAR(ratio(id, 1e6, 128), 4, 1e-12) << id;
    EXPECT_NEAR(encoded(id).rotation->attention_factor, 1.138629, 5e-7) << id;
  }
  EXPECT_NEAR(ratio("ministral-3-3b", 1e6, 128), 16, 1e-12);
  EXPECT_EQ(encoded("ministral-3-3b").rotation->attention_factor, 1) << "both mscales are 1";
  EXPECT_NEAR(ratio("gpt-oss-20b", 15e4, 64), 32, 1e-12);
  EXPECT_NEAR(encoded("gpt-oss-20b").rotation->attention_factor, 1.346574, 5e-7);
  for (const char* id : {"deepseek-v2-lite", "deepseek-v2", "deepseek-v3"}) {
    EXPECT_NEAR(ratio(id, 1e4, 64), 40, 1e-12) << id;
    EXPECT_EQ(encoded(id).rotation->first_dim, 128) << id;
  }
  EXPECT_NEAR(encoded("deepseek-v2-lite").logit_scale * std::sqrt(192), 1.589626, 5e-7);
  EXPECT_NEAR(encoded("deepseek-v3").logit_scale * std::sqrt(192), 1.873854, 5e-7);
}

TEST(PresetFacts, dynamicBasesGrowBeyondTheTrainedLength) {
  const auto base_at = [](const char* id, std::int64_t length) {
    const Preset& p = preset(id);
    Shape shape = p.shape;
    shape.seq_len = length;
    const double r = static_cast<double>(shape.head_dim);
    const double last = test::encoded(p.scheme.id, p.scheme.values, shape).rotation->frequency.back();
    return std::pow(last, -r / (r - 2));
  };
  EXPECT_NEAR(base_at("internlm2.5-7b", 32768), 1e6, 1e-3);
  EXPECT_NEAR(base_at("internlm2.5-7b", 65536) / (1e6 * std::pow(3, 128.0 / 126)), 1, 1e-12);
  EXPECT_NEAR(base_at("minicpm-2b-128k", 65536), 1e6, 1e-3);
  EXPECT_NEAR(base_at("minicpm-2b-128k", 131072) / (1e6 * std::pow(5, 64.0 / 62)), 1, 1e-12);
}

TEST(PresetFacts, longropeKnowsItsLengthsAndAsksForItsLists) {
  for (const char* id : {"phi-3-mini-128k", "phi-3.5-mini", "phi-3.5-v", "phi-4-mini"}) {
    const Encoding<double> e = encoded(id);
    EXPECT_EQ(e.rotation->rotary_dim, 96) << id;
    EXPECT_NEAR(e.rotation->attention_factor, 1.190238, 5e-7) << id;
    EXPECT_NE(preset(id).note.en.find("config.json"), std::string::npos) << id;
    EXPECT_NE(preset(id).note.zh.find("config.json"), std::string::npos) << id;
    const std::vector<double> factors(48, 2);
    ParamValues values = preset(id).scheme.values;
    values["short_factor"] = values["long_factor"] = factors;
    EXPECT_TRUE(schemes::find("rope")->check(values, preset(id).shape)) << id;
  }
}

TEST(PresetFacts, queriesAreScaledWhereTheModelsDo) {
  const Encoding<double> rotating = encoded("llama-4", 0), still = encoded("llama-4", 3);
  EXPECT_TRUE(rotating.query_factor.empty());
  ASSERT_EQ(still.query_factor.size(), 131072u);
  EXPECT_EQ(still.query_factor[8190], 1);
  EXPECT_NEAR(still.query_factor[8191], 1.0693147, 5e-8);
  const Encoding<double> ministral = encoded("ministral-3-3b", 5);
  EXPECT_TRUE(ministral.rotation);
  EXPECT_FALSE(ministral.reach.isLimited());
  EXPECT_EQ(ministral.query_factor[16383], 1);
  EXPECT_NEAR(ministral.query_factor[16384], 1.0693147, 5e-8);
  Shape longer = preset("qwen-1.8b").shape;
  longer.seq_len = 32768;
  const Encoding<double> qwen = test::encoded(preset("qwen-1.8b").scheme.id, preset("qwen-1.8b").scheme.values, longer);
  EXPECT_EQ(qwen.query_factor[8191], 1);
  EXPECT_NEAR(qwen.query_factor[32767], std::log(32768) / std::log(8192), 1e-15);
}

TEST(PresetFacts, tablesHaveTheirRows) {
  const auto rows = [](const char* id) { return encoded(id).input.tableRows(); };
  for (const auto& [id, count] : {std::pair("gpt-2", 1024),
                                  {"bert-base", 512},
                                  {"roberta-base", 512},
                                  {"vit-b-16", 197},
                                  {"clip-vit-b-32", 50},
                                  {"clip-text", 77},
                                  {"clip-vit-l-14-336", 577},
                                  {"whisper-tiny-text", 448},
                                  {"qwen3-vl-vit", 2304}}) {
    EXPECT_EQ(rows(id), count) << id;
    // One token more than the model has rows is refused.
    Shape longer = preset(id).shape;
    longer.grid_height = longer.grid_width = 0;
    ++longer.seq_len;
    EXPECT_NE(test::refusal("learned", preset(id).scheme.values, longer), "accepted") << id;
  }
  EXPECT_EQ(preset("roberta-base").scheme.values.at("position_offset"), Value(2.0));
  EXPECT_EQ(preset("roberta-base").scheme.values.at("max_positions"), Value(514.0));
  EXPECT_TRUE(preset("clip-text").mask.causal);
  EXPECT_FALSE(preset("clip-vit-b-32").mask.causal);
}

/// Sines, then cosines; the last wavelength is exactly 2π·10000.
TEST(PresetFacts, whispersSinusoids) {
  const Encoding<double> e = encoded("whisper-tiny-audio");
  ASSERT_EQ(e.input.tableCols(), 384);
  std::vector<double> room;
  const std::vector<double> row(e.input.tableBlock(1000, 1001, room).row(0).begin(),
                                e.input.tableBlock(1000, 1001, room).row(0).end());
  EXPECT_NEAR(row[0], std::sin(1000.0), 1e-12);
  EXPECT_NEAR(row[191], std::sin(0.1), 1e-12);
  EXPECT_NEAR(row[192], std::cos(1000.0), 1e-12);
  EXPECT_NEAR(row[383], std::cos(0.1), 1e-12);
}

TEST(PresetFacts, biasesByBucketAndWindow) {
  for (const char* id : {"t5-v1.1-base", "umt5-xxl"}) {
    EXPECT_FALSE(preset(id).mask.causal) << id;
    EXPECT_EQ(encoded(id).logits.lookup.rows, 32) << id;
    EXPECT_EQ(encoded(id).logit_scale, 1) << id;
    // From distance 128 on, all share the last bucket of their side; 16 are left to each side.
    const RowLookup lookup = encoded(id).logits.lookup;
    EXPECT_EQ(lookup.row(300, 300 - 128), 15) << id;
    EXPECT_EQ(lookup.row(300, 0), 15) << id;
    EXPECT_NE(lookup.row(300, 300 - 64), 15) << id;
  }
  const Encoding<double> swin = encoded("swin-tiny");
  EXPECT_EQ(swin.logits.lookup.rows, 169);
  EXPECT_EQ(swin.logits.patch_bias.present.height, 7);
  for (const char* id : {"deberta-v3-xsmall", "deberta-v2-base"}) {
    const Encoding<double> e = encoded(id);
    EXPECT_EQ(e.logits.lookup.rows, 512) << id;
    EXPECT_NEAR(e.logit_scale, 1 / std::sqrt(3 * 64.0), 1e-15) << id;
  }
}

TEST(PresetFacts, twoKindsOfLayers) {
  EXPECT_EQ(encoded("gemma-3-27b", 5).reach.window, -1);
  EXPECT_EQ(encoded("gemma-3-27b", 6).reach.window, 1023);
  EXPECT_EQ(encoded("gemma-3-1b", 0).reach.window, 511);
  for (const char* id : {"gemma-3-27b", "gemma-3-4b"}) {
    EXPECT_NEAR(encoded(id, 5).rotation->frequency.front(), 1.0 / 8, 1e-15) << id;
    EXPECT_NEAR(encoded(id, 4).rotation->frequency.front(), 1, 1e-15) << id;
  }
  for (const char* id : {"gemma-2-9b", "gemma-2-27b"}) {
    EXPECT_EQ(encoded(id, 0).reach.window, 4095) << id;
    EXPECT_FALSE(encoded(id, 1).reach.isLimited()) << id;
  }
  EXPECT_NEAR(encoded("modernbert-base", 0).rotation->frequency.back() * std::pow(16e4, 62.0 / 64), 1, 1e-12);
  EXPECT_NEAR(encoded("modernbert-base", 1).rotation->frequency.back() * std::pow(1e4, 62.0 / 64), 1, 1e-12);
}

TEST(PresetFacts, picturesTurnByRowAndColumn) {
  for (const auto& [id, side] :
       {std::pair("pixtral-vision", 32), {"ministral-3-vision", 110}, {"qwen2-vl-vit", 32}, {"dinov3-vits16", 14}}) {
    EXPECT_EQ(preset(id).shape.grid_height, side) << id;
    EXPECT_EQ(encoded(id).rotation->axes, 2) << id;
    EXPECT_EQ(encoded(id).rotation->pairing, Pairing::half) << id;
  }
  // The first 20 of 40 pairs by row, the others by column, from the same list.
  const RotationPart turn = *encoded("qwen2-vl-vit").rotation;
  EXPECT_EQ(turn.frequencyOf(0, 0, 19), turn.frequencyOf(0, 1, 39));
  EXPECT_NEAR(turn.frequencyOf(0, 0, 19), std::pow(1e4, -19.0 / 20), 1e-15);
  EXPECT_EQ(turn.frequencyOf(0, 0, 20), 0);
}

/// Pairs of time, height and width: one after another, or every third one.
TEST(PresetFacts, videoTurnsByThreeAxes) {
  const auto axes = [](const char* id) {
    const RotationPart turn = *encoded(id).rotation;
    std::string text;
    for (std::int64_t p = 0; p < turn.pairs(); ++p)
      for (std::int64_t a = 0; a < 3; ++a)
        if (turn.frequencyOf(0, a, p) > 0) text += "THW"[a];
    return text;
  };
  EXPECT_EQ(axes("qwen2-vl-7b"), std::string(16, 'T') + std::string(24, 'H') + std::string(24, 'W'));
  std::string mixed;
  for (int i = 0; i < 20; ++i) mixed += "THW";
  EXPECT_EQ(axes("qwen3-vl-8b"), mixed + "TTTT");
  EXPECT_NEAR(encoded("qwen2-vl-7b").rotation->frequencyOf(0, 2, 63), std::pow(1e6, -126.0 / 128), 1e-15);
  EXPECT_NEAR(encoded("qwen3-vl-8b").rotation->frequencyOf(0, 0, 63), std::pow(5e6, -126.0 / 128), 1e-15);
}

TEST(PresetFacts, notesAreInBothLanguages) {
  for (const Preset& p : presets()) {
    EXPECT_EQ(p.note.en.empty(), p.note.zh.empty()) << p.id;
    EXPECT_TRUE(p.note.en.empty() || (p.note.en.ends_with(".") && p.note.zh.ends_with("。"))) << p.id;
  }
}

}  // namespace
}  // namespace posiscope::models
