// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/brought_values.h"

#include "core/schemes/list.h"

namespace posiscope {
namespace {

struct Brought {
  std::string_view key;
  std::string_view word;  ///< the choice that brings …
  std::string_view other;
  double value;  ///< … this value of the other parameter
};

constexpr Brought table[] = {{"scaling", "proportional", "factor", 1}, {"kind", "ministral3", "floor_scale", 16384}};

bool holds(const Brought& b, const ParamSpec& spec, const ParamValues& values) {
  const auto* word = std::get_if<std::string>(&valueOf(spec, values));
  return word && *word == b.word;
}

}  // namespace

void bringAlong(std::string_view scheme_id, const ParamValues& before, ParamValues& values) {
  const Scheme* scheme = schemes::find(scheme_id);
  if (!scheme) return;
  for (const Brought& b : table) {
    const ParamSpec* spec = findParam(scheme->params, b.key);
    if (!spec || !findParam(scheme->params, b.other)) continue;
    const std::string other(b.other);
    if (holds(b, *spec, values))
      values.emplace(other, b.value);
    else if (const auto found = values.find(other);
             holds(b, *spec, before) && found != values.end() && found->second == Value(b.value))
      values.erase(found);
  }
}

void putAlong(std::string_view scheme_id, const ParamValues& given, ParamValues& values) {
  const ParamValues before = values;
  for (const auto& [key, value] : given) values[key] = value;
  bringAlong(scheme_id, before, values);
  // Also what looks like something that only the values of before brought.
  for (const auto& [key, value] : given) values[key] = value;
}

ParamValues withBroughtDefaults(std::string_view scheme_id, ParamValues values) {
  ParamValues brought = values;
  bringAlong(scheme_id, {}, brought);
  const Scheme* scheme = schemes::find(scheme_id);
  for (const auto& [key, value] : brought)
    if (!values.contains(key)) values.emplace(key, findParam(scheme->params, key)->default_value);
  return values;
}

}  // namespace posiscope
