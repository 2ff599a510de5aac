// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/transformers/model.h"

#include "core/files/json_text.h"
#include "core/files/reader.h"
#include "core/files/refusal.h"
#include "core/models/checkpoint_config.h"
#include "core/models/config.h"
#include "core/models/weight_files.h"
#include "core/schemes/list.h"
#include "core/transformers/families.h"

#include <algorithm>
#include <filesystem>

namespace posiscope::transformers {
namespace {

namespace fs = std::filesystem;

bool hasConfig(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / "config.json", error);
}

/// The folder of a path that may name its config.json, or its weights where a configuration stands beside them.
std::string folderOf(const std::string& path) {
  const fs::path p(path);
  const fs::path folder = p.has_parent_path() ? p.parent_path() : fs::path(".");
  std::error_code error;
  const bool weights = (p.extension() == ".safetensors" || path.ends_with(".safetensors.index.json")) &&
                       fs::is_regular_file(p, error) && hasConfig(folder);
  return p.filename() == "config.json" || weights ? folder.string() : path;
}

/// The folder must be one of a model, and weights that were named must be those that it is read from.
Outcome checkPath(const std::string& path, const std::string& folder) {
  std::error_code error;
  if (!hasConfig(folder)) {
    if (fs::is_directory(folder, error))
      return files::refuse(
          ErrorCode::file_missing, folder, {"the folder", "文件夹"},
          {"a model with config.json and .safetensors files", "含有 config.json 与 .safetensors 文件的模型"},
          Text{"one without config.json", "没有 config.json 的文件夹"});
    return files::refuse(ErrorCode::file_missing, folder, {"the path", "路径"},
                         {"a model folder, its config.json, or a .safetensors with config.json beside it",
                          "模型文件夹、其中的 config.json，或旁边有 config.json 的 .safetensors"},
                         Text{"none of these", "都不是"});
  }
  if (fs::path(path).extension() != ".safetensors" || path == folder) return {};
  const Expected<std::vector<std::string>> weights = models::weightFiles(folder);
  if (!weights) return fail(weights.error());
  const auto named = [&](const std::string& file) { return fs::equivalent(file, path, error); };
  if (std::ranges::any_of(*weights, named)) return {};
  return files::refuse(ErrorCode::file_type, path, {"the file", "文件"},
                       {"one of those that its folder's model is read from", "其文件夹的模型所读取的文件之一"},
                       Text{"another one", "另一个文件"});
}

/// Why there is no encoding in a model of a known type.
Error withoutScheme(const models::ConfigReader& config) {
  if (models::isCheckpoint(config))
    if (const auto run = models::checkpointRun(config); !run) return run.error();
  const auto type = config.text({"position_embedding_type"});
  const std::string found = type ? "'" + files::escaped(type->value) + "'" : std::string("none");
  return files::refuse(ErrorCode::not_supported, config.file(), files::same(config.path("position_embedding_type")),
                       files::same("absolute"), found)
      .value();
}

Expected<const Family*> familyOf(const models::Inspection& inspection) {
  const auto found = std::ranges::find(families(), std::string_view(inspection.model_type), &Family::type);
  if (found != families().end()) return &*found;
  std::string names;
  for (const Family& f : families()) names += (names.empty() ? "" : ", ") + std::string(f.type);
  const std::string type = files::escaped(inspection.model_type);
  return files::refuse(
      ErrorCode::not_supported, inspection.path, {"the model_type of a model to run", "要运行的模型的 model_type"},
      {"one of " + names, "以下之一：" + names}, type.empty() ? Text{"none", "无"} : files::same("'" + type + "'"));
}

/// A scaling that is switched on later stretches the length this model was trained at, not a length of the table of
/// parameters.
void setTrainedLength(Model& model) {
  const Scheme& scheme = *schemes::find(model.scheme.id);
  if (model.train_length < 1) return;
  for (const char* key : {"original_length", "max_length"})
    if (findParam(scheme.params, key)) model.scheme.values.emplace(key, model.train_length);
}

}  // namespace

Expected<Model> openModel(const std::string& path, const Job& job) {
  const std::string folder = folderOf(path);
  Expected<models::Inspection> inspection = models::inspect(folder, models::Tables::read, job);
  if (!inspection) return fail(inspection.error());
  if (Outcome ok = checkPath(path, folder); !ok) return fail(ok.error());
  const Expected<const Family*> family = familyOf(*inspection);
  if (!family) return fail(family.error());
  const std::string config_path = (fs::path(folder) / "config.json").string();
  const Expected<std::string> text = files::readText(config_path);
  if (!text) return fail(text.error());
  const Expected<files::JsonText> config = files::parseJson(*text, config_path);
  if (!config) return fail(config.error());
  const models::ConfigReader whole(config->root, files::escaped(config_path, 4096), inspection->notes);
  const models::ConfigReader reader = models::textTower(whole);
  if (inspection->schemes.size() != 1) return fail(withoutScheme(reader));
  const Expected<WeightSource> source = WeightSource::open(folder);
  if (!source) return fail(source.error());

  Model model;
  model.path = folder;
  model.model_type = inspection->model_type;
  model.shape = inspection->shape;
  model.mask = inspection->mask;
  model.train_length = inspection->train_length;
  model.scheme = std::move(inspection->schemes.front());
  setTrainedLength(model);
  if (Outcome ok = (*family)->plan(reader, *source, model); !ok) return fail(ok.error());
  model.notes.insert(model.notes.begin(), inspection->notes.begin(), inspection->notes.end());
  return model;
}

}  // namespace posiscope::transformers
