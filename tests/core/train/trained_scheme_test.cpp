// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A checkpoint opened as a model does exactly what the trainer's own forward pass does, with the catalogue's scheme in
// place of the trainer's encoding.
#include "core/train/trained_scheme.h"
#include "core/model_content.h"
#include "core/models/checkpoint_config.h"
#include "core/token_names.h"
#include "core/train/checkpoint.h"
#include "core/train/run_loop.h"
#include "tests/core/train/small_model.h"
#include "tests/core/train/small_run.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cmath>

namespace posiscope::train {
namespace {

/// A task that the variant can be trained on: patches where it needs a grid.
RunSpec runOf(const Variant& variant) {
  RunSpec run;
  run.model = variant.spec;
  run.task.kind = variant.name == "zero_words" ? TaskKind::index : TaskKind::induction;
  run.task.length = 6;
  run.task.symbols = 7;
  run.task.low = 2;
  run.task.high = 3;
  run.task.bos = true;
  for (const char* image : {"learned_2d", "sinusoidal_2d", "conditional"})
    if (variant.spec.position.scheme == image) run.task.kind = TaskKind::image;
  run.task.grid_height = 2;
  run.task.grid_width = 3;
  run.schedule.steps = 1;
  run.schedule.batch = 2;
  return run;
}

class TrainedScheme : public EachVariant {};

TEST_P(TrainedScheme, ComputesWhatTheTrainerDoes) {
  const Variant& variant = GetParam();
  TrainingRun run = started(runOf(variant));
  setScattered(run.model(), variant.name);
  const test::TemporaryFolder folder;
  ASSERT_TRUE(exportModel(run, folder.path()));
  const auto opened = transformers::openModel(folder.path());
  ASSERT_TRUE(opened) << opened.error().message.en;
  EXPECT_EQ(opened->scheme.id, variant.spec.position.scheme);

  const Batch batch =
      makeBatch(run.task(), run.spec().task, Split::evaluation, run.spec().data_seed, 3, 1, sizeOf(run.spec().task));
  ASSERT_TRUE(run.model().forward(batch));
  transformers::Prompt prompt;
  prompt.tokens.assign(batch.tokens.begin(), batch.tokens.end());
  transformers::Wanted wanted;
  wanted.attention_weights = wanted.logits = true;
  const auto trace = transformers::run<double>(*opened, prompt, wanted);
  ASSERT_TRUE(trace) << trace.error().message.en;
  const ModelSpec& spec = run.model().spec();
  const auto size = static_cast<std::size_t>(batch.length * batch.length);
  for (std::int64_t l = 0; l < spec.num_layers; ++l)
    for (std::int64_t h = 0; h < spec.num_heads; ++h) {
      const std::span<const float> own = run.model().attention(l, 0, h);
      const auto& theirs = trace->layers[static_cast<std::size_t>(l)].attention.weights;
      for (std::size_t e = 0; e < size; ++e)
        ASSERT_NEAR(own[e], theirs[static_cast<std::size_t>(h) * size + e], 2e-5)
            << variant.name << " layer " << l << " head " << h << " row " << e / 6 << " column " << e % 6;
    }
  ASSERT_EQ(trace->logits.values.size(), run.model().logits().size());
  for (std::size_t e = 0; e < trace->logits.values.size(); ++e)
    ASSERT_NEAR(run.model().logits()[e], trace->logits.values[e], 2e-4) << variant.name << " logit " << e;
}

INSTANTIATE_TEST_SUITE_P(All, TrainedScheme, testing::ValuesIn(variants()),
                         [](const auto& variant) { return variant.param.name; });

RunSpec textRun(std::int64_t steps) {
  RunSpec spec = smallRun("rope", steps);
  spec.model.causal = true;
  spec.model.num_layers = 2;
  spec.task.kind = TaskKind::text;
  spec.task.length = 16;
  return spec;
}

class OpenedCheckpoint : public testing::Test {
 protected:
  OpenedCheckpoint() : run(started(textRun(3))) {
    EXPECT_TRUE(trainOn(run, Job{}, {.folder = folder.path()}));
    const auto found = models::inspect(folder.path());
    EXPECT_TRUE(found) << found.error().message.en;
    experiment = models::experimentOf(*found, startExperiment());
  }
  Question question(std::int64_t layer) const {
    Question q;
    q.shape = experiment.shape;
    q.shape.layer = layer;
    q.mask = experiment.mask;
    q.content = experiment.content;
    q.scheme = experiment.schemes.front();
    q.train_length = experiment.train_length;
    return q;
  }

  test::TemporaryFolder folder;
  TrainingRun run;
  Experiment experiment;
};

TEST_F(OpenedCheckpoint, IsTheQuestionAboutItsOwnAttention) {
  EXPECT_EQ(experiment.content.source, ContentSource::model);
  EXPECT_EQ(experiment.shape.seq_len, 16);
  EXPECT_EQ(experiment.shape.head_dim, 8);
  EXPECT_EQ(experiment.shape.num_layers, 2);
  EXPECT_EQ(experiment.train_length, 16);
  EXPECT_TRUE(experiment.mask.causal);
  // A checkpoint of the same run lies beside it and is not taken for its weights.
  EXPECT_EQ(transformers::openModel(folder.file("config.json"))->scheme.id, "rope");
}

TEST_F(OpenedCheckpoint, ReadsTextAsItWasTrainedOnWithItsLetters) {
  ContentSpec content = experiment.content;
  content.seed = 5;
  const auto labels = modelTokenLabels(content, experiment.shape);
  const Batch batch = makeBatch(run.task(), run.spec().task, Split::evaluation, 1, 5, 1, sizeOf(run.spec().task));
  ASSERT_EQ(labels.size(), 16u);
  std::string text;
  for (std::size_t t = 0; t < labels.size(); ++t) {
    EXPECT_EQ(labels[t], run.task().label(batch.tokens[t]));
    text += labels[t];
  }
  EXPECT_NE(text.find("␣"), std::string::npos) << text;
  EXPECT_TRUE(modelScope(content, experiment.shape).en.ends_with(", evaluation example 5"));
  content.token_ids = "1 2 3";
  EXPECT_FALSE(showsExample(content, 3));
  content.token_ids.clear();
  // Longer than it was trained on, as long as there is text.
  Shape longer = experiment.shape;
  longer.seq_len = 64;
  EXPECT_EQ(modelTokenLabels(content, longer).size(), 64u);
}

TEST_F(OpenedCheckpoint, AnswersWhenAKnobIsTurned) {
  transformers::Wanted wanted;
  wanted.layers = {1};
  wanted.attention_weights = wanted.losses = true;
  Question q = question(1);
  const auto plain = runModel<double>(q, wanted, Job());
  ASSERT_TRUE(plain) << plain.error().message.en;
  q.scheme.values["base"] = 30.0;
  const auto other_base = runModel<double>(q, wanted, Job());
  ASSERT_TRUE(other_base) << other_base.error().message.en;
  q = question(1);
  q.scheme.values["scaling"] = std::string("yarn");
  const auto stretched = runModel<double>(q, wanted, Job());
  ASSERT_TRUE(stretched) << stretched.error().message.en;
  EXPECT_NE(plain->layers[0].attention.weights, other_base->layers[0].attention.weights);
  EXPECT_NE(plain->losses, other_base->losses);
  EXPECT_NE(plain->losses, stretched->losses);
  // The trained length is what a scaling that is switched on stretches.
  EXPECT_EQ(std::get<double>(q.scheme.values.at("original_length")), 16);
}

TEST(CheckpointConfig, IsRefusedWithASentenceWhereItCouldNotBeTrained) {
  const test::TemporaryFolder folder;
  const TrainingRun run = started(smallRun());
  ASSERT_TRUE(exportModel(run, folder.path()));
  const std::string config = folder.read("config.json");
  const auto noteWith = [&](const std::string& from, const std::string& to) -> std::string {
    std::string text = config;
    const std::size_t at = text.rfind(from);
    EXPECT_NE(at, std::string::npos) << from;
    folder.write("config.json", text.replace(at, from.size(), to));
    const auto found = models::inspect(folder.path());
    EXPECT_TRUE(found && found->schemes.empty());
    EXPECT_FALSE(transformers::openModel(folder.path()));
    return found && !found->notes.empty() ? found->notes.front().en : "";
  };
  EXPECT_NE(noteWith("\"rope\"", "\"ropes\"").find("no scheme 'ropes'"), std::string::npos);
  EXPECT_NE(noteWith("\"rope\"", "\"tupe\"").find("cannot be trained"), std::string::npos);
  EXPECT_NE(noteWith("\"d_model\": 16", "\"d_model\": 15").find("multiple of num_heads"), std::string::npos);
  EXPECT_NE(noteWith("\"posiscope\": {", "\"posiscopf\": {").find("specification"), std::string::npos);
}

TEST(CheckpointConfig, HasNoLossOfTheNextTokenWhereThatIsNotTheTask) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(exportModel(started(smallRun()), folder.path()));  // an encoder that copies
  const auto model = transformers::openModel(folder.path());
  ASSERT_TRUE(model) << model.error().message.en;
  transformers::Wanted wanted;
  wanted.losses = true;
  EXPECT_EQ(transformers::run<float>(*model, {{0, 1, 2}, {}, {}}, wanted).error().code, ErrorCode::not_supported);
  wanted = {};
  wanted.logits = true;
  EXPECT_TRUE(transformers::run<float>(*model, {{0, 1, 2}, {}, {}}, wanted));
}

TEST(LayerStack, IsOneArrayOfEqualOnes) {
  const auto rows = [](std::int64_t second) {
    return layerStack("pe.x", 2, [second](const std::string& name) {
      return name == "layers.0.pe.x"   ? makeArray({2}, {1, 2})
             : name == "layers.1.pe.x" ? makeArray({second}, std::vector<double>(static_cast<std::size_t>(second), 3))
                                       : Array{};
    });
  };
  EXPECT_EQ(rows(2), makeArray({2, 2}, {1, 2, 3, 3}));
  EXPECT_TRUE(rows(3).empty());
  EXPECT_TRUE(layerStack("pe.y", 2, [](const std::string&) { return Array{}; }).shape.empty());
}

TEST(EveryTrainable, HasAVariantHere) {
  for (const Trainable& trainable : trainables()) {
    const auto all = variants();
    EXPECT_TRUE(std::ranges::any_of(all, [&](const Variant& v) { return v.spec.position.scheme == trainable.scheme; }))
        << trainable.scheme;
  }
}

TEST(TaskLabels, TellEveryTokenFromTheOthers) {
  for (const TaskKind kind : {TaskKind::copy, TaskKind::retrieval, TaskKind::modular, TaskKind::text}) {
    TaskSpec spec;
    spec.kind = kind;
    const auto task = *makeTask(spec, true);
    std::vector<std::string> labels;
    for (std::int64_t token = 0; token < task->vocab(); ++token) labels.push_back(task->label(token));
    std::ranges::sort(labels);
    EXPECT_EQ(std::ranges::adjacent_find(labels), labels.end());
    EXPECT_FALSE(labels.front().empty());
  }
}

TEST(TaskSizes, AreFoundForAGivenNumberOfTokens) {
  const auto sizeFor = [](TaskKind kind, bool causal, std::int64_t count) {
    TaskSpec spec;
    spec.kind = kind;
    const auto task = *makeTask(spec, causal);
    return sizeOfTokens(*task, spec, count);
  };
  EXPECT_EQ(sizeFor(TaskKind::copy, true, 10)->length, 5);
  EXPECT_FALSE(sizeFor(TaskKind::copy, true, 9));
  EXPECT_EQ(sizeFor(TaskKind::copy, false, 9)->length, 4);
  EXPECT_EQ(sizeFor(TaskKind::text, true, 9)->length, 9);
  EXPECT_FALSE(sizeFor(TaskKind::text, true, 1 << 20));
  EXPECT_EQ(sizeFor(TaskKind::image, false, 30)->grid->height, 5);
  EXPECT_FALSE(sizeFor(TaskKind::image, false, 31));
  EXPECT_FALSE(sizeFor(TaskKind::modular, true, 4));
  EXPECT_TRUE(sizeFor(TaskKind::modular, true, 3));
}

}  // namespace
}  // namespace posiscope::train
