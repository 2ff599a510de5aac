// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/overrides.h"

#include "core/schemes/list.h"
#include "core/screen_number.h"

#include <algorithm>

namespace posiscope {
namespace {

Text shownValue(const ParamSpec& spec, const Value& value) {
  const auto* list = std::get_if<std::vector<double>>(&value);
  const auto* text = std::get_if<std::string>(&value);
  const bool unset = value == Value(0.0) || (list && list->empty()) || (text && text->empty());
  if (unset && !spec.unset.en.empty()) return spec.unset;
  if (const auto* number = std::get_if<double>(&value)) return {screenNumber(*number), screenNumber(*number)};
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? Text{"on", "开"} : Text{"off", "关"};
  const auto choice = std::ranges::find(spec.choices, valueText(value), &Choice::key);
  return choice != spec.choices.end() ? choice->label : Text{valueText(value), valueText(value)};
}

}  // namespace

std::vector<Override> overridesOf(const SchemeChoice& choice) {
  std::vector<Override> found;
  const Scheme* scheme = choice.model_values ? schemes::find(choice.id) : nullptr;
  if (!scheme) return found;
  for (const ParamSpec& spec : scheme->params) {
    if (spec.kind == ParamKind::array) continue;
    const Value& model = valueOf(spec, *choice.model_values);
    const Value& now = valueOf(spec, choice.values);
    if (model != now) found.push_back({&spec, model, now});
  }
  return found;
}

Text describe(const Override& found) {
  const Text model = shownValue(*found.spec, found.model);
  const Text now = shownValue(*found.spec, found.now);
  return {join("The model has ", model.en, ", here it is ", now.en, "."),
          join("模型中为 ", model.zh, "，此处为 ", now.zh, "。")};
}

}  // namespace posiscope
