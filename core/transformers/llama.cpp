// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Llama (Touvron et al. 2023) and what is built alike, with the names of Hugging Face's files: RMSNorm, SwiGLU,
// grouped queries, rotary positions on half-split rows. Qwen 2 adds biases, Qwen 3 a norm for each head.
#include "core/transformers/families.h"
#include "core/transformers/plan_reader.h"

namespace posiscope::transformers {
namespace {

/// Norms of each head that the weights hold are taken in any case; a type that always has them must have them, because
/// without them it would be another model.
enum class HeadNorms { where_stored, always };

LayerPlan readLayer(PlanReader& reader, const std::string& stem, const Shape& shape, double epsilon, HeadNorms norms) {
  const std::int64_t width = shape.d_model;
  const std::int64_t asking = shape.num_heads * shape.head_dim;
  const std::int64_t kept = shape.kvHeads() * shape.head_dim;
  LayerPlan layer;
  layer.attention_norm = reader.rootMeanSquareNorm(stem + "input_layernorm", width, epsilon);
  layer.query = reader.linear(stem + "self_attn.q_proj", asking, width);
  layer.key = reader.linear(stem + "self_attn.k_proj", kept, width);
  layer.value = reader.linear(stem + "self_attn.v_proj", kept, width);
  layer.output = reader.linear(stem + "self_attn.o_proj", width, asking);
  if (norms == HeadNorms::always || reader.has(stem + "self_attn.q_norm.weight")) {
    layer.query_norm = reader.rootMeanSquareNorm(stem + "self_attn.q_norm", shape.head_dim, epsilon);
    layer.key_norm = reader.rootMeanSquareNorm(stem + "self_attn.k_norm", shape.head_dim, epsilon);
  }
  layer.mlp_norm = reader.rootMeanSquareNorm(stem + "post_attention_layernorm", width, epsilon);
  layer.gate = reader.linear(stem + "mlp.gate_proj", -1, width);
  layer.up = reader.linear(stem + "mlp.up_proj", layer.gate.outputs, width);
  layer.down = reader.linear(stem + "mlp.down_proj", width, layer.gate.outputs);
  return layer;
}

/// The head of its own, or the words' table where the two are tied. Where the file says that they are not, and the head
/// is not there, there is none: losses of another head would be taken for the model's.
void readHead(PlanReader& reader, const models::ConfigReader& config, Model& model) {
  const std::string own = "lm_head.weight";
  const auto tied = config.flag({"tie_word_embeddings"});
  Plan& plan = model.plan;
  if (tied ? tied->value : !reader.hasOuter(own)) {
    plan.head.weight = plan.words;
    if (!tied)
      model.notes.push_back(
          {join(config.file(), ": tie_word_embeddings is not given and the weights hold no ", own,
                "; the head is the table of the words"),
           join(config.file(), "：未给出 tie_word_embeddings，权重中也没有 ", own, "；以词嵌入表作为输出层")});
  } else if (reader.hasOuter(own)) {
    plan.head.weight = reader.outerTensor(own, {plan.vocabulary(), model.shape.d_model});
  } else {
    plan.missing_head = own;
    return;
  }
  plan.head.outputs = plan.vocabulary();
  plan.head.inputs = model.shape.d_model;
}

Outcome planWith(HeadNorms norms, const models::ConfigReader& config, const WeightSource& source, Model& model) {
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
    plan.layers.push_back(readLayer(reader, join("layers.", l, "."), model.shape, epsilon, norms));
  plan.final_norm = reader.rootMeanSquareNorm("norm", width, epsilon);
  if (Outcome ok = reader.finish("layers.", {".rotary_emb.inv_freq"}); !ok) return ok;
  readHead(reader, config, model);
  return reader.finish("layers.", {".rotary_emb.inv_freq"});
}

}  // namespace

Outcome planLlama(const models::ConfigReader& config, const WeightSource& source, Model& model) {
  return planWith(HeadNorms::where_stored, config, source, model);
}

Outcome planQwen3(const models::ConfigReader& config, const WeightSource& source, Model& model) {
  return planWith(HeadNorms::always, config, source, model);
}

}  // namespace posiscope::transformers
