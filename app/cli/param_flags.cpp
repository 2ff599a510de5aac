// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/param_flags.h"

#include "core/content_shape.h"
#include "core/files/array_notes.h"
#include "core/files/attention_array.h"
#include "core/files/reader.h"

#include <algorithm>
#include <iostream>

namespace posiscope::cli {
namespace {

std::string typeName(const ParamSpec& spec) {
  switch (spec.kind) {
    case ParamKind::real: return "NUMBER";
    case ParamKind::integer: return "N";
    case ParamKind::choice: return "WORD";
    case ParamKind::list: return "[A,B,…]";
    case ParamKind::array: return "@FILE";
    case ParamKind::text: return "TEXT";
    case ParamKind::boolean: break;
  }
  return {};
}

/// " default 0 (a sixteenth of the keys)": a number with its meaning; of what is written as nothing the meaning alone.
std::string defaultHelp(const ParamSpec& spec) {
  const auto* list = std::get_if<std::vector<double>>(&spec.default_value);
  const std::string fallback = valueText(spec.default_value);
  const std::string& meaning = spec.unset.en;
  if (!meaning.empty() && (fallback.empty() || (list && list->empty()))) return " default: " + meaning;
  if (!meaning.empty() && spec.default_value == Value(0.0)) return join(" default ", fallback, " (", meaning, ")");
  return fallback.empty() ? std::string() : " default " + fallback;
}

Expected<Array> readNumbers(const std::string& path, files::Numbers meant, bool attention = false) {
  Expected<Array> array = attention ? files::readStoredAttention(path) : files::readArray(path);
  if (array)
    for (const Text& note : files::notesOn(*array, Job(), meant)) std::cerr << note.en << '\n';
  return array;
}

Expected<Value> readFlag(const std::string& owner, const ParamSpec& spec, const std::string& text) {
  if (spec.kind != ParamKind::array) return parseValue(owner, spec, text);
  if (!text.starts_with('@'))
    return fail(ErrorCode::bad_value, join(owner, ": ", flagName(spec.key),
                                           " must be @FILE.npy, or @FILE.safetensors#TENSOR, got '", text, "'"));
  // Files of attention hold other things beside it, or nothing, of which more can be said than of any array.
  Expected<Array> array = readNumbers(text.substr(1), numbersIn(spec.key), spec.key == "attention");
  if (!array) return fail(array.error());
  return Value(*std::move(array));
}

}  // namespace

std::string flagName(std::string_view key) {
  std::string name = "--" + std::string(key);
  std::ranges::replace(name, '_', '-');
  return name;
}

std::string flagHelp(const ParamSpec& spec) {
  std::string text = spec.help.en;
  if (spec.kind == ParamKind::choice) {
    std::string choices;
    for (const Choice& c : spec.choices) choices += (choices.empty() ? "" : "|") + c.key;
    text += " " + choices + ";";
  } else if (spec.kind == ParamKind::real || spec.kind == ParamKind::integer) {
    text += join(" ", spec.minimum, " to ", spec.maximum, spec.unit.empty() ? "" : " " + spec.unit, ";");
  } else if (spec.kind == ParamKind::array) {
    text += " @FILE.npy or @FILE.safetensors#TENSOR (the name may be left out of a file with a single tensor)";
  }
  const std::string fallback = defaultHelp(spec);
  if (spec.kind == ParamKind::array && !fallback.empty()) text += ";";
  return text + fallback;
}

Expected<Array> readArrayFile(const std::string& path) { return readNumbers(path, files::Numbers::real); }

Expected<std::vector<std::uint8_t>> realOrPadding(const std::string& flag, std::span<const double> numbers) {
  std::vector<std::uint8_t> real;
  for (const double number : numbers) {
    if (number != 0 && number != 1)
      return fail(ErrorCode::bad_value, join(flag, " must hold 1 (real) and 0 (padding), got ", number));
    real.push_back(number == 1);
  }
  return real;
}

CLI::Option* ParamFlags::add(CLI::App& app, const ParamSpec& spec, const std::string& flag, const std::string& group) {
  Flag& f = flags_.emplace_back(Flag{spec, flag, {}, nullptr});
  if (spec.kind == ParamKind::boolean)
    f.option = app.add_flag(flag + ",!--no-" + flag.substr(2), f.text, flagHelp(spec));
  else
    f.option = app.add_option(flag, f.text, flagHelp(spec))->type_name(typeName(spec));
  f.option->group(group);
  return f.option;
}

void ParamFlags::add(CLI::App& app, const std::vector<ParamSpec>& specs, const std::string& group) {
  for (const ParamSpec& spec : specs) add(app, spec, flagName(spec.key), group);
}

Expected<ParamValues> ParamFlags::values() const {
  ParamValues values;
  for (const Flag& f : flags_) {
    if (f.option->count() == 0) continue;
    Expected<Value> value = readFlag(owner_, f.spec, f.text);
    if (!value) return fail(value.error());
    values[f.spec.key] = *std::move(value);
  }
  return values;
}

bool ParamFlags::given(std::string_view key) const {
  return std::ranges::any_of(flags_, [&](const Flag& f) { return f.spec.key == key && f.option->count() > 0; });
}

}  // namespace posiscope::cli
