// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/preset_parts.h"

namespace posiscope::models {
namespace {

const std::string interleaved = "interleaved";

std::vector<Preset> llamaModels() {
  return {
      {"llama-1-7b", "LLaMA 7B", modelShape(2048, 4096, 32, 0, 128, 32), causalMask(), 2048, ropeChoice(10000),
       "huggyllama/llama-7b/config.json; arXiv:2302.13971"},
      {"llama-2-7b", "Llama 2 7B", modelShape(4096, 4096, 32, 0, 128, 32), causalMask(), 4096, ropeChoice(10000),
       "meta-llama/Llama-2-7b-hf/config.json; arXiv:2307.09288"},
      {"code-llama-7b", "Code Llama 7B", modelShape(16384, 4096, 32, 0, 128, 32), causalMask(), 16384, ropeChoice(1e6),
       "codellama/CodeLlama-7b-hf/config.json; arXiv:2308.12950"},
      {"llama-3-8b", "Llama 3 8B", modelShape(8192, 4096, 32, 8, 128, 32), causalMask(), 8192, ropeChoice(500000),
       "meta-llama/Meta-Llama-3-8B/config.json"},
      {"llava-1.5-7b",
       "LLaVA 1.5 7B",
       modelShape(4096, 4096, 32, 0, 128, 32),
       causalMask(),
       4096,
       ropeChoice(10000),
       "llava-hf/llava-1.5-7b-hf/config.json, text_config; its other sizes are those of LlamaConfig",
       {"The text part; the pictures come from CLIP ViT-L/14 of 336 pixels.",
        "文本部分；图像由 336 像素的 CLIP ViT-L/14 提供。"}},
      {"smollm2-135m", "SmolLM2 135M", modelShape(8192, 576, 9, 3, 64, 30), causalMask(), 8192, ropeChoice(100000),
       "HuggingFaceTB/SmolLM2-135M/config.json"},
      {"baichuan2-7b", "Baichuan2 7B", modelShape(4096, 4096, 32, 0, 128, 32), causalMask(), 4096, ropeChoice(10000),
       "baichuan-inc/Baichuan2-7B-Base/config.json, which has no key of a position: the default base"},
  };
}

std::vector<Preset> mistralModels() {
  return {
      // sliding_window 4096
      {"mistral-7b-v0.1", "Mistral 7B v0.1", modelShape(32768, 4096, 32, 8, 128, 32), causalMask(4095), 32768,
       ropeChoice(10000), "mistralai/Mistral-7B-v0.1/config.json; arXiv:2310.06825"},
      {"mistral-7b-v0.3", "Mistral 7B v0.3", modelShape(32768, 4096, 32, 8, 128, 32), causalMask(), 32768,
       ropeChoice(1e6), "mistralai/Mistral-7B-v0.3/config.json"},
      {"mixtral-8x7b", "Mixtral 8x7B", modelShape(32768, 4096, 32, 8, 128, 32), causalMask(), 32768, ropeChoice(1e6),
       "mistralai/Mixtral-8x7B-v0.1/config.json; arXiv:2401.04088"},
      {"mistral-nemo", "Mistral Nemo", modelShape(131072, 5120, 32, 8, 128, 40), causalMask(), 131072, ropeChoice(1e6),
       "mistralai/Mistral-Nemo-Base-2407/config.json"},
  };
}

std::vector<Preset> otherWholeHeads() {
  return {
      {"command-r", "Command R", modelShape(8192, 8192, 64, 0, 128, 40), causalMask(), 8192,
       ropeChoice(8e6, {{"pairing", interleaved}}), "CohereForAI/c4ai-command-r-v01/config.json"},
      {"olmo-2-7b", "OLMo 2 7B", modelShape(4096, 4096, 32, 0, 128, 32), causalMask(), 4096, ropeChoice(500000),
       "allenai/OLMo-2-1124-7B/config.json"},
      {"redpajama-3b", "RedPajama-INCITE 3B", modelShape(2048, 2560, 32, 0, 80, 32), causalMask(), 2048,
       ropeChoice(10000), "togethercomputer/RedPajama-INCITE-Base-3B-v1/config.json"},
      {"phi-3-mini-4k", "Phi-3 mini 4k", modelShape(4096, 3072, 32, 0, 96, 32), causalMask(), 4096, ropeChoice(10000),
       "microsoft/Phi-3-mini-4k-instruct/config.json"},
      {"qwen2-7b", "Qwen2 7B", modelShape(32768, 3584, 28, 4, 128, 28), causalMask(), 32768, ropeChoice(1e6),
       "Qwen/Qwen2-7B/config.json"},
      {"qwen2.5-7b", "Qwen2.5 7B", modelShape(32768, 3584, 28, 4, 128, 28), causalMask(), 32768, ropeChoice(1e6),
       "Qwen/Qwen2.5-7B-Instruct/config.json"},
      {"qwen3-0.6b", "Qwen3 0.6B", modelShape(40960, 1024, 16, 8, 128, 28), causalMask(), 32768, ropeChoice(1e6),
       "Qwen/Qwen3-0.6B/config.json"},
      {"gemma-2b", "Gemma 2B", modelShape(8192, 2048, 8, 1, 256, 18), causalMask(), 8192, ropeChoice(10000),
       "google/gemma-2b/config.json"},
  };
}

/// A part of each head turns, the rest passes through.
std::vector<Preset> partialModels() {
  const ParamValues quarter{{"rotary_share", 0.25}};
  const ParamValues adjacent_half{{"rotary_share", 0.5}, {"pairing", interleaved}};
  return {
      {"gpt-j-6b", "GPT-J 6B", modelShape(2048, 4096, 16, 0, 256, 28), causalMask(), 2048,
       ropeChoice(10000, {{"pairing", interleaved}, {"rotary_dim", 64.0}}), "EleutherAI/gpt-j-6b/config.json"},
      {"gpt-neox-20b", "GPT-NeoX 20B", modelShape(2048, 6144, 64, 0, 96, 44), causalMask(), 2048,
       ropeChoice(10000, quarter), "EleutherAI/gpt-neox-20b/config.json; arXiv:2204.06745"},
      {"pythia-6.9b", "Pythia 6.9B", modelShape(2048, 4096, 32, 0, 128, 32), causalMask(), 2048,
       ropeChoice(10000, quarter), "EleutherAI/pythia-6.9b/config.json; arXiv:2304.01373"},
      {"phi-2", "Phi-2", modelShape(2048, 2560, 32, 0, 80, 32), causalMask(), 2048,
       ropeChoice(10000, {{"rotary_dim", 32.0}}), "microsoft/phi-2/config.json"},
      {"stablelm-3b", "StableLM 3B", modelShape(4096, 2560, 32, 0, 80, 32), causalMask(), 4096,
       ropeChoice(10000, quarter), "stabilityai/stablelm-3b-4e1t/config.json"},
      {"persimmon-8b",
       "Persimmon 8B",
       modelShape(16384, 4096, 64, 0, 64, 36),
       causalMask(),
       16384,
       ropeChoice(10000, {{"rotary_share", 0.5}}),
       "defaults of PersimmonConfig, transformers of early 2026",
       {"Older versions of the same class have base 25000; a checkpoint's own config.json decides.",
        "该类的旧版本底数为 25000；以检查点自己的 config.json 为准。"}},
      {"chatglm3-6b", "ChatGLM3 6B", modelShape(8192, 4096, 32, 2, 128, 28), causalMask(), 8192,
       ropeChoice(10000, adjacent_half), "THUDM/chatglm3-6b/config.json and modeling_chatglm.py"},
      {"glm-4-9b", "GLM-4 9B", modelShape(32768, 4096, 32, 2, 128, 40), causalMask(), 32768,
       ropeChoice(10000, adjacent_half), "THUDM/GLM-4-9B-0414/config.json; defaults of Glm4Config, transformers"},
  };
}

}  // namespace

std::vector<Preset> plainRotaryModels() {
  std::vector<Preset> all;
  for (auto part : {llamaModels(), mistralModels(), otherWholeHeads(), partialModels()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace posiscope::models
