// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/history.h"

#include <cmath>

namespace posiscope::train {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

/// NaN, which JSON has not, is null.
ordered_json numberOrNull(double value) { return std::isfinite(value) ? ordered_json(value) : ordered_json(); }
double numberOf(const json& value) { return value.is_null() ? std::nan("") : value.get<double>(); }

}  // namespace

ordered_json toJson(const History& history) {
  // Rows under one line of names: a thousand steps must stay small.
  ordered_json steps = ordered_json::array(), evaluations = ordered_json::array(), heads = ordered_json::array();
  for (const StepRecord& s : history.steps)
    steps.push_back({s.step, s.length, s.loss, s.accuracy, s.facts.norm, s.facts.clip, s.facts.lr,
                     s.facts.position_norm, s.facts.word_norm});
  for (const EvaluationRecord& e : history.evaluations)
    evaluations.push_back({e.step, e.loss, e.accuracy, e.word_row, e.position_row});
  for (const HeadRecord& h : history.heads)
    heads.push_back({h.step, h.layer, h.head, numberOrNull(h.previous_token), numberOrNull(h.induction), h.kind});
  return {{"step_columns",
           {"step", "length", "loss", "accuracy", "gradient_norm", "clip", "lr", "position_gradient_norm",
            "word_gradient_norm"}},
          {"steps", steps},
          {"evaluation_columns", {"step", "loss", "accuracy", "word_row_norm", "position_row_norm"}},
          {"evaluations", evaluations},
          {"head_columns", {"step", "layer", "head", "previous_token", "induction", "kind"}},
          {"heads", heads}};
}

History historyFromJson(const json& root) {
  History history;
  const auto number = [](const json& row, std::size_t column) { return row.at(column).get<double>(); };
  for (const json& row : root.at("steps"))
    history.steps.push_back({row.at(0).get<std::int64_t>(),
                             row.at(1).get<std::int64_t>(),
                             number(row, 2),
                             number(row, 3),
                             {number(row, 4), number(row, 5), number(row, 6), number(row, 7), number(row, 8)}});
  for (const json& row : root.at("evaluations"))
    history.evaluations.push_back(
        {row.at(0).get<std::int64_t>(), number(row, 1), number(row, 2), number(row, 3), number(row, 4)});
  // Checkpoints of earlier versions kept none.
  for (const json& row : root.value("heads", json::array()))
    history.heads.push_back({row.at(0).get<std::int64_t>(), row.at(1).get<std::int64_t>(),
                             row.at(2).get<std::int64_t>(), numberOf(row.at(3)), numberOf(row.at(4)),
                             row.at(5).get<std::string>()});
  return history;
}

}  // namespace posiscope::train
