// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session.h"

#include "core/brought_values.h"
#include "core/files/json_text.h"
#include "core/files/reader.h"
#include "core/files/refusal.h"
#include "core/schemes/list.h"
#include "core/schemes/own_formula.h"
#include "core/session_mask.h"
#include "core/session_value.h"

#include <algorithm>
#include <filesystem>

namespace posiscope::session {
namespace {

using nlohmann::json;

constexpr std::uint64_t largest_session = 64u << 20;

json valuesToJson(const ParamValues& values) {
  json object = json::object();
  for (const auto& [key, value] : values)
    if (!isMissing(value)) object[key] = valueToJson(value);
  return object;
}

/// Adds what `target` has no word about. A known key always wins: the user may have set it since. Only whole
/// parameters are added, never a part of one (`levels`: of objects that hold parameters).
void addMissing(json& target, const json& more, int levels = 2) {
  for (const auto& [key, value] : more.items()) {
    if (!target.contains(key))
      target[key] = value;
    else if (levels > 1 && target[key].is_object() && value.is_object())
      addMissing(target[key], value, levels - 1);
  }
}

/// Puts back what this version did not understand of a scheme, and the files its parameters still wait for: not those
/// of a parameter that was set or reset since.
void addKept(json& object, const SchemeChoice& choice) {
  json kept = json::parse(choice.kept, nullptr, false);
  if (!kept.is_object()) return;
  if (const Scheme* scheme = schemes::find(choice.id); scheme && kept.contains("values")) {
    json& values = kept["values"];
    for (const ParamSpec& spec : schemes::paramsOf(*scheme, choice.values))
      if (!isMissing(valueOf(spec, choice.values))) values.erase(spec.key);
    if (values.empty()) kept.erase("values");
  }
  addMissing(object, kept);
}

/// Of the files the content waited for at opening, those it does not wait for any more.
void dropSettled(json& more, const ContentSpec& content) {
  if (!more.contains("content") || !more["content"].is_object()) return;
  const ParamValues values = contentTable().values(content);
  for (const ParamSpec& spec : contentTable().specs())
    if (!isMissing(valueOf(spec, values))) more["content"].erase(spec.key);
  if (more["content"].empty()) more.erase("content");
}

json schemeToJson(const SchemeChoice& choice) {
  json object = {{"id", choice.id}};
  const Scheme* scheme = schemes::find(choice.id);
  // A number that the formula does not name any more is nothing that could be opened again.
  const ParamValues& all = choice.values;
  const ParamValues kept = withBroughtDefaults(choice.id, scheme ? schemes::withoutIdle(*scheme, all) : all);
  if (json values = valuesToJson(kept); !values.empty()) object["values"] = std::move(values);
  if (!choice.label.empty()) object["label"] = choice.label;
  object["colour"] = choice.colour;
  if (!choice.visible) object["visible"] = false;
  if (choice.model_values) object["model_values"] = valuesToJson(withBroughtDefaults(choice.id, *choice.model_values));
  addKept(object, choice);
  return object;
}

void makeAbsolute(Array& array) {
  std::error_code error;
  if (array.source.empty()) return;
  const auto path = std::filesystem::absolute(array.source, error);
  if (!error) array.source = path.lexically_normal().string();
}

}  // namespace

Experiment withAbsolutePaths(Experiment experiment) {
  ContentSpec& c = experiment.content;
  for (Array* array : {&c.q, &c.k, &c.v, &c.x, &c.w_q, &c.w_k, &c.w_v, &c.token_file, &c.segment_file, &c.attention})
    makeAbsolute(*array);
  for (SchemeChoice& choice : experiment.schemes)
    for (auto& [key, value] : choice.values)
      if (auto* array = std::get_if<Array>(&value)) makeAbsolute(*array);
  return experiment;
}

json toJson(const Experiment& experiment) {
  json schemes = json::array();
  for (const SchemeChoice& choice : experiment.schemes) schemes.push_back(schemeToJson(choice));
  json root = {{"posiscope_session", 1}, {"schemes", std::move(schemes)}};
  const auto add = [&root](const char* key, json object) {
    if (!object.empty()) root[key] = std::move(object);
  };
  add("shape", valuesToJson(shapeTable().values(experiment.shape)));
  add("content", valuesToJson(contentTable().values(experiment.content)));
  add("mask", maskToJson(experiment.mask));
  if (experiment.train_length != 0) root["train_length"] = numberToJson(experiment.train_length);
  return root;
}

Outcome save(const std::string& path, const Experiment& experiment, const std::string& presentation,
             const std::string& unknown) {
  json root = toJson(withAbsolutePaths(experiment));
  json view = json::parse(presentation.empty() ? "{}" : presentation, nullptr, false);
  if (view.is_discarded())
    return files::refuse(ErrorCode::bad_value, path, files::same("presentation"), {"JSON", "JSON"}, presentation);
  if (!view.empty()) root["presentation"] = std::move(view);
  if (json more = json::parse(unknown, nullptr, false); more.is_object()) {
    dropSettled(more, experiment.content);
    addMissing(root, more);
  }
  // Bytes that are no UTF-8 (an old file name) must not stop a save.
  return files::writeAtomically(path, root.dump(1, ' ', false, json::error_handler_t::replace) + "\n");
}

bool holdsSession(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::ranges::transform(ending, ending.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
  if (ending != ".json") return false;
  const Expected<std::string> text = files::readText(path, largest_session);
  return text && text->find("\"posiscope_session\"") != std::string::npos;
}

Expected<Opened> open(const std::string& path, const Job& job) {
  const Expected<std::string> text = files::readText(path, largest_session);
  if (!text) return fail(text.error());
  return fromText(*text, path, job);
}

}  // namespace posiscope::session
