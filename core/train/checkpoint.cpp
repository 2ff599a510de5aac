// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/checkpoint.h"

#include "core/files/json_text.h"
#include "core/files/reader.h"
#include "core/files/safetensors_writer.h"
#include "core/train/run_spec_json.h"

namespace posiscope::train {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr const char* story_name = "posiscope.run";  // JSON text as bytes

std::vector<files::TensorToWrite> parameterTensors(const TrainingRun& run) {
  std::vector<files::TensorToWrite> tensors;
  for (const Parameter& p : run.model().layout().parameters)
    tensors.push_back(files::tensorToWrite(
        p.name, p.shape,
        run.model().parameters().subspan(static_cast<std::size_t>(p.offset), static_cast<std::size_t>(p.size()))));
  return tensors;
}

/// A flat array of the file. Error: file_format.
Expected<std::vector<float>> flat(const files::Safetensors& file, const std::string& name, std::size_t size) {
  const files::TensorEntry* entry = file.find(name);
  const Expected<Array> array = entry ? file.read(*entry) : Expected<Array>(Array{});
  if (!array) return fail(array.error());
  if (static_cast<std::size_t>(array->size()) != size)
    return fail(ErrorCode::file_format,
                join(file.path(), ": '", name, "' must have ", size, " numbers, got ", array->size()),
                join(file.path(), "：“", name, "”必须有 ", size, " 个数，得到 ", array->size()));
  if (size == 0) return std::vector<float>{};
  return std::vector<float>(array->values->begin(), array->values->end());
}

/// The text that `saveCheckpoint` put beside the numbers.
Expected<json> storyOf(const files::Safetensors& file) {
  const files::TensorEntry* entry = file.find(story_name);
  if (!entry)
    return fail(ErrorCode::file_format,
                join(file.path(), " is not a checkpoint of a training run: it holds no '", story_name, "'"),
                join(file.path(), " 不是训练检查点：其中没有“", story_name, "”"));
  const Expected<Array> bytes = file.read(*entry);
  if (!bytes) return fail(bytes.error());
  std::string text;
  for (std::int64_t i = 0; i < bytes->size(); ++i) text.push_back(static_cast<char>(bytes->data()[i]));
  Expected<files::JsonText> document = files::parseJson(text, file.path());
  if (!document) return fail(document.error());
  return std::move(document->root);
}

Outcome fillRun(TrainingRun& run, const files::Safetensors& file, const json& story) {
  const std::size_t size = run.model().parameters().size();
  std::vector<float> parameters;
  for (const Parameter& p : run.model().layout().parameters) {
    const Expected<std::vector<float>> part = flat(file, p.name, static_cast<std::size_t>(p.size()));
    if (!part) return fail(part.error());
    parameters.insert(parameters.end(), part->begin(), part->end());
  }
  const Expected<std::vector<float>> first = flat(file, "optimiser.first", size);
  const Expected<std::vector<float>> second = flat(file, "optimiser.second", run.optimiser().second().size());
  if (!first) return fail(first.error());
  if (!second) return fail(second.error());
  run.restore(story.at("step").get<std::int64_t>(), parameters, *first, *second, historyFromJson(story.at("history")));
  return {};
}

}  // namespace

std::string checkpointPath(const std::string& folder) { return folder + "/checkpoint.safetensors"; }

Outcome saveCheckpoint(const TrainingRun& run, const std::string& folder) {
  const std::string story =
      ordered_json{{"run", toJson(run.spec())}, {"step", run.step()}, {"history", toJson(run.history())}}.dump();
  std::vector<files::TensorToWrite> tensors = parameterTensors(run);
  const auto add = [&](const char* name, std::span<const float> numbers) {
    tensors.push_back(files::tensorToWrite(name, {static_cast<std::int64_t>(numbers.size())}, numbers));
  };
  add("optimiser.first", run.optimiser().first());
  if (!run.optimiser().second().empty()) add("optimiser.second", run.optimiser().second());
  tensors.push_back(files::tensorToWrite<char>(story_name, {static_cast<std::int64_t>(story.size())}, story));
  return files::writeSafetensors(checkpointPath(folder), tensors);
}

Expected<TrainingRun> loadCheckpoint(const std::string& folder) {
  const Expected<files::Safetensors> file = files::Safetensors::open(checkpointPath(folder));
  if (!file) return fail(file.error());
  const Expected<json> story = storyOf(*file);
  if (!story) return fail(story.error());
  try {
    const Expected<RunSpec> spec = runFromJson(story->at("run"));
    if (!spec) return fail(spec.error());
    Expected<TrainingRun> run = TrainingRun::create(*spec);
    if (!run) return run;
    if (Outcome ok = fillRun(*run, *file, *story); !ok) return fail(ok.error());
    return run;
  } catch (const json::exception& problem) {
    return fail(ErrorCode::file_format, join(file->path(), ": the history is not as it was written: ", problem.what()),
                join(file->path(), "：训练记录与写入时不同：", problem.what()));
  }
}

Outcome exportModel(const TrainingRun& run, const std::string& folder) {
  const ModelSpec& m = run.model().spec();
  const TaskSize size = sizeOf(run.spec().task);
  const ordered_json config{{"model_type", "posiscope"},
                            {"architectures", {"PosiscopeTransformer"}},
                            {"vocab_size", m.vocab},
                            {"num_classes", m.outputs()},
                            {"hidden_size", m.d_model},
                            {"num_hidden_layers", m.num_layers},
                            {"num_attention_heads", m.num_heads},
                            {"intermediate_size", m.hidden()},
                            {"max_position_embeddings", run.task().tokens(size)},
                            {"layer_norm_eps", 1e-5},
                            {"is_decoder", m.causal},
                            {"tie_word_embeddings", m.tied},
                            {"attention_bias", m.linear_bias},
                            {"training_steps", run.step()},
                            {"posiscope", toJson(run.spec())}};
  ordered_json vocabulary = ordered_json::object();
  for (std::int64_t token = 0; token < m.vocab; ++token) vocabulary[run.task().label(token)] = token;
  if (Outcome ok = files::writeSafetensors(folder + "/model.safetensors", parameterTensors(run)); !ok) return ok;
  if (Outcome ok = files::writeAtomically(folder + "/vocab.json", vocabulary.dump(1) + "\n"); !ok) return ok;
  return files::writeAtomically(folder + "/config.json", config.dump(2) + "\n");
}

}  // namespace posiscope::train
