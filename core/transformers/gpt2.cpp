// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// GPT-2 (Radford et al. 2019) with the names of Hugging Face's files: pre-norm, learned positions, Conv1D weights.
#include "core/transformers/families.h"
#include "core/transformers/plan_reader.h"

namespace posiscope::transformers {
namespace {

LayerPlan readLayer(PlanReader& reader, const std::string& stem, std::int64_t width, std::int64_t attended,
                    double epsilon) {
  LayerPlan layer;
  layer.attention_norm = reader.layerNorm(stem + "ln_1", width, epsilon);
  layer.query = reader.convolution(stem + "attn.c_attn", attended, width, 0, 3);
  layer.key = reader.convolution(stem + "attn.c_attn", attended, width, 1, 3);
  layer.value = reader.convolution(stem + "attn.c_attn", attended, width, 2, 3);
  layer.output = reader.convolution(stem + "attn.c_proj", width, attended);
  layer.mlp_norm = reader.layerNorm(stem + "ln_2", width, epsilon);
  layer.up = reader.convolution(stem + "mlp.c_fc", -1, width);
  layer.down = reader.convolution(stem + "mlp.c_proj", width, layer.up.outputs);
  return layer;
}

}  // namespace

Outcome planGpt2(const models::ConfigReader& config, const WeightSource& source, Model& model) {
  if (Outcome ok = requireSizes(config, {"n_embd", "n_head", "n_layer"}); !ok) return ok;
  for (const char* key : {"scale_attn_by_inverse_layer_idx", "add_cross_attention"})
    if (Outcome ok = refuseFlag(config, key); !ok) return ok;
  const Expected<Activation> activation = readActivation(config, "activation_function", Activation::gelu_tanh);
  if (!activation) return fail(activation.error());
  const double epsilon = readNumber(config, "layer_norm_epsilon", 1e-5);
  const std::int64_t width = model.shape.d_model;

  PlanReader reader(source, {"transformer.", ""}, "wte.weight");
  if (Outcome ok = checkLayers(config, reader.layersStored("h.")); !ok) return ok;
  Plan& plan = model.plan;
  plan.activation = *activation;
  plan.unscaled = !readFlag(config, "scale_attn_weights", true);
  plan.words = reader.tensor("wte.weight", {-1, width});
  reader.tensor("wpe.weight", {-1, width});  // must be there; the scheme has read it
  for (std::int64_t l = 0; l < model.shape.num_layers; ++l)
    plan.layers.push_back(
        readLayer(reader, join("h.", l, "."), width, model.shape.num_heads * model.shape.head_dim, epsilon));
  plan.final_norm = reader.layerNorm("ln_f", width, epsilon);
  const bool tied = readFlag(config, "tie_word_embeddings", true) || !reader.hasOuter("lm_head.weight");
  if (Outcome ok = reader.finish("h.", {".attn.bias", ".attn.masked_bias"}); !ok) return ok;
  plan.head.weight = tied ? plan.words : reader.outerTensor("lm_head.weight", {plan.vocabulary(), width});
  plan.head.outputs = plan.vocabulary();
  plan.head.inputs = width;
  return reader.finish("h.", {".attn.bias", ".attn.masked_bias"});
}

}  // namespace posiscope::transformers
