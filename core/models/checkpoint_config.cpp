// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The family of models that the training bench makes: config.json holds the specification of the run.
#include "core/models/checkpoint_config.h"

#include "core/files/json_text.h"
#include "core/files/refusal.h"
#include "core/models/config.h"
#include "core/train/check.h"
#include "core/train/run_spec_json.h"
#include "core/train/task.h"
#include "core/train/trainable.h"
#include "core/train/trained_scheme.h"

#include <algorithm>

namespace posiscope::models {
namespace {

constexpr const char* run_key = "posiscope";

Array noTensor(const std::string&) { return {}; }

/// "posiscope → RoPE, trained on text for 3000 steps; seq_len 64 from max_position_embeddings"
Text reasonOf(const train::RunSpec& run, const SchemeChoice& scheme, const Shape& shape) {
  const Text name = displayName(scheme);
  const auto& tasks = train::taskTable().specs().front().choices;
  const Text& task = tasks.at(static_cast<std::size_t>(run.task.kind)).label;
  const std::string sizes =
      join("d_model ", shape.d_model, ", num_heads ", shape.num_heads, ", num_layers ", shape.num_layers);
  return {join("model_type ", checkpoint_type, " → ", name.en, ", trained by this program on the task ", task.en,
               " for ", run.schedule.steps, " steps at ", shape.seq_len, " tokens; ", sizes),
          join("model_type ", checkpoint_type, " → ", name.zh, "，由本程序在任务“", task.zh, "”上以 ", shape.seq_len,
               " 个词元训练 ", run.schedule.steps, " 步；", sizes)};
}

void setShape(const ConfigReader& root, const train::RunSpec& run, Inspection& to) {
  const train::ModelSpec& m = run.model;
  to.shape.d_model = m.d_model;
  to.shape.num_heads = m.num_heads;
  to.shape.head_dim = m.headDim();
  to.shape.num_layers = m.num_layers;
  const train::TaskSize size = train::sizeOf(run.task);
  if (size.grid) {
    to.shape.grid_height = size.grid->height;
    to.shape.grid_width = size.grid->width;
  }
  const auto length = root.whole({"max_position_embeddings"}, 1, longest_drawn);
  to.shape.seq_len = size.grid ? size.grid->patches() : length ? length->value : size.length;
  to.mask.causal = m.causal;
  to.train_length = static_cast<double>(to.shape.seq_len);
}

/// Tensors of the files, read when they are asked for; what cannot be read becomes a note.
class Tensors {
 public:
  Tensors(const std::vector<std::string>& paths, Tables tables, std::vector<Text>& notes, const Job& job)
      : tables_(tables), notes_(notes) {
    for (const std::string& path : paths)
      if (Expected<files::Safetensors> file = files::Safetensors::open(path, job)) files_.push_back(*std::move(file));
  }

  Array operator()(const std::string& name) const {
    for (const files::Safetensors& file : files_) {
      const files::TensorEntry* entry = file.find(name);
      if (!entry) continue;
      if (tables_ == Tables::named) return {entry->shape, nullptr, join(file.path(), "#", name)};
      Expected<Array> array = file.read(*entry);
      if (array) return *std::move(array);
      notes_.push_back(array.error().message);
    }
    return {};
  }

 private:
  std::vector<files::Safetensors> files_;
  Tables tables_;
  std::vector<Text>& notes_;
};

}  // namespace

bool isCheckpoint(const ConfigReader& root) {
  return root.object().value("model_type", nlohmann::json()) == checkpoint_type;
}

Expected<train::RunSpec> checkpointRun(const ConfigReader& root) {
  const auto in_file = [&](const Error& error) {
    return fail(error.code, join(root.file(), ": ", error.message.en), join(root.file(), "：", error.message.zh));
  };
  Expected<train::RunSpec> run = train::runFromJson(root.object().value(run_key, nlohmann::json()));
  if (!run) return in_file(run.error());
  if (Outcome ok = train::checkModel(run->model); !ok) return in_file(ok.error());
  if (const auto position = train::makePosition<float>(run->model); !position) return in_file(position.error());
  return run;
}

void readCheckpoint(const ConfigReader& root, Inspection& to) {
  to.model_type = checkpoint_type;
  const Expected<train::RunSpec> run = checkpointRun(root);
  if (!run) return to.notes.push_back(run.error().message);
  setShape(root, *run, to);
  to.schemes = {train::trainedScheme(run->model, to.shape.seq_len, noTensor)};
  to.reasons.push_back(reasonOf(*run, to.schemes.front(), to.shape));
}

void addTrained(const std::string& config, const std::vector<std::string>& weights, Tables tables, Inspection& to,
                const Job& job) {
  if (to.model_type != checkpoint_type || to.schemes.empty() || weights.empty()) return;
  const Expected<std::string> text = files::readText(config);
  if (!text) return;  // it was read a moment ago, which has been told
  const Expected<files::JsonText> parsed = files::parseJson(*text, config);
  if (!parsed) return;
  std::vector<Text> told;
  const Expected<train::RunSpec> run = checkpointRun(ConfigReader(parsed->root, files::escaped(config, 4096), told));
  if (!run) return;
  to.schemes = {train::trainedScheme(run->model, to.shape.seq_len, Tensors(weights, tables, to.notes, job))};
  for (const files::TensorEntry& tensor : to.tensors)
    if (tensor.name.starts_with("pe.") || tensor.name.find(".pe.") != std::string::npos)
      to.positional.push_back(tensor.name);
}

}  // namespace posiscope::models
