// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Llama (Touvron et al. 2023) and what is built alike, with the names of Hugging Face's files: RMSNorm, SwiGLU,
// grouped queries, rotary positions on half-split rows. Qwen 2 adds biases, Qwen 3 a norm for each head.
#include "core/transformers/families.h"
#include "core/transformers/plan_reader.h"

namespace posiscope::transformers {
namespace {

LayerPlan readLayer(PlanReader& reader, const std::string& stem, const Shape& shape, double epsilon) {
  const std::int64_t width = shape.d_model;
  const std::int64_t asking = shape.num_heads * shape.head_dim;
  const std::int64_t kept = shape.kvHeads() * shape.head_dim;
  LayerPlan layer;
  layer.attention_norm = reader.rootMeanSquareNorm(stem + "input_layernorm", width, epsilon);
  layer.query = reader.linear(stem + "self_attn.q_proj", asking, width);
  layer.key = reader.linear(stem + "self_attn.k_proj", kept, width);
  layer.value = reader.linear(stem + "self_attn.v_proj", kept, width);
  layer.output = reader.linear(stem + "self_attn.o_proj", width, asking);
  if (reader.has(stem + "self_attn.q_norm.weight")) {
    layer.query_norm = reader.rootMeanSquareNorm(stem + "self_attn.q_norm", shape.head_dim, epsilon);
    layer.key_norm = reader.rootMeanSquareNorm(stem + "self_attn.k_norm", shape.head_dim, epsilon);
  }
  layer.mlp_norm = reader.rootMeanSquareNorm(stem + "post_attention_layernorm", width, epsilon);
  layer.gate = reader.linear(stem + "mlp.gate_proj", -1, width);
  layer.up = reader.linear(stem + "mlp.up_proj", layer.gate.outputs, width);
  layer.down = reader.linear(stem + "mlp.down_proj", width, layer.gate.outputs);
  return layer;
}

}  // namespace

Outcome planLlama(const models::ConfigReader& config, const WeightSource& source, Model& model) {
  if (Outcome ok = requireSizes(config, {"hidden_size", "num_attention_heads", "num_hidden_layers"}); !ok) return ok;
  const Expected<Activation> activation = readActivation(config, "hidden_act", Activation::silu);
  if (!activation) return fail(activation.error());
  const double epsilon = readNumber(config, "rms_norm_eps", 1e-6);
  const std::int64_t width = model.shape.d_model;

  PlanReader reader(source, {"model.", ""}, "embed_tokens.weight");
  if (Outcome ok = checkLayers(config, reader.layersStored("layers.")); !ok) return ok;
  Plan& plan = model.plan;
  plan.activation = *activation;
  plan.words = reader.tensor("embed_tokens.weight", {-1, width});
  for (std::int64_t l = 0; l < model.shape.num_layers; ++l)
    plan.layers.push_back(readLayer(reader, join("layers.", l, "."), model.shape, epsilon));
  plan.final_norm = reader.rootMeanSquareNorm("norm", width, epsilon);
  const bool tied = readFlag(config, "tie_word_embeddings", false) || !reader.hasOuter("lm_head.weight");
  if (Outcome ok = reader.finish("layers.", {".rotary_emb.inv_freq"}); !ok) return ok;
  plan.head.weight = tied ? plan.words : reader.outerTensor("lm_head.weight", {plan.vocabulary(), width});
  plan.head.outputs = plan.vocabulary();
  plan.head.inputs = width;
  return reader.finish("layers.", {".rotary_emb.inv_freq"});
}

}  // namespace posiscope::transformers
