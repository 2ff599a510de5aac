// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/transformers/model.h"

#include "core/files/json_text.h"
#include "core/files/reader.h"
#include "core/files/refusal.h"
#include "core/models/model.h"
#include "core/schemes/list.h"
#include "core/transformers/families.h"

#include <algorithm>
#include <filesystem>

namespace posiscope::transformers {
namespace {

/// The folder of a path that may name its config.json.
std::string folderOf(const std::string& path) {
  const std::filesystem::path p(path);
  if (p.filename() != "config.json") return path;
  return p.has_parent_path() ? p.parent_path().string() : std::string(".");
}

Expected<const Family*> familyOf(const models::Inspection& inspection) {
  const auto found = std::ranges::find(families(), std::string_view(inspection.model_type), &Family::type);
  if (found != families().end() && inspection.schemes.size() == 1) return &*found;
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
  const Expected<const Family*> family = familyOf(*inspection);
  if (!family) return fail(family.error());
  const Expected<WeightSource> source = WeightSource::open(folder);
  if (!source) return fail(source.error());
  const std::string config_path = (std::filesystem::path(folder) / "config.json").string();
  const Expected<std::string> text = files::readText(config_path);
  if (!text) return fail(text.error());
  const Expected<files::JsonText> config = files::parseJson(*text, config_path);
  if (!config) return fail(config.error());

  Model model;
  model.path = folder;
  model.model_type = inspection->model_type;
  model.shape = inspection->shape;
  model.mask = inspection->mask;
  model.train_length = inspection->train_length;
  model.scheme = std::move(inspection->schemes.front());
  model.notes = std::move(inspection->notes);
  setTrainedLength(model);
  const models::ConfigReader reader(config->root, files::escaped(config_path, 4096), model.notes);
  if (Outcome ok = (*family)->plan(reader, *source, model); !ok) return fail(ok.error());
  return model;
}

}  // namespace posiscope::transformers
