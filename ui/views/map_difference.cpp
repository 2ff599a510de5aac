// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/map_difference.h"

#include "core/chinese_text.h"
#include "core/difference.h"
#include "ui/state/scheme_pair.h"
#include "ui/views/map_options.h"
#include "ui/views/scheme_text.h"

#include <algorithm>
#include <utility>

namespace posiscope::ui {
namespace {

constexpr int most_schemes = 6;

ParamSpec termOption(const char* key, Text label, Text help, std::size_t default_choice) {
  std::vector<Choice> choices;
  for (int n = 1; n <= most_schemes; ++n)
    choices.push_back({std::to_string(n), {join("scheme ", n), join("方案 ", n)}});
  ParamSpec spec = choiceOption(key, std::move(label), std::move(help), std::move(choices));
  spec.default_value = spec.choices[default_choice].key;
  spec.depends_on = "schemes";
  spec.depends_values = {"difference"};
  return spec;
}

bool isTerm(const ParamSpec& spec) { return spec.key == "minuend" || spec.key == "subtrahend"; }

/// "A − B: " before a sentence about the two, which the core may have begun with a scheme's id.
tl::unexpected<Error> refuse(const Text& a, const Text& b, ErrorCode code, const Text& sentence) {
  const std::string& zh = sentence.zh.empty() ? sentence.en : sentence.zh;
  return fail(code, a.en + " − " + b.en + ": " + withoutOwner(sentence.en),
              a.zh + " − " + b.zh + "：" + withoutOwner(zh));
}

}  // namespace

std::vector<ParamSpec> schemesOptions(const std::string& first, Text help) {
  std::vector<Choice> choices{{"all", {"all side by side", "全部并排"}},
                              {"selected", {"the selected one", "所选方案"}}};
  if (first == "selected") std::swap(choices[0], choices[1]);
  choices.push_back({"difference", {"difference of two", "两者之差"}});
  return {
      choiceOption("schemes", {"schemes", "方案"}, std::move(help), std::move(choices)),
      termOption(
          "minuend", {"A of A − B", "A − B 中的 A"},
          {"The scheme to subtract from, chosen by its place in the list.", "被减的方案，按它在列表中的位置选择。"}, 0),
      termOption(
          "subtrahend", {"B of A − B", "A − B 中的 B"},
          {"The scheme that is subtracted, chosen by its place in the list.", "减去的方案，按它在列表中的位置选择。"},
          1)};
}

std::optional<SchemePair> chosenPair(const std::vector<ParamSpec>& specs, const ViewContext& context) {
  const TileState& tile = context.tile;
  if (!findParam(specs, "minuend") || chosen(specs, tile, "schemes") != "difference") return std::nullopt;
  const Experiment& answered = context.result ? context.result->request.experiment : context.experiment;
  const auto index = [&](const char* key) {
    return termIndex(tile, key, std::stoi(chosen(specs, tile, key)) - 1, answered);
  };
  return SchemePair{index("minuend"), index("subtrahend")};
}

std::vector<ParamSpec> withSchemeNames(std::vector<ParamSpec> specs, const Experiment& experiment) {
  // Two at least: there is always something to choose between.
  const std::size_t shown = std::clamp<std::size_t>(experiment.schemes.size(), 2, most_schemes);
  for (ParamSpec& spec : specs) {
    if (!isTerm(spec)) continue;
    spec.choices.resize(shown);
    for (std::size_t s = 0; s < std::min(shown, experiment.schemes.size()); ++s)
      spec.choices[s].label = displayName(experiment.schemes[s], experiment.schemes);
  }
  return specs;
}

Expected<std::shared_ptr<const Dataset>> differenceShown(const ViewContext& context, SchemePair pair) {
  const std::vector<Answer>& answers = context.answers();
  const std::size_t count = context.result ? context.result->request.experiment.schemes.size() : 0;
  for (const int index : {pair.minuend, pair.subtrahend}) {
    const char* term = index == pair.minuend ? "A" : "B";
    if (index < 0)
      return fail(ErrorCode::not_defined,
                  join("The scheme chosen as ", term,
                       " of A − B is not in the list any more; choose another one in the options of this view."),
                  join("A − B 中选作 ", term, " 的方案已不在列表中；请在本视图的选项中另选一个。"));
    if (static_cast<std::size_t>(index) >= std::min(count, answers.size()))
      return fail(ErrorCode::out_of_range,
                  join("A difference needs two schemes: there is no scheme ", index + 1, " in the list."),
                  join("求差需要两个方案：列表中没有方案 ", index + 1, "。"));
  }
  const auto nameOf = [&](int index) {
    const std::vector<SchemeChoice>& schemes = context.result->request.experiment.schemes;
    return displayName(schemes[static_cast<std::size_t>(index)], schemes);
  };
  const Text a = nameOf(pair.minuend);
  const Text b = nameOf(pair.subtrahend);
  for (const int index : {pair.minuend, pair.subtrahend}) {
    const Answer& answer = answers[static_cast<std::size_t>(index)];
    const Text name = nameOf(index);
    if (!answer.dataset) return refuse(a, b, answer.dataset.error().code, answer.dataset.error().message);
    if (!*answer.dataset)
      return refuse(
          a, b, ErrorCode::not_defined,
          {name.en + " is hidden, so there is nothing to subtract.", joinChinese(name.zh, " 已隐藏，无从相减。")});
    if ((*answer.dataset)->maps.empty() && !(*answer.dataset)->nothing.en.empty())
      return refuse(a, b, ErrorCode::not_defined, (*answer.dataset)->nothing);
  }
  const auto dataset = [&](int index) -> const Dataset& { return **answers[static_cast<std::size_t>(index)].dataset; };
  Expected<Dataset> result = difference(dataset(pair.minuend), dataset(pair.subtrahend));
  if (!result) return refuse(a, b, result.error().code, result.error().message);
  return std::make_shared<const Dataset>(*std::move(result));
}

}  // namespace posiscope::ui
