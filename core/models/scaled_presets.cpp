// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/preset_parts.h"

namespace posiscope::models {
namespace {

ParamValues llama3(double factor) {
  return {{"scaling", std::string("llama3")},
          {"factor", factor},
          {"original_length", 8192.0},
          {"low_freq_factor", 1.0},
          {"high_freq_factor", 4.0}};
}

std::vector<Preset> llama3Models() {
  return {
      {"llama-3.1-8b", "Llama 3.1 8B", modelShape(131072, 4096, 32, 8, 128, 32), causalMask(), 8192,
       ropeChoice(500000, llama3(8)), "meta-llama/Llama-3.1-8B/config.json; arXiv:2407.21783"},
      {"llama-3.2-1b", "Llama 3.2 1B", modelShape(131072, 2048, 32, 8, 64, 16), causalMask(), 8192,
       ropeChoice(500000, llama3(32)), "meta-llama/Llama-3.2-1B/config.json"},
      {"llama-3.2-3b", "Llama 3.2 3B", modelShape(131072, 3072, 24, 8, 128, 28), causalMask(), 8192,
       ropeChoice(500000, llama3(32)), "meta-llama/Llama-3.2-3B/config.json"},
      {"llama-3.3-70b", "Llama 3.3 70B", modelShape(131072, 8192, 64, 8, 128, 80), causalMask(), 8192,
       ropeChoice(500000, llama3(8)), "meta-llama/Llama-3.3-70B-Instruct/config.json"},
  };
}

std::vector<Preset> yarnModels() {
  const ParamValues yarn{{"scaling", std::string("yarn")}, {"factor", 4.0}, {"original_length", 32768.0}};
  return {
      {"qwen2.5-7b-yarn", "Qwen2.5 7B YaRN", modelShape(131072, 3584, 28, 4, 128, 28), causalMask(), 32768,
       ropeChoice(1e6, yarn), "Qwen/Qwen2.5-7B-Instruct, model card (long inputs)"},
      {"qwen3-0.6b-yarn", "Qwen3 0.6B YaRN", modelShape(131072, 1024, 16, 8, 128, 28), causalMask(), 32768,
       ropeChoice(1e6, yarn), "Qwen/Qwen3-0.6B, model card of the family (long inputs)"},
      {"qwq-32b-yarn", "QwQ 32B YaRN", modelShape(131072, 5120, 40, 8, 128, 64), causalMask(), 32768,
       ropeChoice(1e6, yarn), "Qwen/QwQ-32B, model card (long inputs)"},
  };
}

std::vector<Preset> dynamicModels() {
  const auto dynamic = [](double factor, double max_length) -> ParamValues {
    return {{"scaling", std::string("dynamic")}, {"factor", factor}, {"max_length", max_length}};
  };
  return {
      {"internlm2.5-7b", "InternLM2.5 7B", modelShape(32768, 4096, 32, 8, 128, 32), causalMask(), 32768,
       ropeChoice(1e6, dynamic(2, 32768)), "internlm/internlm2_5-7b-chat/config.json"},
      {"minicpm-2b-128k", "MiniCPM 2B 128k", modelShape(65536, 2304, 36, 0, 64, 40), causalMask(), 65536,
       ropeChoice(1e6, dynamic(4, 65536)), "openbmb/MiniCPM-2B-128k/config.json"},
  };
}

/// The lists are part of each checkpoint: they come from its file.
const Text from_file{
    "The 48 factors of short and long sequences are not part of this entry (empty lists count as 1); open the "
    "model's config.json to read them.",
    "短、长序列各 48 个因子不在此条目中（空列表视为 1）；打开模型的 config.json 即可读入。"};

std::vector<Preset> longropeModels() {
  const auto longrope = [](ParamValues more = {}) {
    more.insert({{"scaling", std::string("longrope")}, {"original_length", 4096.0}, {"max_length", 131072.0}});
    return ropeChoice(10000, std::move(more));
  };
  const Shape mini = modelShape(131072, 3072, 32, 0, 96, 32);
  return {
      {"phi-3-mini-128k", "Phi-3 mini 128k", mini, causalMask(), 4096, longrope(),
       "microsoft/Phi-3-mini-128k-instruct/config.json; arXiv:2402.13753", from_file},
      {"phi-3.5-mini", "Phi-3.5 mini", mini, causalMask(), 4096, longrope(),
       "microsoft/Phi-3.5-mini-instruct/config.json", from_file},
      {"phi-3.5-v", "Phi-3.5 V", mini, causalMask(), 4096, longrope(),
       "microsoft/Phi-3.5-vision-instruct/config.json, where longrope has its older name su", from_file},
      // 96 of the 128 dimensions of a head turn: 48 factors here too.
      {"phi-4-mini", "Phi-4 mini", modelShape(131072, 3072, 24, 8, 128, 32), causalMask(), 4096,
       longrope({{"rotary_share", 0.75}}), "microsoft/Phi-4-mini-instruct/config.json", from_file},
  };
}

}  // namespace

std::vector<Preset> scaledRotaryModels() {
  std::vector<Preset> all;
  for (auto part : {llama3Models(), yarnModels(), dynamicModels(), longropeModels()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace posiscope::models
