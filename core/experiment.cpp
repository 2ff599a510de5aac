// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment.h"

#include "core/chinese_text.h"
#include "core/schemes/list.h"
#include "core/schemes/own_formula.h"
#include "core/screen_number.h"

#include <algorithm>
#include <filesystem>

namespace posiscope {
namespace {

/// Most values shown under a scheme's name.
constexpr std::size_t shown_values = 2;

std::string wordOf(const ParamValues& values, const std::string& key) {
  const auto found = values.find(key);
  const auto* word = found == values.end() ? nullptr : std::get_if<std::string>(&found->second);
  return word ? *word : std::string{};
}

Text operator+(const Text& a, const Text& b) { return {a.en + b.en, a.zh + b.zh}; }
Text same(const std::string& text) { return {text, text}; }

/// "original length" → "original": beside a number of tokens the word says nothing new.
Text shortLabel(Text label) {
  constexpr std::string_view length = " length";
  if (label.en.ends_with(length)) label.en.resize(label.en.size() - length.size());
  return label;
}

Text shownValue(const ParamSpec& spec, const Value& value) {
  const Text label = shortLabel(spec.label);
  if (const auto* number = std::get_if<double>(&value)) return label + same(" " + screenNumber(*number));
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? label : label + Text{" off", "：关"};
  if (const auto* array = std::get_if<Array>(&value); array && array->empty() && !isMissing(value))
    return {"no " + label.en, "无" + label.zh};
  if (const auto* array = std::get_if<Array>(&value))
    return label + same(" " + std::filesystem::path(array->source).filename().string());
  const auto choice = std::ranges::find(spec.choices, valueText(value), &Choice::key);
  return choice != spec.choices.end() ? choice->label : label + same(" " + valueText(value));
}

/// Already told by the name.
bool isInName(const ParamSpec& spec) { return spec.key == "scaling"; }

Text scalingName(const Scheme& scheme, const SchemeChoice& choice) {
  const std::string key = wordOf(choice.values, "scaling");
  const ParamSpec* spec = findParam(scheme.params, "scaling");
  if (!spec || key.empty() || key == valueText(spec->default_value)) return {};
  const auto found = std::ranges::find(spec->choices, key, &Choice::key);
  if (found == spec->choices.end()) return {};
  // YaRN is a name of its own; the others name a scaling.
  if (key.starts_with("yarn")) return found->label;
  return {found->label.en + " scaling",
          found->label.zh.ends_with("插值") ? found->label.zh : joinChinese(found->label.zh, " 缩放")};
}

ParamTable<Experiment> makeTable() {
  ParamTable<Experiment> t;
  t.integer("train_length", &Experiment::train_length, {0, 1e8, 1, 1 << 20, true},
            {{"training length", "训练长度"},
             {"How many tokens the model was trained on; 0 means not known.", "模型训练时的词元数；0 表示未知。"},
             "",
             "tokens"})
      .unset({"not known", "未知"});
  return t;
}

SchemeChoice ropeOfLlama(ParamValues scaling, int colour) {
  scaling["base"] = 500000.0;
  scaling["pairing"] = std::string("half");
  return {.id = "rope", .values = std::move(scaling), .label = {}, .colour = colour, .visible = true};
}

}  // namespace

bool isMissing(const Value& value) {
  const auto* array = std::get_if<Array>(&value);
  return array && !array->values && !array->source.empty();
}

const ParamTable<Experiment>& experimentTable() {
  static const ParamTable<Experiment> table = makeTable();
  return table;
}

Text displayName(const SchemeChoice& choice) {
  if (!choice.label.empty()) return {choice.label, choice.label};
  const Scheme* scheme = schemes::find(choice.id);
  if (!scheme) return {choice.id, choice.id};
  const Text scaling = scalingName(*scheme, choice);
  if (scaling.en.empty()) return scheme->text.name;
  // "RoPE 旋转位置编码" is the short name and its meaning: with a variant beside it the meaning would not fit.
  const Text& name = scheme->text.name;
  const std::string& chinese = name.zh.starts_with(name.en + ' ') ? name.en : name.zh;
  return {name.en + " · " + scaling.en, chinese + " · " + scaling.zh};
}

Text displayName(const SchemeChoice& choice, const std::vector<SchemeChoice>& schemes) {
  Text name = displayName(choice);
  const Scheme* scheme = schemes::find(choice.id);
  if (!scheme) return name;
  std::vector<const SchemeChoice*> namesakes;
  for (const SchemeChoice& other : schemes)
    if (displayName(other) == name) namesakes.push_back(&other);
  // What is told takes away the namesakes that it tells apart; when none is left, the name is long enough.
  const auto tell = [&](const Text& told, auto&& isToldApart) {
    if (std::erase_if(namesakes, isToldApart) > 0) name = name + same(" · ") + told;
  };
  tell(scheme->text.name, [&](const SchemeChoice* other) { return other->id != choice.id; });
  const std::vector<ParamSpec> specs = schemes::paramsOf(*scheme, choice.values);
  for (const ParamSpec& spec : specs) {
    if (!isRelevant(spec, specs, choice.values)) continue;
    const Text told = shownValue(spec, valueOf(spec, choice.values));
    tell(told, [&](const SchemeChoice* other) { return shownValue(spec, valueOf(spec, other->values)) != told; });
  }
  return name;
}

Text displayValues(const SchemeChoice& choice) {
  const Scheme* scheme = schemes::find(choice.id);
  if (!scheme) return {};
  const std::vector<ParamSpec> specs = schemes::paramsOf(*scheme, choice.values);
  std::vector<Text> told;
  // Values that only a variant has set it apart, so they come before those that all variants share.
  for (const bool conditional : {true, false})
    for (const ParamSpec& spec : specs) {
      const auto given = choice.values.find(spec.key);
      if (given == choice.values.end() || given->second == spec.default_value) continue;
      if (spec.depends_on.empty() == conditional || isInName(spec)) continue;
      if (isRelevant(spec, specs, choice.values)) told.push_back(shownValue(spec, given->second));
    }
  Text text;
  for (std::size_t i = 0; i < std::min(told.size(), shown_values); ++i) text = text + same(i ? " · " : "") + told[i];
  return text;
}

Experiment startExperiment() {
  Experiment e;
  // Llama-3.1-8B, config.json.
  e.shape = {.seq_len = 131072, .d_model = 4096, .num_heads = 32, .num_kv_heads = 8, .head_dim = 128, .num_layers = 32};
  e.content.source = ContentSource::ones;
  e.mask.causal = true;
  e.train_length = 8192;
  e.schemes = {ropeOfLlama({}, 0),
               // Its low_freq_factor 1 and high_freq_factor 4 are our defaults.
               ropeOfLlama({{"scaling", std::string("llama3")}, {"factor", 8.0}, {"original_length", 8192.0}}, 1),
               ropeOfLlama({{"scaling", std::string("yarn")}, {"factor", 8.0}, {"original_length", 8192.0}}, 2),
               {.id = "alibi", .values = {}, .label = {}, .colour = 3, .visible = true}};
  return e;
}

Outcome checkExperiment(const Experiment& e) {
  if (const auto shape = shapeTable().read("shape", shapeTable().values(e.shape)); !shape) return fail(shape.error());
  if (Outcome ok = checkShape(e.shape); !ok) return ok;
  if (const auto content = contentTable().read("content", contentTable().values(e.content)); !content)
    return fail(content.error());
  if (Outcome ok = checkMask(e.mask, e.shape); !ok) return ok;
  if (e.schemes.size() > static_cast<std::size_t>(max_schemes))
    return fail(ErrorCode::out_of_range,
                join("experiment: at most ", max_schemes, " schemes can be compared, got ", e.schemes.size()),
                join("实验：最多比较 ", max_schemes, " 种位置编码，得到 ", e.schemes.size()));
  if (const auto whole = experimentTable().read("experiment", experimentTable().values(e)); !whole)
    return fail(whole.error());
  for (const SchemeChoice& choice : e.schemes) {
    const Scheme* scheme = schemes::find(choice.id);
    if (!scheme)
      return fail(ErrorCode::unknown_name, join("experiment: there is no scheme '", choice.id, "'"),
                  join("实验：没有名为“", choice.id, "”的位置编码"));
    if (Outcome ok = scheme->check(choice.values, e.shape); !ok) return ok;
  }
  return {};
}

}  // namespace posiscope
