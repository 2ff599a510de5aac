// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// BERT (Devlin et al. 2019) with the names of Hugging Face's files: post-norm, learned positions, two segments. The
// encoder only: what follows it (pooler, heads) differs from task to task.
#include "core/transformers/families.h"
#include "core/transformers/plan_reader.h"

namespace posiscope::transformers {
namespace {

LayerPlan readLayer(PlanReader& reader, const std::string& stem, std::int64_t width, std::int64_t attended,
                    double epsilon) {
  LayerPlan layer;
  layer.query = reader.linear(stem + "attention.self.query", attended, width, Bias::promised);
  layer.key = reader.linear(stem + "attention.self.key", attended, width, Bias::promised);
  layer.value = reader.linear(stem + "attention.self.value", attended, width, Bias::promised);
  layer.output = reader.linear(stem + "attention.output.dense", width, attended, Bias::promised);
  layer.attention_norm = reader.layerNorm(stem + "attention.output.LayerNorm", width, epsilon);
  layer.up = reader.linear(stem + "intermediate.dense", -1, width, Bias::promised);
  layer.down = reader.linear(stem + "output.dense", width, layer.up.outputs, Bias::promised);
  layer.mlp_norm = reader.layerNorm(stem + "output.LayerNorm", width, epsilon);
  return layer;
}

}  // namespace

Outcome planBert(const models::ConfigReader& config, const WeightSource& source, Model& model) {
  if (Outcome ok = requireSizes(config, {"hidden_size", "num_attention_heads", "num_hidden_layers"}); !ok) return ok;
  for (const char* key : {"is_decoder", "add_cross_attention"})
    if (Outcome ok = refuseFlag(config, key); !ok) return ok;
  const Expected<Activation> activation = readActivation(config, "hidden_act", Activation::gelu_erf);
  if (!activation) return fail(activation.error());
  const double epsilon = readNumber(config, "layer_norm_eps", 1e-12);
  const std::int64_t width = model.shape.d_model;

  PlanReader reader(source, {"bert.", ""}, "embeddings.word_embeddings.weight");
  if (Outcome ok = checkLayers(config, reader.layersStored("encoder.layer.")); !ok) return ok;
  Plan& plan = model.plan;
  plan.post_norm = true;
  plan.activation = *activation;
  plan.words = reader.tensor("embeddings.word_embeddings.weight", {-1, width});
  reader.tensor("embeddings.position_embeddings.weight", {-1, width});  // must be there; the scheme has read it
  plan.segments = reader.tensor("embeddings.token_type_embeddings.weight", {-1, width});
  plan.embedding_norm = reader.layerNorm("embeddings.LayerNorm", width, epsilon);
  for (std::int64_t l = 0; l < model.shape.num_layers; ++l)
    plan.layers.push_back(readLayer(reader, join("encoder.layer.", l, "."), width,
                                    model.shape.num_heads * model.shape.head_dim, epsilon));
  return reader.finish("encoder.layer.", {});
}

}  // namespace posiscope::transformers
