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

/// Gemma's 27B models divide by the root of width / heads, ours by that of head_dim.
Text scaleOfLogits(int scalar) {
  return {join("The model divides its logits by √", scalar, " (query_pre_attn_scalar), this entry by √head_dim."),
          join("该模型的 logits 除以 √", scalar, "（query_pre_attn_scalar），此条目除以 √head_dim。")};
}

std::vector<Preset> dualModels() {
  Shape gemma_4b = modelShape(131072, 2560, 8, 4, 256, 34);
  gemma_4b.layer = 5;  // the first global one
  Shape gemma_27b = modelShape(131072, 5376, 32, 16, 128, 62);
  gemma_27b.layer = 5;
  Shape gemma_1b = modelShape(32768, 1152, 4, 1, 256, 26);
  gemma_1b.layer = 5;
  const SchemeChoice scaled = dual(1e6, 6, 5, 1023, {{"scaling", std::string("linear")}, {"factor", 8.0}});
  return {
      {"gemma-3-1b", "Gemma 3 1B", gemma_1b, causalMask(), 32768, dual(1e6, 6, 5, 511),
       "google/gemma-3-1b-it/config.json; arXiv:2503.19786"},
      {"gemma-3-4b", "Gemma 3 4B", gemma_4b, causalMask(), 131072, scaled,
       "google/gemma-3-4b-it/config.json; arXiv:2503.19786"},
      {"gemma-3-27b", "Gemma 3 27B", gemma_27b, causalMask(), 131072, scaled,
       "google/gemma-3-27b-it/config.json; arXiv:2503.19786", scaleOfLogits(168)},
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
      {"gemma-2-27b", "Gemma 2 27B", modelShape(8192, 4608, 32, 16, 128, 46), causalMask(), 8192,
       pattern(10000, alternating(4095)), "google/gemma-2-27b/config.json; arXiv:2408.00118", scaleOfLogits(144)},
      {"gpt-oss-20b", "gpt-oss 20B", modelShape(131072, 2880, 64, 8, 64, 24), causalMask(), 4096,
       pattern(150000, gpt_oss), "openai/gpt-oss-20b/config.json"},
      {"llama-4",
       "Llama 4",
       modelShape(131072, 5120, 40, 8, 128, 48),
       causalMask(),
       131072,
       pattern(500000, {{"pairing", std::string("interleaved")}, {"scaled_queries", std::string("unrotated")}}),
       "defaults of Llama4TextConfig, transformers",
       {"The layers that rotate also normalise queries and keys after the rotation, which is not part of this entry.",
        "旋转的层还会在旋转之后对查询和键做归一化，这不在此条目中。"}},
      {"smollm3", "SmolLM3", modelShape(32768, 2048, 16, 4, 128, 36), causalMask(), 32768,
       pattern(2e6, {{"full_rule", std::string("all")}}), "defaults of SmolLM3Config, transformers"},
  };
}

/// All layers rotate and see everything; queries grow with their position.
SchemeChoice scaledQueries(double base, const std::string& kind, ParamValues more) {
  more.insert({{"rope_rule", std::string("all")},
               {"full_rule", std::string("all")},
               {"scaled_queries", std::string("all")},
               {"kind", kind}});
  return pattern(base, std::move(more));
}

std::vector<Preset> scaledQueryModels() {
  const ParamValues ministral{
      {"scaling", std::string("yarn")}, {"factor", 16.0},         {"original_length", 16384.0}, {"mscale", 1.0},
      {"mscale_all_dim", 1.0},          {"floor_scale", 16384.0}, {"attn_scale", 0.1}};
  return {
      {"ministral-3-3b", "Ministral 3 3B", modelShape(262144, 3072, 32, 8, 128, 26), causalMask(), 16384,
       scaledQueries(1e6, "ministral3", ministral), "mistralai/Ministral-3-3B-Instruct-2512/config.json, text_config"},
      {"qwen-1.8b",
       "Qwen 1.8B",
       modelShape(8192, 2048, 16, 0, 128, 24),
       causalMask(),
       8192,
       scaledQueries(10000, "logn", {{"train_length", 8192.0}}),
       "Qwen/Qwen-1_8B/config.json (use_logn_attn)",
       {"Beyond 8192 tokens the model also raises its base in steps of its own (use_dynamic_ntk), which is not part of "
        "this entry.",
        "超过 8192 个词元时，该模型还会按自己的阶梯规则提高底数（use_dynamic_ntk），这不在此条目中。"}},
  };
}

}  // namespace

std::vector<Preset> mixedRotaryModels() {
  std::vector<Preset> all;
  for (auto part : {dualModels(), latentModels(), patternModels(), scaledQueryModels()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace posiscope::models
