// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The models of the training bench (core/train): pre-norm, GELU in the erf form, names as in their parameter list.
#include "core/models/checkpoint_config.h"
#include "core/train/task.h"
#include "core/transformers/families.h"
#include "core/transformers/plan_reader.h"

namespace posiscope::transformers {
namespace {

constexpr double epsilon = 1e-5;

Bias biasOf(const train::ModelSpec& spec) { return spec.linear_bias ? Bias::promised : Bias::where_stored; }

LayerPlan readLayer(PlanReader& reader, const std::string& stem, const train::ModelSpec& spec) {
  const std::int64_t d = spec.d_model, hidden = spec.hidden();
  const Bias bias = biasOf(spec);
  LayerPlan layer;
  layer.attention_norm = reader.layerNorm(stem + "ln1", d, epsilon);
  layer.query = reader.linear(stem + "attn.q", d, d, bias);
  layer.key = reader.linear(stem + "attn.k", d, d, bias);
  layer.value = reader.linear(stem + "attn.v", d, d, bias);
  layer.output = reader.linear(stem + "attn.o", d, d, bias);
  layer.mlp_norm = reader.layerNorm(stem + "ln2", d, epsilon);
  layer.up = reader.linear(stem + "mlp.up", hidden, d, bias);
  layer.down = reader.linear(stem + "mlp.down", d, hidden, bias);
  return layer;
}

/// Examples of the evaluation split. A text whose file is gone has none.
void setExamples(const train::RunSpec& run, Model& model) {
  auto task = train::makeTask(run.task, run.model.causal);
  if (!task) return model.notes.push_back(task.error().message);
  model.examples = [task = *std::move(task), spec = run.task, seed = run.data_seed](
                       std::uint64_t number, std::int64_t count) -> std::vector<std::int64_t> {
    const auto size = train::sizeOfTokens(*task, spec, count);
    if (!size) return {};
    const train::Batch batch =
        train::makeBatch(*task, spec, train::Split::evaluation, seed, static_cast<std::int64_t>(number), 1, *size);
    return {batch.tokens.begin(), batch.tokens.end()};
  };
}

}  // namespace

Outcome planPosiscope(const models::ConfigReader& config, const WeightSource& source, Model& model) {
  const Expected<train::RunSpec> run = models::checkpointRun(config);
  if (!run) return fail(run.error());
  const train::ModelSpec& spec = run->model;
  PlanReader reader(source, {""}, "embed.weight");
  Plan& plan = model.plan;
  plan.activation = Activation::gelu_erf;
  plan.divides_by_root = true;
  plan.words = reader.tensor("embed.weight", {-1, spec.d_model});
  plan.word_scale = spec.embed_scale;
  if (run->task.kind == train::TaskKind::index) plan.only_word = 1;
  for (std::int64_t l = 0; l < spec.num_layers; ++l)
    plan.layers.push_back(readLayer(reader, join("layers.", l, "."), spec));
  plan.final_norm = reader.layerNorm("final_ln", spec.d_model, epsilon);
  if (!spec.tied) plan.head = reader.linear("head", -1, spec.d_model, biasOf(spec));
  // What is named pe. the scheme has read.
  if (Outcome ok = reader.finish("layers.", {".pe.rel_k", ".pe.rel_v", ".pe.r.weight", ".pe.u", ".pe.v", ".pe.table",
                                             ".pe.scale", ".pe.offset"});
      !ok)
    return ok;
  if (spec.tied) {
    plan.head.weight = plan.words;
    plan.head.outputs = plan.vocabulary();
    plan.head.inputs = spec.d_model;
  }
  plan.predicts_next = train::predictsNextToken(run->task, spec.causal) && plan.head.outputs == plan.vocabulary();
  setExamples(*run, model);
  return {};
}

}  // namespace posiscope::transformers
