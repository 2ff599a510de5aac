// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/record.h"

#include "core/files/json_text.h"
#include "core/files/reader.h"
#include "core/session_value.h"

#include <filesystem>

namespace posiscope::sweep {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

ordered_json toJson(const Record& record) {
  ordered_json root{{"question", ordered_json::parse(record.question)}};
  if (record.array_bytes) root["array_bytes"] = *record.array_bytes;
  if (!record.reason.empty()) root["reason"] = record.reason;
  if (!record.scope.empty()) root["scope"] = record.scope;
  root["quantities"] = ordered_json::array();
  for (const Quantity& q : record.quantities) {
    ordered_json entry{{"name", q.name}, {"value", session::numberToJson(q.value)}};
    if (!q.unit.empty()) entry["unit"] = q.unit;
    root["quantities"].push_back(std::move(entry));
  }
  return root;
}

std::optional<Quantity> quantityFrom(const json& entry) {
  if (!entry.is_object()) return std::nullopt;
  const auto value = session::numberFromJson(entry.value("value", json()));
  const json name = entry.value("name", json()), unit = entry.value("unit", json(""));
  if (!value || !name.is_string() || !unit.is_string()) return std::nullopt;
  return Quantity{name.get<std::string>(), *value, unit.get<std::string>()};
}

/// Nothing for what this program would not have written.
std::optional<Record> fromJson(const json& root) {
  if (!root.is_object() || !root.contains("question")) return std::nullopt;
  Record record;
  record.question = root["question"].dump(-1, ' ', false, json::error_handler_t::replace);
  const json quantities = root.value("quantities", json());
  if (!quantities.is_array()) return std::nullopt;
  for (const json& entry : quantities) {
    std::optional<Quantity> quantity = quantityFrom(entry);
    if (!quantity) return std::nullopt;
    record.quantities.push_back(*std::move(quantity));
  }
  for (const auto& [key, text] : {std::pair{"reason", &record.reason}, std::pair{"scope", &record.scope}}) {
    const json found = root.value(key, json(""));
    if (!found.is_string()) return std::nullopt;
    *text = found.get<std::string>();
  }
  if (!root.contains("array_bytes")) return record;
  if (!root["array_bytes"].is_number_unsigned()) return std::nullopt;
  record.array_bytes = root["array_bytes"].get<std::uint64_t>();
  return record;
}

}  // namespace

std::string recordPath(const std::string& folder, const std::string& key) { return folder + "/items/" + key + ".json"; }
std::string arrayPath(const std::string& folder, const std::string& key) { return folder + "/items/" + key + ".npy"; }

std::optional<Record> findRecord(const std::string& folder, const std::string& key) {
  const std::string path = recordPath(folder, key);
  if (!std::filesystem::exists(path)) return std::nullopt;
  const Expected<std::string> text = files::readText(path);
  if (!text) return std::nullopt;
  const Expected<files::JsonText> document = files::parseJson(*text, path);
  if (!document) return std::nullopt;
  std::optional<Record> record = fromJson(document->root);
  if (!record || !record->array_bytes) return record;
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(arrayPath(folder, key), error);
  if (error || bytes != *record->array_bytes) return std::nullopt;
  return record;
}

Outcome writeRecord(const std::string& folder, const std::string& key, const Record& record) {
  const std::string text = toJson(record).dump(1, ' ', false, json::error_handler_t::replace) + "\n";
  return files::writeAtomically(recordPath(folder, key), text);
}

}  // namespace posiscope::sweep
