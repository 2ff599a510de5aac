// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/scheme_values.h"

#include "core/schemes/list.h"

#include <cassert>

namespace posiscope::models {

const ParamSpec& paramOf(std::string_view id, std::string_view key) {
  const Scheme* scheme = schemes::find(id);
  assert(scheme);
  const ParamSpec* spec = findParam(scheme->params, key);
  assert(spec);
  return *spec;
}

SchemeChoice choiceOf(const std::string& id, ParamValues values) {
  std::erase_if(values, [&](const auto& entry) { return paramOf(id, entry.first).default_value == entry.second; });
  SchemeChoice choice;
  choice.id = id;
  choice.values = std::move(values);
  return choice;
}

}  // namespace posiscope::models
