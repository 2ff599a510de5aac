// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stored_bytes.h"
#include "core/transformers/forward.h"
#include "core/transformers/token_blocks.h"

#include <algorithm>
#include <string_view>

namespace posiscope::transformers {
namespace {

Outcome checkIds(const Text& what, const std::vector<std::int64_t>& ids, std::int64_t count) {
  for (std::size_t t = 0; t < ids.size(); ++t)
    if (ids[t] < 0 || ids[t] >= count)
      return fail(ErrorCode::out_of_range,
                  join("the ", what.en, " at position ", t, " must be 0 to ", count - 1, ", got ", ids[t]),
                  join("位置 ", t, " 的", what.zh, "必须在 0 到 ", count - 1, " 之间，得到 ", ids[t]));
  return {};
}

Outcome checkLength(const Text& what, std::size_t found, std::size_t tokens) {
  if (found == 0 || found == tokens) return {};
  return fail(ErrorCode::bad_shape, join("the ", what.en, " must be as many as the ", tokens, " tokens, got ", found),
              join(what.zh, "的个数必须与 ", tokens, " 个词元相同，得到 ", found));
}

}  // namespace

Shape shapeOf(const Model& model, const Prompt& prompt) {
  Shape shape = model.shape;
  shape.seq_len = static_cast<std::int64_t>(prompt.tokens.size());
  shape.seq_len_q = 0;
  return shape;
}

Mask maskOf(const Model& model, const Prompt& prompt) {
  Mask mask = model.mask;
  // Padding is looked at by nobody but looks itself, as the models compute it: its rows sum to 1.
  mask.key_padding = prompt.attention_mask;
  return mask;
}

Outcome checkPrompt(const Model& model, const Prompt& prompt) {
  const Text token{"token", "词元"};
  const Text segment{"segment", "段"};
  if (prompt.tokens.empty())
    return fail(ErrorCode::bad_shape, "the tokens must be at least one, got none", "词元至少要有一个，但没有");
  if (Outcome ok = checkIds(token, prompt.tokens, model.plan.vocabulary()); !ok) return ok;
  if (Outcome ok = checkLength({"segments", "段编号"}, prompt.segments.size(), prompt.tokens.size()); !ok) return ok;
  const std::int64_t kinds = model.plan.segments.empty() ? 1 : model.plan.segments.shape[0];
  if (Outcome ok = checkIds(segment, prompt.segments, kinds); !ok) return ok;
  return checkLength({"entries of the attention mask", "注意力掩码"}, prompt.attention_mask.size(),
                     prompt.tokens.size());
}

double runBytes(const Model& model, const Prompt& prompt, const Wanted& wanted, double number, std::int64_t layers) {
  const auto real = [](std::int64_t value) { return static_cast<double>(value); };
  const Shape& s = model.shape;
  const auto tokens = static_cast<double>(prompt.tokens.size());
  if (layers < 0) layers = wanted.layers.empty() ? s.num_layers : static_cast<std::int64_t>(wanted.layers.size());
  const double heads = wanted.heads.empty() ? real(s.num_heads) : static_cast<double>(wanted.heads.size());
  const double projected = tokens * real((s.num_heads + 2 * s.kvHeads()) * s.head_dim);
  const double maps = (wanted.attention_logits ? 1.0 : 0.0) + (wanted.attention_weights ? 1.0 : 0.0);
  double kept = real(layers) * (maps * heads * tokens * tokens + (wanted.projections ? projected : 0.0));
  if (wanted.hidden) kept += real(s.num_layers + 1) * tokens * real(s.d_model);
  if (wanted.logits) kept += tokens * real(model.plan.head.outputs);
  // The hidden states with a copy to normalise, projections as rows and as heads with their rotated copies, outputs.
  double worked = tokens * 3.0 * real(s.d_model) + 3.0 * projected + 2.0 * tokens * real(s.num_heads * s.head_dim);
  const LayerPlan& layer = model.plan.layers.front();
  worked += std::min(tokens, real(mlp_tokens)) * real(layer.up.outputs) * (layer.gate.empty() ? 1.0 : 2.0);
  if (wanted.losses) worked += std::min(tokens, real(head_tokens)) * real(model.plan.head.outputs);
  return (kept + worked) * number;
}

}  // namespace posiscope::transformers
