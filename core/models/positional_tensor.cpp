// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/positional_tensor.h"

#include <vector>

namespace posiscope::models {
namespace {

const std::vector<PositionalTensor>& patterns() {
  using Role = TensorRole;
  static const std::vector<PositionalTensor> list = {
      {"wpe.weight", Role::learned_table, {"learned table of GPT-2 and its relatives", "GPT-2 及其同类的可学习位置表"}},
      {"embeddings.position_embeddings.weight",
       Role::learned_table,
       {"learned table of BERT and its relatives", "BERT 及其同类的可学习位置表"}},
      {"positions_embed.weight", Role::learned_table, {"learned table of GPT-1", "GPT-1 的可学习位置表"}},
      {"embed_positions.weight", Role::learned_table, {"table of OPT, BART, Whisper", "OPT、BART、Whisper 的位置表"}},
      {"embeddings.position_embedding.weight", Role::learned_table, {"learned table of CLIP", "CLIP 的可学习位置表"}},
      {"pos_embed.weight", Role::learned_table, {"learned grid", "可学习的网格位置表"}},
      {"positional_embedding", Role::learned_table, {"learned table of CLIP", "CLIP 的可学习位置表"}},
      {"relative_attention_bias.weight", Role::bucket_bias, {"bias by bucket, as in T5", "分桶偏置，如 T5"}},
      {"embed_positions.weights", Role::other, {"stored sinusoids", "存储的正弦位置表"}},
      {"embeddings.position_embeddings", Role::other, {"learned table of an image model", "图像模型的可学习位置表"}},
      {"pos_embed", Role::other, {"learned table of an image model", "图像模型的可学习位置表"}},
      {"decoder_pos_embed", Role::other, {"learned table of an image model", "图像模型的可学习位置表"}},
      {"query_position_embeddings.weight",
       Role::other,
       {"object queries, not positions of tokens", "目标查询，并非词元位置"}},
      {"relative_position_bias_table",
       Role::window_bias,
       {"bias by offset in a window, as in Swin", "窗口内按偏移的偏置，如 Swin"}},
      {"rel_pos_h", Role::other, {"decomposed relative positions, height", "分解的相对位置（高）"}},
      {"rel_pos_w", Role::other, {"decomposed relative positions, width", "分解的相对位置（宽）"}},
      {"rel_embeddings.weight", Role::other, {"relative embeddings, as in DeBERTa", "相对嵌入，如 DeBERTa"}},
      {"distance_embedding.weight", Role::other, {"embedding of distances", "距离嵌入"}},
      {"r_w_bias", Role::other, {"content bias, as in Transformer-XL", "内容偏置，如 Transformer-XL"}},
      {"r_r_bias", Role::other, {"position bias, as in Transformer-XL", "位置偏置，如 Transformer-XL"}},
      {"pos_bias_u", Role::other, {"content bias of a Conformer", "Conformer 的内容偏置"}},
      {"pos_bias_v", Role::other, {"position bias of a Conformer", "Conformer 的位置偏置"}},
      {"rel_pos_bias.weight", Role::other, {"bias by offset, as in LayoutLM", "按偏移的偏置，如 LayoutLM"}},
      {"rotary_emb.inv_freq", Role::other, {"inverse frequencies of a rotary encoding", "旋转位置编码的逆频率"}},
      {"rotary_pos_emb.inv_freq", Role::other, {"inverse frequencies of a rotary encoding", "旋转位置编码的逆频率"}},
      {"pos_emb.inv_freq", Role::other, {"inverse frequencies of sinusoids", "正弦位置编码的逆频率"}},
      {"rope.freqs", Role::other, {"inverse frequencies of a rotary encoding", "旋转位置编码的逆频率"}},
  };
  return list;
}

}  // namespace

const PositionalTensor* findPositional(std::string_view name) {
  const auto endsWith = [name](std::string_view tail) {
    if (!name.ends_with(tail)) return false;
    const std::size_t before = name.size() - tail.size();
    return before == 0 || name[before - 1] == '.';
  };
  constexpr std::string_view weight = ".weight";
  for (const PositionalTensor& pattern : patterns()) {
    // A table dumped from one's own code is often called as its module is.
    std::string_view module = pattern.tail;
    if (module.ends_with(weight)) module.remove_suffix(weight.size());
    if (endsWith(pattern.tail) || endsWith(module)) return &pattern;
  }
  return nullptr;
}

}  // namespace posiscope::models
