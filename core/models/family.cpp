// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/family.h"

#include <algorithm>
#include <iterator>

namespace posiscope::models {
namespace {

using Kind = PositionKind;

constexpr ModelFamily learned(std::string_view type, bool causal, std::int64_t row_offset = 0,
                              std::int64_t unused_rows = 0) {
  return {.type = type,
          .kind = Kind::learned,
          .causal = causal,
          .half_split = true,
          .base = 0,
          .share = 1,
          .windowed = false,
          .unused_rows = unused_rows,
          .row_offset = row_offset,
          .alibi_form = {},
          .layers = LayerRule::alike};
}
constexpr ModelFamily rotary(std::string_view type, double base = 10000, bool half_split = true, double share = 1,
                             bool windowed = false) {
  return {.type = type,
          .kind = Kind::rotary,
          .causal = true,
          .half_split = half_split,
          .base = base,
          .share = share,
          .windowed = windowed,
          .unused_rows = 0,
          .row_offset = 0,
          .alibi_form = {},
          .layers = LayerRule::alike};
}
/// Layers that differ keep their windows in the scheme, not in the mask.
constexpr ModelFamily layered(std::string_view type, LayerRule layers, double base, bool half_split = true,
                              bool causal = true) {
  ModelFamily family = rotary(type, base, half_split);
  family.causal = causal;
  family.layers = layers;
  return family;
}
/// An image model whose patches turn by row and column.
constexpr ModelFamily patches(std::string_view type) {
  ModelFamily family = rotary(type);
  family.kind = Kind::rotary_patches;
  family.causal = false;
  return family;
}
/// An image model with a bias by offset inside windows.
constexpr ModelFamily windows(std::string_view type) {
  ModelFamily family = patches(type);
  family.kind = Kind::windows;
  return family;
}
constexpr ModelFamily alibi(std::string_view type, std::string_view form) {
  return {.type = type,
          .kind = Kind::alibi,
          .causal = true,
          .half_split = true,
          .base = 0,
          .share = 1,
          .windowed = false,
          .unused_rows = 0,
          .row_offset = 0,
          .alibi_form = form,
          .layers = LayerRule::alike};
}
constexpr ModelFamily t5(std::string_view type) {
  return {.type = type,
          .kind = Kind::t5,
          .causal = false,
          .half_split = true,
          .base = 0,
          .share = 1,
          .windowed = false,
          .unused_rows = 0,
          .row_offset = 0,
          .alibi_form = {},
          .layers = LayerRule::alike};
}

// Class defaults of Hugging Face transformers, early 2026.
constexpr ModelFamily families[] = {
    learned("gpt2", true),
    learned("gpt_bigcode", true),
    learned("gpt_neo", true),
    learned("openai-gpt", true),
    learned("bert", false),
    learned("albert", false),
    learned("electra", false),
    learned("distilbert", false),
    // Row 1 is padding; the first token uses row pad + 1, and max_position_embeddings counts the unused rows.
    learned("roberta", false, 2, 2),
    learned("xlm-roberta", false, 2, 2),
    learned("camembert", false, 2, 2),
    learned("opt", true, 2, 0),
    rotary("llama"),
    rotary("mistral", 10000, true, 1, true),
    rotary("mixtral", 1e6, true, 1, true),
    layered("qwen2", LayerRule::qwen, 10000),
    layered("qwen3", LayerRule::qwen, 10000),
    rotary("gemma"),
    rotary("phi", 10000, true, 0.5),
    rotary("phi3", 10000, true, 1, true),
    rotary("phi-msft"),
    rotary("stablelm", 10000, true, 0.25),
    rotary("gpt_neox", 10000, true, 0.25),
    rotary("olmo"),
    rotary("olmo2"),
    rotary("starcoder2", 10000, true, 1, true),
    rotary("granite"),
    rotary("ministral3"),
    rotary("minimax_m2", 5e6),
    patches("pixtral"),
    windows("swin"),
    rotary("internlm2"),
    rotary("baichuan"),
    layered("gpt_oss", LayerRule::alternating, 150000),
    layered("gemma2", LayerRule::alternating, 10000),
    layered("gemma3", LayerRule::gemma3, 1e6),
    layered("gemma3_text", LayerRule::gemma3, 1e6),
    layered("gemma4", LayerRule::gemma4, 1e6),
    layered("gemma4_text", LayerRule::gemma4, 1e6),
    layered("modernbert", LayerRule::modernbert, 160000, true, false),
    layered("llama4_text", LayerRule::llama4, 500000, false),
    layered("smollm3", LayerRule::smollm3, 2e6),
    layered("cohere2", LayerRule::cohere2, 10000, false),
    rotary("deepseek_v2", 10000, false),
    rotary("deepseek_v3", 10000, false),
    rotary("qwen2_vl", 1e6),
    rotary("qwen2_vl_text", 1e6),
    rotary("qwen2_5_vl", 1e6),
    rotary("qwen2_5_vl_text", 1e6),
    rotary("qwen3_vl_text", 500000),
    rotary("phi3_v", 10000),
    rotary("phimoe", 1e6),
    rotary("persimmon", 10000, true, 0.5),
    rotary("glm", 10000, false, 0.5),
    rotary("glm4", 10000, false, 0.5),
    rotary("ernie4_5", 500000, false),
    rotary("gptj", 10000, false),
    rotary("codegen", 10000, false),
    rotary("cohere", 500000, false),
    rotary("helium", 100000, false),
    alibi("bloom", "key_only"),
    alibi("mpt", "mpt"),
    t5("t5"),
    t5("mt5"),
    t5("umt5"),
    t5("longt5"),
};

}  // namespace

Text positionKindName(PositionKind kind) {
  switch (kind) {
    case Kind::learned: return {"learned table", "可学习位置表"};
    case Kind::rotary: return {"rotary", "旋转位置编码"};
    case Kind::rotary_patches: return {"rotary in two dimensions", "二维旋转位置编码"};
    case Kind::alibi: return {"ALiBi", "ALiBi"};
    case Kind::t5: return {"relative bias in buckets", "分桶相对偏置"};
    case Kind::windows: return {"bias by offset in windows", "窗口内按偏移的偏置"};
  }
  return {};
}

const ModelFamily& originalRelease() {
  static constexpr ModelFamily family = rotary("", 10000, false);
  return family;
}

const ModelFamily* findFamily(std::string_view model_type) {
  const auto* found = std::ranges::find(families, model_type, &ModelFamily::type);
  return found == std::end(families) ? nullptr : found;
}

}  // namespace posiscope::models
