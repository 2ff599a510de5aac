// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/preset_parts.h"
#include "core/models/scheme_values.h"

namespace posiscope::models {
namespace {

const std::string half = "half";

/// Gemma 3, ModernBERT: a short base nearby, a long one in every so many layers.
SchemeChoice dual(double global_base, double period, double global_at, double window, ParamValues more = {}) {
  more.insert({{"dual", true},
               {"local_base", 10000.0},
               {"period", period},
               {"global_at", global_at},
               {"local_window", window}});
  return ropeChoice(global_base, std::move(more));
}

std::vector<Preset> dualModels() {
  Shape gemma_4b = modelShape(131072, 2560, 8, 4, 256, 34);
  gemma_4b.layer = 5;  // the first global one
  Shape gemma_1b = modelShape(32768, 1152, 4, 1, 256, 26);
  gemma_1b.layer = 5;
  return {
      {"gemma-3-1b", "Gemma 3 1B", gemma_1b, causalMask(), 32768, dual(1e6, 6, 5, 511),
       "google/gemma-3-1b-it/config.json; arXiv:2503.19786"},
      {"gemma-3-4b", "Gemma 3 4B", gemma_4b, causalMask(), 131072,
       dual(1e6, 6, 5, 1023, {{"scaling", std::string("linear")}, {"factor", 8.0}}),
       "google/gemma-3-4b-it/config.json; arXiv:2503.19786"},
      {"modernbert-base", "ModernBERT base", modelShape(8192, 768, 12, 0, 64, 22), Mask{}, 8192, dual(160000, 3, 0, 64),
       "answerdotai/ModernBERT-base/config.json; arXiv:2412.13663"},
  };
}

SchemeChoice latent(double mscale) {
  return choiceOf("rope_decoupled", {{"rotary_dim", 64.0},
                                     {"scaling", std::string("yarn")},
                                     {"factor", 40.0},
                                     {"original_length", 4096.0},
                                     {"mscale", mscale},
                                     {"mscale_all_dim", mscale}});
}

std::vector<Preset> latentModels() {
  return {
      {"deepseek-v2-lite", "DeepSeek V2 Lite", modelShape(163840, 2048, 16, 0, 192, 27), causalMask(), 4096,
       latent(0.707), "deepseek-ai/DeepSeek-V2-Lite/config.json; arXiv:2405.04434"},
      {"deepseek-v2", "DeepSeek V2", modelShape(163840, 5120, 128, 0, 192, 60), causalMask(), 4096, latent(0.707),
       "deepseek-ai/DeepSeek-V2/config.json; arXiv:2405.04434"},
      {"deepseek-v3", "DeepSeek V3", modelShape(163840, 7168, 128, 0, 192, 61), causalMask(), 4096, latent(1),
       "deepseek-ai/DeepSeek-V3/config.json; arXiv:2412.19437"},
  };
}

SchemeChoice pattern(double base, ParamValues more) {
  more["base"] = base;
  more.emplace("pairing", half);
  return choiceOf("layer_pattern", std::move(more));
}

/// All layers rotate; every second one looks at everything.
ParamValues alternating(double window) {
  return {{"rope_rule", std::string("all")},
          {"full_rule", std::string("pattern")},
          {"pattern", 2.0},
          {"limit", std::string("window")},
          {"window", window}};
}

std::vector<Preset> patternModels() {
  ParamValues gpt_oss = alternating(127);
  gpt_oss.insert(
      {{"scaling", std::string("yarn")}, {"factor", 32.0}, {"original_length", 4096.0}, {"truncate", false}});
  return {
      {"gemma-2-9b", "Gemma 2 9B", modelShape(8192, 3584, 16, 8, 256, 42), causalMask(), 8192,
       pattern(10000, alternating(4095)), "google/gemma-2-9b/config.json; arXiv:2408.00118"},
      {"gpt-oss-20b", "gpt-oss 20B", modelShape(131072, 2880, 64, 8, 64, 24), causalMask(), 4096,
       pattern(150000, gpt_oss), "openai/gpt-oss-20b/config.json"},
      {"llama-4", "Llama 4", modelShape(131072, 5120, 40, 8, 128, 48), causalMask(), 131072,
       pattern(500000, {{"pairing", std::string("interleaved")}}), "defaults of Llama4TextConfig, transformers"},
      {"smollm3", "SmolLM3", modelShape(32768, 2048, 16, 4, 128, 36), causalMask(), 32768,
       pattern(2e6, {{"full_rule", std::string("all")}}), "defaults of SmolLM3Config, transformers"},
  };
}

std::vector<Preset> axisModels() {
  // A class token and four registers stand before the 14 × 14 patches of 224 pixels.
  Shape dino = modelShape(201, 384, 6, 0, 64, 12);
  Shape pixtral = modelShape(1024, 1024, 16, 0, 64, 24);
  dino.grid_height = dino.grid_width = 14;
  pixtral.grid_height = pixtral.grid_width = 32;
  return {
      {"qwen2-vl-7b", "Qwen2-VL 7B", modelShape(32768, 3584, 28, 4, 128, 28), causalMask(), 32768,
       choiceOf("mrope", {{"sections", std::vector<double>{16, 24, 24}}}),
       "Qwen/Qwen2-VL-7B-Instruct/config.json; arXiv:2409.12191"},
      {"qwen3-vl-8b", "Qwen3-VL 8B", modelShape(262144, 4096, 32, 8, 128, 36), causalMask(), 262144,
       choiceOf("mrope",
                {{"base", 5e6}, {"sections", std::vector<double>{24, 20, 20}}, {"mode", std::string("interleaved")}}),
       "Qwen/Qwen3-VL-8B-Instruct/config.json"},
      {"dinov3-vits16", "DINOv3 ViT-S/16", dino, Mask{}, 201,
       choiceOf("rope_2d",
                {{"variant", std::string("normalized")}, {"base", 100.0}, {"pairing", half}, {"prefix_tokens", 5.0}}),
       "defaults of DINOv3ViTConfig, transformers; arXiv:2508.10104"},
      {"pixtral-vision", "Pixtral 512 px", pixtral, Mask{}, 4096,
       choiceOf("rope_2d", {{"variant", std::string("split_freq")}, {"pairing", half}}),
       "defaults of PixtralVisionConfig, transformers, an image of 512 pixels; arXiv:2410.07073"},
  };
}

}  // namespace

std::vector<Preset> mixedRotaryModels() {
  std::vector<Preset> all;
  for (auto part : {dualModels(), latentModels(), patternModels(), axisModels()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace posiscope::models
