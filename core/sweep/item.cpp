// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/list.h"
#include "core/schemes/list.h"
#include "core/session_value.h"
#include "core/sweep/sweep.h"

#include <cstdio>

namespace posiscope::sweep {
namespace {

using nlohmann::json;

/// Raised when the files of an item change their form: older ones are then no longer taken for finished.
constexpr int format = 1;

/// An array is what it holds, not where it lies: a sweep goes on in another folder and on another machine.
json contentOf(const Value& value) {
  if (const auto* array = std::get_if<Array>(&value))
    return {{"shape", array->shape}, {"digest", session::digest(*array)}};
  return session::valueToJson(value);
}

/// What differs from the defaults: a default that is written down asks the same.
json contentOf(const ParamValues& values, const std::vector<ParamSpec>& specs) {
  json object = json::object();
  for (const auto& [key, value] : values) {
    const ParamSpec* spec = findParam(specs, key);
    if (!spec || value != spec->default_value) object[key] = contentOf(value);
  }
  return object;
}

template <class P>
json contentOf(const ParamTable<P>& table, const P& values) {
  return contentOf(table.values(values), table.specs());
}

std::string keyOf(const std::string& question) {
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  for (const char c : question) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  hash ^= hash >> 32;  // the last letters reach every digit
  hash *= 0xd6e8feb86659fd93u;
  hash ^= hash >> 32;
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

const char* word(Arrays arrays) {
  return arrays == Arrays::none ? "none" : arrays == Arrays::single ? "single" : "double";
}

}  // namespace

void identify(Item& item, Arrays arrays) {
  const Experiment& e = item.experiment;
  const SchemeChoice& scheme = e.schemes.front();
  const Measure* measure = measures::find(item.measure.id);
  const Scheme* known = schemes::find(scheme.id);
  const json question = {
      {"format", format},
      {"arrays", word(arrays)},
      {"measure", item.measure.id},
      {"options", contentOf(item.measure.options, measure ? measure->options : std::vector<ParamSpec>{})},
      {"scheme", scheme.id},
      {"values", contentOf(scheme.values, known ? known->params : std::vector<ParamSpec>{})},
      {"shape", contentOf(shapeTable(), e.shape)},
      {"content", contentOf(contentTable(), e.content)},
      {"mask", contentOf(maskTable(), rulesOf(e.mask))},
      {"train_length", session::numberToJson(e.train_length)}};
  item.question = question.dump(-1, ' ', false, json::error_handler_t::replace);
  item.key = keyOf(item.question);
}

}  // namespace posiscope::sweep
