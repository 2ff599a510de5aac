// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/edits.h"

#include "core/schemes/list.h"

#include <algorithm>
#include <utility>

namespace posiscope::ui {
namespace {

bool inside(const Experiment& e, int index) { return index >= 0 && index < static_cast<int>(e.schemes.size()); }
bool full(const Experiment& e) { return static_cast<int>(e.schemes.size()) >= max_schemes; }

}  // namespace

int freeColour(const Experiment& experiment) {
  int colour = 0;
  while (std::ranges::find(experiment.schemes, colour, &SchemeChoice::colour) != experiment.schemes.end()) ++colour;
  return colour;
}

Experiment withScheme(Experiment e, const std::string& id) {
  if (full(e) || !schemes::find(id)) return e;
  SchemeChoice choice;
  choice.id = id;
  choice.colour = freeColour(e);
  e.schemes.push_back(std::move(choice));
  return e;
}

Experiment withDuplicate(Experiment e, int index) {
  if (full(e) || !inside(e, index)) return e;
  SchemeChoice copy = e.schemes[static_cast<std::size_t>(index)];
  copy.colour = freeColour(e);
  copy.visible = true;
  e.schemes.insert(e.schemes.begin() + index + 1, std::move(copy));
  return e;
}

Experiment withoutScheme(Experiment e, int index) {
  if (inside(e, index)) e.schemes.erase(e.schemes.begin() + index);
  return e;
}

Experiment withMoved(Experiment e, int from, int to) {
  if (!inside(e, from) || !inside(e, to)) return e;
  const auto first = e.schemes.begin();
  if (from < to)
    std::rotate(first + from, first + from + 1, first + to + 1);
  else
    std::rotate(first + to, first + from, first + from + 1);
  return e;
}

Experiment withVisible(Experiment e, int index, bool visible) {
  if (inside(e, index)) e.schemes[static_cast<std::size_t>(index)].visible = visible;
  return e;
}

Experiment withSchemeValue(Experiment e, int index, const std::string& key, std::optional<Value> value) {
  if (!inside(e, index)) return e;
  SchemeChoice& choice = e.schemes[static_cast<std::size_t>(index)];
  const Scheme* scheme = schemes::find(choice.id);
  const ParamSpec* spec = scheme ? findParam(scheme->params, key) : nullptr;
  if (!value || (spec && *value == spec->default_value))
    choice.values.erase(key);
  else
    choice.values[key] = *std::move(value);
  return e;
}

Experiment withSchemeDefaults(Experiment e, int index) {
  if (inside(e, index)) e.schemes[static_cast<std::size_t>(index)].values.clear();
  return e;
}

Experiment withShapeValue(Experiment e, const std::string& key, const Value& value) {
  ParamValues values = shapeTable().values(e.shape);
  values[key] = value;
  if (const Expected<Shape> shape = shapeTable().read("shape", values)) e.shape = *shape;
  return e;
}

Experiment withContentValue(Experiment e, const std::string& key, const Value& value) {
  ParamValues values = contentTable().values(e.content);
  values[key] = value;
  if (Expected<ContentSpec> content = contentTable().read("content", values)) e.content = *std::move(content);
  return e;
}

}  // namespace posiscope::ui
