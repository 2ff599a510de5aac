// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/head_answer.h"

#include "core/heads/thresholds.h"
#include "ui/views/curve_options.h"
#include "ui/views/map_options.h"

#include <algorithm>

namespace posiscope::ui {
namespace {

/// Which kind a threshold decides about.
heads::Kind decides(const std::string& key) {
  for (const heads::Kind kind : {heads::Kind::local, heads::Kind::global, heads::Kind::specific})
    if (key.starts_with(heads::kindId(kind) + "_")) return kind;
  return key == "min_len" ? heads::Kind::undetermined : heads::Kind::periodic;
}

}  // namespace

std::vector<ParamSpec> headOptions(double tokens) {
  std::vector<ParamSpec> options{tokensOption(tokens)};
  std::vector<Choice> kinds;
  for (const heads::Kind kind : heads::all_kinds)
    if (kind != heads::Kind::mixed) kinds.push_back({heads::kindId(kind), heads::kindName(kind)});
  std::rotate(kinds.begin(), kinds.begin() + 1, kinds.end());  // few maps are too short to be judged
  options.push_back(choiceOption("thresholds", {"thresholds of", "阈值所属类型"},
                                 {"Whose thresholds are listed below; those of all kinds count.",
                                  "下面列出哪一类型的阈值；各类型的阈值始终有效。"},
                                 std::move(kinds)));
  for (ParamSpec spec : heads::thresholdTable().specs()) {
    spec.depends_on = "thresholds";
    spec.depends_values = {heads::kindId(decides(spec.key))};
    options.push_back(std::move(spec));
  }
  return options;
}

MeasureRequest headRequest(const std::string& measure, const std::vector<ParamSpec>& specs, const TileState& tile,
                           const Experiment& experiment) {
  MeasureRequest request = curveRequest(measure, tile);
  request.options["tokens"] =
      std::min(static_cast<double>(experiment.shape.seq_len), chosenNumber(specs, tile, "tokens"));
  return request;
}

std::optional<heads::Kind> kindOf(const Dataset& dataset, std::int64_t head) {
  const auto kinds = std::ranges::find(dataset.curves, "kind", &Curve::key);
  if (kinds == dataset.curves.end() || head < 0 || static_cast<std::size_t>(head) >= kinds->y.size())
    return std::nullopt;
  const double code = kinds->y[static_cast<std::size_t>(head)];
  if (!(code >= 0 && code < static_cast<double>(heads::all_kinds.size()))) return std::nullopt;
  return heads::all_kinds[static_cast<std::size_t>(code)];
}

QString evidenceOf(const Dataset& dataset, std::int64_t head, const Style& style) {
  if (head < 0 || static_cast<std::size_t>(head) >= dataset.properties.size()) return {};
  return style.text(dataset.properties[static_cast<std::size_t>(head)].sentence);
}

std::optional<heads::Kind> kindNamed(const std::string& id) {
  const auto found = std::ranges::find(heads::all_kinds, id, &heads::kindId);
  return found == heads::all_kinds.end() ? std::nullopt : std::optional(*found);
}

}  // namespace posiscope::ui
