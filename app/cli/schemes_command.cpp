// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// posiscope schemes, posiscope presets: what there is to choose from.
#include "app/cli/command.h"
#include "app/cli/param_flags.h"
#include "app/cli/unknown_name.h"
#include "core/aliases.h"
#include "core/models/model.h"
#include "core/schemes/list.h"
#include "core/session.h"
#include "ui/panels/scheme_document.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>

namespace posiscope::cli {
namespace {

using nlohmann::json;

struct Listing {
  std::string id;
  bool as_json = false;
};

json textJson(const Text& text) { return {{"en", text.en}, {"zh", text.zh}}; }

const char* kindName(ParamKind kind) {
  switch (kind) {
    case ParamKind::real: return "real";
    case ParamKind::integer: return "integer";
    case ParamKind::choice: return "choice";
    case ParamKind::boolean: return "boolean";
    case ParamKind::list: return "list";
    case ParamKind::array: return "array";
    case ParamKind::text: return "text";
  }
  return "";
}

struct ValueToJson {
  json operator()(const Array&) const { return nullptr; }
  template <class V>
  json operator()(const V& value) const {
    return value;
  }
};

json paramJson(const ParamSpec& spec) {
  json object{{"key", spec.key},
              {"kind", kindName(spec.kind)},
              {"label", textJson(spec.label)},
              {"help", textJson(spec.help)},
              {"default", std::visit(ValueToJson{}, spec.default_value)}};
  if (!spec.alias.empty()) object["alias"] = spec.alias;
  if (!spec.unit.empty()) object["unit"] = spec.unit;
  if (spec.kind == ParamKind::real || spec.kind == ParamKind::integer) {
    object["minimum"] = spec.minimum;
    object["maximum"] = spec.maximum;
  }
  for (const Choice& choice : spec.choices) object["choices"].push_back(choice.key);
  if (!spec.depends_on.empty()) object["when"] = {{"key", spec.depends_on}, {"values", spec.depends_values}};
  return object;
}

/// The longer text of a scheme, part by part, in Markdown.
json documentJson(const std::string& id) {
  using ui::DocumentPart;
  const QString english = ui::schemeDocument(id, Language::english);
  const QString chinese = ui::schemeDocument(id, Language::chinese);
  json parts = json::object();
  for (const auto& [key, part] : {std::pair{"formula", DocumentPart::formula},
                                  {"how_to_read", DocumentPart::how_to_read},
                                  {"traps", DocumentPart::traps},
                                  {"known_users", DocumentPart::known_users},
                                  {"reference", DocumentPart::reference}})
    parts[key] =
        textJson({ui::documentPart(english, part).toStdString(), ui::documentPart(chinese, part).toStdString()});
  return parts;
}

json schemeJson(const Scheme& scheme) {
  json params = json::array();
  for (const ParamSpec& spec : scheme.params) params.push_back(paramJson(spec));
  return {{"id", scheme.id()},
          {"name", textJson(scheme.text.name)},
          {"family", textJson(familyName(scheme.text.family))},
          {"year", scheme.text.year},
          {"reference", scheme.text.reference},
          {"summary", textJson(scheme.text.summary)},
          {"document", documentJson(scheme.id())},
          {"params", params}};
}

void printScheme(const Scheme& scheme) {
  std::cout << scheme.id() << "  " << scheme.text.name.en << " (" << scheme.text.reference << ")\n"
            << "  " << scheme.text.summary.en << '\n';
  for (const ParamSpec& spec : scheme.params)
    std::cout << "  " << std::left << std::setw(20) << spec.key << ' ' << flagHelp(spec) << '\n';
}

Expected<int> listSchemes(const Listing& listing) {
  std::vector<const Scheme*> chosen;
  std::vector<std::string> names;
  for (const Scheme& s : schemes::catalogue()) {
    names.push_back(s.id());
    if (listing.id.empty()) chosen.push_back(&s);
  }
  if (!listing.id.empty()) {
    const Expected<ResolvedScheme> resolved = resolveScheme(listing.id);
    if (!resolved) return fail(unknownName("scheme", listing.id, names));
    chosen.push_back(schemes::find(resolved->id));
  }
  if (listing.as_json) {
    json list = json::array();
    for (const Scheme* s : chosen) list.push_back(schemeJson(*s));
    std::cout << list.dump(2) << '\n';
  } else if (!listing.id.empty()) {
    printScheme(*chosen.front());
  } else {
    std::size_t widest = 0;
    for (const Scheme* s : chosen) widest = std::max(widest, s->id().size());
    for (const Scheme* s : chosen)
      std::cout << std::left << std::setw(static_cast<int>(widest)) << s->id() << ' ' << familyName(s->text.family).en
                << ": " << s->text.summary.en << '\n';
  }
  return 0;
}

Expected<int> listPresets(bool as_json) {
  json list = json::array();
  std::size_t widest = 0;
  for (const models::Preset& p : models::presets()) widest = std::max(widest, p.id.size());
  for (const models::Preset& p : models::presets()) {
    if (as_json)
      list.push_back({{"id", p.id},
                      {"name", p.name},
                      {"source", p.source},
                      {"note", textJson(p.note)},
                      {"experiment", session::toJson(models::experimentOf(p))}});
    else
      std::cout << std::left << std::setw(static_cast<int>(widest)) << p.id << ' ' << p.name << ": "
                << displayName(p.scheme).en << '\n';
  }
  if (as_json) std::cout << list.dump(2) << '\n';
  return 0;
}

}  // namespace

Command addSchemesCommand(CLI::App& app) {
  CLI::App* command = app.add_subcommand("schemes", "List the positional encodings, or the parameters of one");
  auto listing = std::make_shared<Listing>();
  command->add_option("id", listing->id, "Only this scheme, with its parameters");
  command->add_flag("--json", listing->as_json, "Everything known, as JSON");
  command->footer("Examples:\n  posiscope schemes\n  posiscope schemes rope\n  posiscope schemes --json");
  return {command, [listing] { return listSchemes(*listing); }};
}

Command addPresetsCommand(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("presets", "List the known models whose shape and scheme can be used with --model");
  auto as_json = std::make_shared<bool>(false);
  command->add_flag("--json", *as_json, "Shapes and schemes too, as JSON");
  command->footer("Example:\n  posiscope presets");
  return {command, [as_json] { return listPresets(*as_json); }};
}

}  // namespace posiscope::cli
