// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// posiscope inspect PATH: what a model, an array file, a session or a training comparison holds, and which scheme it
// means.
#include "app/cli/command.h"
#include "core/models/origin.h"
#include "core/session.h"
#include "core/train/comparison_record.h"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

namespace posiscope::cli {
namespace {

using nlohmann::json;

json tensorJson(const models::Inspection& i, const files::TensorEntry& t) {
  return {{"name", t.name},         {"dtype", t.dtype},
          {"shape", t.shape},       {"bytes", t.bytes},
          {"readable", t.readable}, {"positional", std::ranges::find(i.positional, t.name) != i.positional.end()}};
}

/// The experiment as a session has it. Its tables were not read: they are named by file and shape, without a digest.
json experimentJson(const models::Inspection& i) {
  const Experiment experiment = models::experimentOf(i, Experiment{});
  json object = session::toJson(experiment);
  for (std::size_t s = 0; s < experiment.schemes.size(); ++s)
    for (const auto& [key, value] : experiment.schemes[s].values)
      if (const auto* table = std::get_if<Array>(&value); table && isMissing(value))
        object["schemes"][s]["values"][key] = {{"file", table->source}, {"shape", table->shape}};
  if (const Array& attention = experiment.content.attention; isMissing(attention))
    object["content"]["attention"] = {{"file", attention.source}, {"shape", attention.shape}};
  return object;
}

void printJson(const models::Inspection& i) {
  json tensors = json::array();
  for (const files::TensorEntry& t : i.tensors) tensors.push_back(tensorJson(i, t));
  const auto sentences = [](const std::vector<Text>& texts) {
    json list = json::array();
    for (const Text& t : texts) list.push_back(t.en);
    return list;
  };
  const json object{{"path", i.path},
                    {"kind", i.kind},
                    {"model_type", i.model_type},
                    {"tensors", tensors},
                    {"positional", i.positional},
                    {"experiment", experimentJson(i)},
                    {"schemes", static_cast<int>(i.schemes.size())},
                    {"reasons", sentences(i.reasons)},
                    {"notes", sentences(i.notes)}};
  std::cout << object.dump(2, ' ', false, json::error_handler_t::replace) << '\n';
}

void printSchemes(const std::vector<SchemeChoice>& schemes) {
  for (const SchemeChoice& s : schemes) {
    const std::string values = displayValues(s).en;
    std::cout << "scheme  " << s.id << "  " << displayName(s).en << (values.empty() ? "" : "  " + values) << '\n';
  }
}

void printText(const models::Inspection& i) {
  std::cout << i.path << ": " << i.kind << (i.model_type.empty() ? "" : ", " + i.model_type) << '\n';
  printSchemes(i.schemes);
  if (i.schemes.empty()) std::cout << "scheme  none found\n";
  for (const Text& reason : i.reasons) std::cout << "why     " << reason.en << '\n';
  for (const Text& note : i.notes) std::cout << "note    " << note.en << '\n';
  for (const files::TensorEntry& t : i.tensors) {
    const bool positional = std::ranges::find(i.positional, t.name) != i.positional.end();
    std::cout << (positional ? "tensor* " : "tensor  ") << t.name << "  " << t.dtype << ' ' << shapeText(t.shape)
              << (t.readable ? "" : "  (cannot be shown)") << '\n';
  }
  if (!i.positional.empty()) std::cout << "* carries position\n";
}

void printSession(const std::string& path, const session::Opened& opened) {
  std::cout << path << ": session\n";
  printSchemes(opened.experiment.schemes);
  if (opened.experiment.schemes.empty()) std::cout << "scheme  none\n";
  std::cout << "shape  ";
  const ParamValues shape = shapeTable().values(opened.experiment.shape);
  for (const ParamSpec& spec : shapeTable().specs())
    if (shape.contains(spec.key) || valueOf(spec, shape) != Value(0.0))
      std::cout << ' ' << spec.key << ' ' << valueText(valueOf(spec, shape));
  std::cout << '\n';
  for (const session::MissingArray& missing : opened.missing) std::cout << "missing " << describe(missing).en << '\n';
  for (const Text& note : opened.notes) std::cout << "note    " << note.en << '\n';
}

void printSessionJson(const std::string& path, const session::Opened& opened) {
  json missing = json::array();
  for (const session::MissingArray& m : opened.missing)
    missing.push_back({{"where", m.where}, {"file", m.path}, {"sentence", describe(m).en}});
  json notes = json::array();
  for (const Text& note : opened.notes) notes.push_back(note.en);
  const json object{{"path", path},
                    {"kind", "session"},
                    {"experiment", session::toJson(opened.experiment)},
                    {"schemes", static_cast<int>(opened.experiment.schemes.size())},
                    {"missing", missing},
                    {"notes", notes}};
  std::cout << object.dump(2, ' ', false, json::error_handler_t::replace) << '\n';
}

/// ", trained on 2026-11-30 by version 1.0", as far as it is known.
std::string trainedText(const train::ComparisonRecord& record) {
  return (record.date.empty() ? "" : ", trained on " + record.date) +
         (record.version.empty() ? "" : " by version " + record.version);
}

std::string taskName(const train::ComparisonRecord& record) {
  return valueText(valueOf(train::taskTable().specs().front(), train::taskTable().values(record.spec.run.task)));
}

void printComparison(const std::string& path, const train::ComparisonRecord& record) {
  std::cout << path << ": training comparison" << trainedText(record) << '\n' << "task    " << taskName(record) << '\n';
  for (const train::RunRecord& run : record.runs) {
    std::cout << join("run     ", run.spec.model.position.scheme, "  seed ", run.spec.seed, "  steps ", run.steps());
    if (run.results)
      std::cout << join("  loss ", run.results->evaluation.loss, "  accuracy ", run.results->evaluation.accuracy);
    std::cout << '\n';
  }
  std::cout << "note    it opens on the window's page of training: posiscope " << path << '\n';
}

void printComparisonJson(const std::string& path, const train::ComparisonRecord& record) {
  json runs = json::array();
  for (const train::RunRecord& run : record.runs)
    runs.push_back({{"scheme", run.spec.model.position.scheme}, {"seed", run.spec.seed}, {"steps", run.steps()}});
  const json object{{"path", path},
                    {"kind", "training comparison"},
                    {"date", record.date},
                    {"version", record.version},
                    {"task", taskName(record)},
                    {"runs", runs}};
  std::cout << object.dump(2, ' ', false, json::error_handler_t::replace) << '\n';
}

/// Of files that are no model's. Error: bad_value.
Outcome checkNoOrigin(const std::optional<models::Origin>& origin, const Text& what, const std::string& path) {
  if (!origin) return {};
  return fail(ErrorCode::bad_value, join("--origin is for the files of a model, got the ", what.en, " ", path),
              join("--origin 用于模型文件，得到", what.zh, " ", path));
}

/// Nothing for an empty name. Error: bad_value.
Expected<std::optional<models::Origin>> originOf(const std::string& name) {
  if (name.empty()) return std::optional<models::Origin>{};
  const std::vector<std::string>& names = models::originNames();
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<models::Origin>(found - names.begin());
  return fail(ErrorCode::bad_value, join("--origin must be converted, original or gguf; got '", name, "'"),
              join("--origin 必须是 converted、original 或 gguf；得到“", name, "”"));
}

Expected<int> inspectPath(const std::string& path, bool as_json, const std::string& origin_name) {
  const Expected<std::optional<models::Origin>> origin = originOf(origin_name);
  if (!origin) return fail(origin.error());
  if (session::holdsSession(path)) {
    if (Outcome ok = checkNoOrigin(*origin, {"session", "会话"}, path); !ok) return fail(ok.error());
    const Expected<session::Opened> opened = session::open(path);
    if (!opened) return fail(opened.error());
    as_json ? printSessionJson(path, *opened) : printSession(path, *opened);
    return 0;
  }
  if (const std::string file = train::comparisonAt(path); !file.empty()) {
    if (Outcome ok = checkNoOrigin(*origin, {"training comparison", "训练对比"}, file); !ok) return fail(ok.error());
    const Expected<train::ComparisonRecord> record = train::readRecord(file);
    if (!record) return fail(record.error());
    as_json ? printComparisonJson(file, *record) : printComparison(file, *record);
    return 0;
  }
  Expected<models::Inspection> inspection = models::inspect(path, models::Tables::named);
  if (!inspection) return fail(inspection.error());
  if (*origin) models::setOrigin(*inspection, **origin);
  as_json ? printJson(*inspection) : printText(*inspection);
  return 0;
}

}  // namespace

Command addInspectCommand(CLI::App& app) {
  CLI::App* command = app.add_subcommand("inspect", "Tell which positional encoding a model uses, and why");
  auto path = std::make_shared<std::string>();
  auto as_json = std::make_shared<bool>(false);
  command
      ->add_option("path", *path,
                   "Model folder, config.json, .safetensors, .npy, .npz, a session or a training comparison")
      ->required();
  auto origin = std::make_shared<std::string>();
  command->add_flag("--json", *as_json, "As JSON");
  command
      ->add_option("--origin", *origin,
                   "Where the weights come from, which decides the pairs of a Llama or Mistral: converted, original or "
                   "gguf; default: what the configuration looks like")
      ->type_name("NAME");
  command->footer("Examples:\n  posiscope inspect model/\n  posiscope inspect model/config.json --json");
  return {command, [path, as_json, origin] { return inspectPath(*path, *as_json, *origin); }};
}

}  // namespace posiscope::cli
