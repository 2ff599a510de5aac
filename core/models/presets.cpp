// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/preset_parts.h"
#include "core/models/scheme_values.h"

#include <algorithm>

namespace posiscope::models {
namespace {

const Mask causal = causalMask();

SchemeChoice learned(const char* initial, double rows, double unused_rows = 0) {
  return choiceOf(
      "learned",
      {{"initial", std::string(initial)}, {"std", 0.02}, {"max_positions", rows}, {"position_offset", unused_rows}});
}

ParamValues llama3(double factor) {
  return {{"scaling", std::string("llama3")},
          {"factor", factor},
          {"original_length", 8192.0},
          {"low_freq_factor", 1.0},
          {"high_freq_factor", 4.0}};
}

std::vector<Preset> learnedAndBiasModels() {
  const SchemeChoice t5 = choiceOf("t5_log", {{"num_buckets", 32.0}, {"max_distance", 128.0}, {"bidirectional", true}});
  return {
      {"gpt-2", "GPT-2", modelShape(1024, 768, 12, 0, 64, 12), causal, 1024, learned("normal", 1024),
       "gpt2/config.json"},
      {"bert-base",
       "BERT base",
       modelShape(512, 768, 12, 0, 64, 12),
       {},
       512,
       learned("truncated_normal", 512),
       "bert-base-uncased/config.json; arXiv:1810.04805"},
      // A table of 514 rows; the first token uses row 2.
      {"roberta-base",
       "RoBERTa base",
       modelShape(512, 768, 12, 0, 64, 12),
       {},
       512,
       learned("truncated_normal", 514, 2),
       "roberta-base/config.json"},
      {"bloom-7b1", "BLOOM 7.1B", modelShape(2048, 4096, 32, 0, 128, 30), causal, 2048,
       choiceOf("alibi", {{"form", std::string("key_only")}}), "bigscience/bloom-7b1/config.json; arXiv:2211.05100"},
      {"mpt-7b", "MPT 7B", modelShape(2048, 4096, 32, 0, 128, 32), causal, 2048,
       choiceOf("alibi", {{"form", std::string("mpt")}, {"max_bias", 8.0}}), "mosaicml/mpt-7b/config.json"},
      {"t5-v1.1-base",
       "T5 v1.1 base",
       modelShape(512, 768, 12, 0, 64, 12),
       {},
       512,
       t5,
       "google/t5-v1_1-base/config.json, the encoder"},
  };
}

std::vector<Preset> plainRotaryModels() {
  const Mask window = causalMask(4095);  // sliding_window 4096
  return {
      {"gpt-j-6b", "GPT-J 6B", modelShape(2048, 4096, 16, 0, 256, 28), causal, 2048,
       ropeChoice(10000, {{"pairing", std::string("interleaved")}, {"rotary_dim", 64.0}}),
       "EleutherAI/gpt-j-6b/config.json"},
      {"gpt-neox-20b", "GPT-NeoX 20B", modelShape(2048, 6144, 64, 0, 96, 44), causal, 2048,
       ropeChoice(10000, {{"rotary_share", 0.25}}), "EleutherAI/gpt-neox-20b/config.json; arXiv:2204.06745"},
      {"llama-2-7b", "Llama 2 7B", modelShape(4096, 4096, 32, 0, 128, 32), causal, 4096, ropeChoice(10000),
       "meta-llama/Llama-2-7b-hf/config.json; arXiv:2307.09288"},
      {"code-llama-7b", "Code Llama 7B", modelShape(16384, 4096, 32, 0, 128, 32), causal, 16384, ropeChoice(1e6),
       "codellama/CodeLlama-7b-hf/config.json; arXiv:2308.12950"},
      {"llama-3-8b", "Llama 3 8B", modelShape(8192, 4096, 32, 8, 128, 32), causal, 8192, ropeChoice(500000),
       "meta-llama/Meta-Llama-3-8B/config.json"},
      {"mistral-7b-v0.1", "Mistral 7B v0.1", modelShape(32768, 4096, 32, 8, 128, 32), window, 32768, ropeChoice(10000),
       "mistralai/Mistral-7B-v0.1/config.json; arXiv:2310.06825"},
      {"mistral-7b-v0.3", "Mistral 7B v0.3", modelShape(32768, 4096, 32, 8, 128, 32), causal, 32768, ropeChoice(1e6),
       "mistralai/Mistral-7B-v0.3/config.json"},
      {"mixtral-8x7b", "Mixtral 8x7B", modelShape(32768, 4096, 32, 8, 128, 32), causal, 32768, ropeChoice(1e6),
       "mistralai/Mixtral-8x7B-v0.1/config.json; arXiv:2401.04088"},
      {"mistral-nemo", "Mistral Nemo", modelShape(131072, 5120, 32, 8, 128, 40), causal, 131072, ropeChoice(1e6),
       "mistralai/Mistral-Nemo-Base-2407/config.json"},
      {"command-r", "Command R", modelShape(8192, 8192, 64, 0, 128, 40), causal, 8192,
       ropeChoice(8e6, {{"pairing", std::string("interleaved")}}), "CohereForAI/c4ai-command-r-v01/config.json"},
      {"olmo-2-7b", "OLMo 2 7B", modelShape(4096, 4096, 32, 0, 128, 32), causal, 4096, ropeChoice(500000),
       "allenai/OLMo-2-1124-7B/config.json"},
      {"phi-3-mini-4k", "Phi-3 mini 4k", modelShape(4096, 3072, 32, 0, 96, 32), causal, 4096, ropeChoice(10000),
       "microsoft/Phi-3-mini-4k-instruct/config.json"},
      {"qwen2-7b", "Qwen2 7B", modelShape(32768, 3584, 28, 4, 128, 28), causal, 32768, ropeChoice(1e6),
       "Qwen/Qwen2-7B/config.json"},
      {"qwen3-0.6b", "Qwen3 0.6B", modelShape(40960, 1024, 16, 8, 128, 28), causal, 32768, ropeChoice(1e6),
       "Qwen/Qwen3-0.6B/config.json"},
      {"phi-2", "Phi-2", modelShape(2048, 2560, 32, 0, 80, 32), causal, 2048, ropeChoice(10000, {{"rotary_dim", 32.0}}),
       "microsoft/phi-2/config.json"},
      {"stablelm-3b", "StableLM 3B", modelShape(4096, 2560, 32, 0, 80, 32), causal, 4096,
       ropeChoice(10000, {{"rotary_share", 0.25}}), "stabilityai/stablelm-3b-4e1t/config.json"},
      {"gemma-2b", "Gemma 2B", modelShape(8192, 2048, 8, 1, 256, 18), causal, 8192, ropeChoice(10000),
       "google/gemma-2b/config.json"},
  };
}

std::vector<Preset> scaledRotaryModels() {
  const ParamValues qwen{{"scaling", std::string("yarn")}, {"factor", 4.0}, {"original_length", 32768.0}};
  return {
      {"llama-3.1-8b", "Llama 3.1 8B", modelShape(131072, 4096, 32, 8, 128, 32), causal, 8192,
       ropeChoice(500000, llama3(8)), "meta-llama/Llama-3.1-8B/config.json; arXiv:2407.21783"},
      {"llama-3.2-1b", "Llama 3.2 1B", modelShape(131072, 2048, 32, 8, 64, 16), causal, 8192,
       ropeChoice(500000, llama3(32)), "meta-llama/Llama-3.2-1B/config.json"},
      {"qwen2.5-7b-yarn", "Qwen2.5 7B YaRN", modelShape(131072, 3584, 28, 4, 128, 28), causal, 32768,
       ropeChoice(1e6, qwen), "Qwen/Qwen2.5-7B-Instruct, model card (long inputs)"},
      {"internlm2.5-7b", "InternLM2.5 7B", modelShape(32768, 4096, 32, 8, 128, 32), causal, 32768,
       ropeChoice(1e6, {{"scaling", std::string("dynamic")}, {"factor", 2.0}, {"max_length", 32768.0}}),
       "internlm/internlm2_5-7b-chat/config.json"},
  };
}

}  // namespace

Shape modelShape(std::int64_t seq_len, std::int64_t d_model, std::int64_t heads, std::int64_t kv_heads,
                 std::int64_t head_dim, std::int64_t layers) {
  Shape shape;
  shape.seq_len = seq_len;
  shape.d_model = d_model;
  shape.num_heads = heads;
  shape.num_kv_heads = kv_heads;
  shape.head_dim = head_dim;
  shape.num_layers = layers;
  return shape;
}

SchemeChoice ropeChoice(double base, ParamValues more) {
  more["base"] = base;
  more.emplace("pairing", std::string("half"));
  return choiceOf("rope", std::move(more));
}

Mask causalMask(std::int64_t window) {
  Mask mask;
  mask.causal = true;
  mask.window = window;
  return mask;
}

const std::vector<Preset>& presets() {
  static const std::vector<Preset> list = [] {
    std::vector<Preset> all;
    for (auto part : {learnedAndBiasModels(), plainRotaryModels(), scaledRotaryModels(), mixedRotaryModels()})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }();
  return list;
}

const Preset* findPreset(std::string_view id) {
  const auto found = std::ranges::find(presets(), id, &Preset::id);
  return found == presets().end() ? nullptr : &*found;
}

}  // namespace posiscope::models
