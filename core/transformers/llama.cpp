// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Llama (Touvron et al. 2023) and what is built alike, with the names of Hugging Face's files: RMSNorm, SwiGLU,
// grouped queries, rotary positions on half-split rows. Qwen 2 adds biases, Qwen 3 a norm for each head.
#include "core/files/refusal.h"
#include "core/models/config.h"
#include "core/transformers/families.h"
#include "core/transformers/plan_reader.h"

namespace posiscope::transformers {
namespace {

/// What the types differ in. Norms of each head that the weights hold are taken in any case; a type that always has
/// them must have them, because without them it would be another model.
struct Kind {
  bool head_norms = false;       ///< always there
  bool projection_bias = false;  ///< of queries, keys and values: always there
  bool attention_key = false;    ///< "attention_bias" promises those and one of the output
  bool mlp_key = false;          ///< "mlp_bias" promises those of the MLP
};

struct Biases {
  Bias projections, output, mlp;
};

Biases promisedBiases(const Kind& kind, const models::ConfigReader& config) {
  const auto promised = [](bool there) { return there ? Bias::promised : Bias::where_stored; };
  const bool attention = kind.attention_key && readFlag(config, "attention_bias", false);
  const bool mlp = kind.mlp_key && readFlag(config, "mlp_bias", false);
  return {promised(kind.projection_bias || attention), promised(attention), promised(mlp)};
}

LayerPlan readLayer(PlanReader& reader, const std::string& stem, const Shape& shape, double epsilon, bool head_norms,
                    const Biases& biases) {
  const std::int64_t width = shape.d_model;
  const std::int64_t asking = shape.num_heads * shape.head_dim;
  const std::int64_t kept = shape.kvHeads() * shape.head_dim;
  LayerPlan layer;
  layer.attention_norm = reader.rootMeanSquareNorm(stem + "input_layernorm", width, epsilon);
  layer.query = reader.linear(stem + "self_attn.q_proj", asking, width, biases.projections);
  layer.key = reader.linear(stem + "self_attn.k_proj", kept, width, biases.projections);
  layer.value = reader.linear(stem + "self_attn.v_proj", kept, width, biases.projections);
  layer.output = reader.linear(stem + "self_attn.o_proj", width, asking, biases.output);
  if (head_norms || reader.has(stem + "self_attn.q_norm.weight")) {
    layer.query_norm = reader.rootMeanSquareNorm(stem + "self_attn.q_norm", shape.head_dim, epsilon);
    layer.key_norm = reader.rootMeanSquareNorm(stem + "self_attn.k_norm", shape.head_dim, epsilon);
  }
  layer.mlp_norm = reader.rootMeanSquareNorm(stem + "post_attention_layernorm", width, epsilon);
  layer.gate = reader.linear(stem + "mlp.gate_proj", -1, width, biases.mlp);
  layer.up = reader.linear(stem + "mlp.up_proj", layer.gate.outputs, width, biases.mlp);
  layer.down = reader.linear(stem + "mlp.down_proj", width, layer.gate.outputs, biases.mlp);
  return layer;
}

/// What cannot be right in the configuration is told of it, not of the first tensor that does not fit it.
Outcome checkKeyHeads(const models::ConfigReader& config, const PlanReader& reader, const Shape& shape) {
  std::vector<Text> wrong;
  const models::ConfigReader sizes(config.object(), config.file(), wrong, config.path({}));
  const auto said = models::readSize(sizes, "num_kv_heads");
  if (!wrong.empty()) return fail(ErrorCode::bad_value, wrong.front().en, wrong.front().zh);
  const std::int64_t heads = said ? said->value : shape.num_heads;
  // Where the queries' rows do not fit either, it is another size that is wrong.
  const std::int64_t asking = reader.rowsOf("layers.0.self_attn.q_proj.weight");
  const std::int64_t rows = reader.rowsOf("layers.0.self_attn.k_proj.weight");
  const bool known = asking == shape.num_heads * shape.head_dim && rows > 0 && rows % shape.head_dim == 0;
  const std::int64_t stored = known ? rows / shape.head_dim : 0;
  const bool tells = stored > 0 && shape.num_heads % stored == 0;
  if (shape.num_heads % heads == 0 && (!tells || stored == heads)) return {};
  const Text allowed =
      tells ? Text{join(stored, ", as many heads as the weights hold keys of"), join(stored, "（权重文件中键的头数）")}
            : Text{join("a divisor of the ", shape.num_heads, " heads"), join("头数 ", shape.num_heads, " 的约数")};
  return files::refuse(ErrorCode::bad_shape, config.file(),
                       files::same(said ? said->key : config.path("num_key_value_heads")), allowed,
                       said ? files::same(join(said->value)) : Text{"none", "无"});
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

Outcome planWith(const Kind& kind, const models::ConfigReader& config, const WeightSource& source, Model& model) {
  if (Outcome ok = requireSizes(config, {"hidden_size", "num_attention_heads", "num_hidden_layers"}); !ok) return ok;
  const Expected<Activation> activation = readActivation(config, "hidden_act", Activation::silu);
  if (!activation) return fail(activation.error());
  const double epsilon = readNumber(config, "rms_norm_eps", 1e-6);
  const std::int64_t width = model.shape.d_model;

  PlanReader reader(source, {"model.", ""}, "embed_tokens.weight");
  if (Outcome ok = checkLayers(config, reader.layersStored("layers.")); !ok) return ok;
  if (Outcome ok = checkKeyHeads(config, reader, model.shape); !ok) return ok;
  Plan& plan = model.plan;
  plan.activation = *activation;
  plan.words = reader.tensor("embed_tokens.weight", {-1, width});
  const Biases biases = promisedBiases(kind, config);
  for (std::int64_t l = 0; l < model.shape.num_layers; ++l)
    plan.layers.push_back(readLayer(reader, join("layers.", l, "."), model.shape, epsilon, kind.head_norms, biases));
  plan.final_norm = reader.rootMeanSquareNorm("norm", width, epsilon);
  if (Outcome ok = reader.finish("layers.", {".rotary_emb.inv_freq"}); !ok) return ok;
  readHead(reader, config, model);
  return reader.finish("layers.", {".rotary_emb.inv_freq"});
}

}  // namespace

Outcome planLlama(const models::ConfigReader& config, const WeightSource& source, Model& model) {
  return planWith({.attention_key = true, .mlp_key = true}, config, source, model);
}

Outcome planMistral(const models::ConfigReader& config, const WeightSource& source, Model& model) {
  return planWith({}, config, source, model);
}

Outcome planQwen2(const models::ConfigReader& config, const WeightSource& source, Model& model) {
  return planWith({.projection_bias = true}, config, source, model);
}

Outcome planQwen3(const models::ConfigReader& config, const WeightSource& source, Model& model) {
  return planWith({.head_norms = true, .attention_key = true}, config, source, model);
}

}  // namespace posiscope::transformers
