// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/run_spec_json.h"

#include "core/chinese_text.h"
#include "core/files/json_text.h"
#include "core/files/reader.h"
#include "core/files/refusal.h"
#include "core/json_found.h"
#include "core/near_names.h"
#include "core/schemes/list.h"
#include "core/session_value.h"
#include "core/train/trainable.h"

#include <algorithm>

namespace posiscope::train {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::size_t most_positions = 8, most_seeds = 10;

tl::unexpected<Error> wrongKind(const std::string& where, const Text& allowed, const json& found) {
  const Text what = foundText(found);
  return fail(ErrorCode::bad_value, join(where, " must be ", allowed.en, ", got ", what.en),
              joinChinese(where, " 必须是 ", allowed.zh, "，得到 ", what.zh));
}

/// "positions[0]: there is no scheme 'roop'; did you mean rope? Known: …"
tl::unexpected<Error> unknown(const std::string& where, const Text& kind, const std::string& word,
                              const std::vector<std::string>& known) {
  const Text names = knownNames(word, known);
  const std::string shown = files::escaped(word);
  return fail(ErrorCode::unknown_name, join(where, ": there is no ", kind.en, " '", shown, "'", names.en),
              join(where, "：没有", kind.zh, "“", shown, "”", names.zh));
}

Outcome checkMembers(const std::string& where, const ParamValues& values, const std::vector<ParamSpec>& specs,
                     const json& object) {
  std::vector<std::string> known;
  for (const ParamSpec& spec : specs) known.push_back(spec.key);
  for (const auto& [key, value] : values) {
    const ParamSpec* spec = findParam(specs, key);
    if (!spec) return unknown(where, {"parameter", "参数"}, key, known);
    const bool word = spec->kind == ParamKind::choice || spec->kind == ParamKind::text;
    const bool a_string = std::holds_alternative<std::string>(value);
    if (Outcome ok = checkFound(where, *spec, a_string && !word ? std::nullopt : std::optional(value), object[key]);
        !ok)
      return ok;
  }
  return {};
}

/// The members of an object as values of parameters; lists and objects are nobody's.
Expected<ParamValues> valuesOf(const std::string& where, const json& object) {
  if (!object.is_object()) return wrongKind(where, {"an object", "一个对象"}, object);
  ParamValues values;
  for (const auto& [key, value] : object.items()) {
    if (value.is_boolean())
      values[key] = value.get<bool>();
    else if (value.is_number())
      values[key] = value.get<double>();
    else if (value.is_string())
      values[key] = value.get<std::string>();
    else
      return wrongKind(join(where, ".", key), {"a number, a word, true or false", "数字、词或真假值"}, value);
  }
  return values;
}

/// A part of the file read by its table; one that is missing has its defaults.
template <class P>
Outcome readPart(const json& root, const char* key, const ParamTable<P>& table, P& part) {
  if (!root.contains(key)) return {};
  const Expected<ParamValues> values = valuesOf(key, root[key]);
  if (!values) return fail(values.error());
  if (Outcome ok = checkMembers(key, *values, table.specs(), root[key]); !ok) return ok;
  Expected<P> read = table.read(key, *values);
  if (!read) return fail(read.error());
  part = std::move(*read);
  return {};
}

/// The id of a scheme, or an object with it and the scheme's parameters.
Expected<PositionSpec> positionOf(const std::string& where, const json& entry) {
  const json object = entry.is_string() ? json{{"scheme", entry}} : entry;
  if (!object.is_object())
    return wrongKind(where, {"the id of a scheme or an object with one", "方案的 id 或含方案 id 的对象"}, entry);
  Expected<ParamValues> values = valuesOf(where, object);
  if (!values) return fail(values.error());
  const auto scheme = values->find("scheme");
  if (scheme == values->end() || !std::holds_alternative<std::string>(scheme->second))
    return wrongKind(where + ".scheme", {"the id of a scheme", "方案的 id"}, object.value("scheme", json()));
  PositionSpec position{std::get<std::string>(scheme->second), {}};
  values->erase(scheme);
  position.values = std::move(*values);
  // What is in the catalogue and not here cannot be trained, which is told with the sizes of the model.
  if (const Trainable* trainable = findTrainable(position.scheme)) {
    if (Outcome ok = checkMembers(where, position.values, trainable->params, object); !ok) return fail(ok.error());
  } else if (!schemes::find(position.scheme)) {
    std::vector<std::string> known;
    for (const Trainable& t : trainables()) known.push_back(t.scheme);
    return unknown(where, {"scheme", "方案"}, position.scheme, known);
  }
  return position;
}

/// A whole number that a double holds exactly.
Expected<std::uint64_t> seedOf(const std::string& where, const json& value) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > (std::uint64_t{1} << 53))
    return wrongKind(where, {"a whole number from 0", "从 0 起的整数"}, value);
  return value.get<std::uint64_t>();
}

Outcome checkKeys(const json& root, std::initializer_list<const char*> known) {
  if (!root.is_object()) return wrongKind("the specification", {"an object", "一个对象"}, root);
  for (const auto& [key, value] : root.items())
    if (std::ranges::find(known, key) == known.end()) {
      const Text names = knownNames(key, {known.begin(), known.end()});
      const std::string shown = files::escaped(key);
      return fail(ErrorCode::unknown_name, join("the specification has no part '", shown, "'", names.en),
                  join("训练说明中没有“", shown, "”", names.zh));
    }
  return {};
}

Outcome readShared(const json& root, RunSpec& run) {
  for (const Outcome& ok :
       {readPart(root, "model", modelTable(), run.model), readPart(root, "task", taskTable(), run.task),
        readPart(root, "optimiser", optimiserTable(), run.optimiser),
        readPart(root, "schedule", scheduleTable(), run.schedule),
        readPart(root, "fine_tune", fineTuneTable(), run.fine_tune)})
    if (!ok) return ok;
  return {};
}

ordered_json valuesToJson(const ParamValues& values) {
  ordered_json object = ordered_json::object();
  for (const auto& [key, value] : values) object[key] = session::valueToJson(value);
  return object;
}

ordered_json positionToJson(const PositionSpec& position) {
  ordered_json object{{"scheme", position.scheme}};
  for (const auto& [key, value] : position.values) object[key] = session::valueToJson(value);
  return object;
}

ordered_json sharedToJson(const RunSpec& run) {
  return {{"model", valuesToJson(modelTable().values(run.model))},
          {"task", valuesToJson(taskTable().values(run.task))},
          {"optimiser", valuesToJson(optimiserTable().values(run.optimiser))},
          {"schedule", valuesToJson(scheduleTable().values(run.schedule))},
          {"fine_tune", valuesToJson(fineTuneTable().values(run.fine_tune))}};
}

}  // namespace

Expected<ComparisonSpec> comparisonFromJson(const json& root) {
  if (Outcome ok = checkKeys(root, {"model", "task", "optimiser", "schedule", "fine_tune", "positions", "seeds"}); !ok)
    return fail(ok.error());
  ComparisonSpec spec;
  if (Outcome ok = readShared(root, spec.run); !ok) return fail(ok.error());
  const json positions = root.value("positions", json::array({json{{"scheme", "none"}}}));
  const json seeds = root.value("seeds", json::array({1u}));
  if (!positions.is_array() || positions.empty() || positions.size() > most_positions)
    return wrongKind("positions", {"a list of 1 to 8 encodings", "1 到 8 个编码的列表"}, positions);
  if (!seeds.is_array() || seeds.empty() || seeds.size() > most_seeds)
    return wrongKind("seeds", {"a list of 1 to 10 numbers", "1 到 10 个数的列表"}, seeds);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    Expected<PositionSpec> position = positionOf(join("positions[", i, "]"), positions[i]);
    if (!position) return fail(position.error());
    spec.positions.push_back(std::move(*position));
  }
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    const Expected<std::uint64_t> seed = seedOf(join("seeds[", i, "]"), seeds[i]);
    if (!seed) return fail(seed.error());
    spec.seeds.push_back(*seed);
  }
  return spec;
}

Expected<ComparisonSpec> readComparison(const std::string& path) {
  const Expected<std::string> text = files::readText(path);
  if (!text) return fail(text.error());
  const Expected<files::JsonText> document = files::parseJson(*text, path);
  if (!document) return fail(document.error());
  Expected<ComparisonSpec> spec = comparisonFromJson(document->root);
  if (!spec)
    return fail(spec.error().code, join(path, ": ", spec.error().message.en),
                join(path, "：", spec.error().message.zh));
  return spec;
}

ordered_json toJson(const ComparisonSpec& spec) {
  ordered_json root = sharedToJson(spec.run);
  root["positions"] = ordered_json::array();
  for (const PositionSpec& position : spec.positions) root["positions"].push_back(positionToJson(position));
  root["seeds"] = spec.seeds;
  return root;
}

Expected<RunSpec> runFromJson(const json& root) {
  if (Outcome ok =
          checkKeys(root, {"model", "task", "optimiser", "schedule", "fine_tune", "position", "seed", "data_seed"});
      !ok)
    return fail(ok.error());
  RunSpec run;
  if (Outcome ok = readShared(root, run); !ok) return fail(ok.error());
  Expected<PositionSpec> position = positionOf("position", root.value("position", json()));
  if (!position) return fail(position.error());
  run.model.position = std::move(*position);
  for (const auto& [key, seed] : {std::pair{"seed", &run.seed}, std::pair{"data_seed", &run.data_seed}}) {
    const Expected<std::uint64_t> read = seedOf(key, root.value(key, json()));
    if (!read) return fail(read.error());
    *seed = *read;
  }
  return run;
}

ordered_json toJson(const RunSpec& run) {
  ordered_json root = sharedToJson(run);
  root["position"] = positionToJson(run.model.position);
  root["seed"] = run.seed;
  root["data_seed"] = run.data_seed;
  return root;
}

}  // namespace posiscope::train
