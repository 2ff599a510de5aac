// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/results_json.h"

#include <cmath>

namespace posiscope::train {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

ordered_json numberOrNull(double value) { return std::isfinite(value) ? ordered_json(value) : ordered_json(); }
double numberOf(const json& value) { return value.is_null() ? std::nan("") : value.get<double>(); }

ordered_json evaluationJson(const Evaluation& e) {
  ordered_json by_position = ordered_json::array();
  for (const double loss : e.by_position) by_position.push_back(numberOrNull(loss));
  return {{"length", e.length},
          {"loss", numberOrNull(e.loss)},
          {"accuracy", e.accuracy},
          {"last_eighth_loss", numberOrNull(e.last_eighth)},
          {"loss_by_position", by_position}};
}

Evaluation evaluationOf(const json& entry) {
  Evaluation e;
  e.length = entry.at("length").get<std::int64_t>();
  e.loss = numberOf(entry.at("loss"));
  e.accuracy = entry.at("accuracy").get<double>();
  e.last_eighth = numberOf(entry.at("last_eighth_loss"));
  for (const json& loss : entry.at("loss_by_position")) e.by_position.push_back(numberOf(loss));
  return e;
}

/// Programs read the English sentence; the other one is for people who open the file again.
void putRefusal(ordered_json& entry, const Text& refused) {
  if (refused.en.empty()) return;
  entry["refused"] = refused.en;
  entry["refused_zh"] = refused.zh;
}

Text refusalOf(const json& entry) {
  const std::string english = entry.value("refused", std::string());
  return {english, entry.value("refused_zh", english)};
}

ordered_json lengthsJson(const std::vector<LengthPoint>& points) {
  ordered_json lengths = ordered_json::array();
  for (const LengthPoint& point : points) {
    ordered_json entry{{"factor", point.factor}, {"scaling", point.scaling}};
    if (point.found) entry.update(evaluationJson(*point.found));
    putRefusal(entry, point.refused);
    lengths.push_back(std::move(entry));
  }
  return lengths;
}

std::vector<LengthPoint> lengthsOf(const json& entries) {
  std::vector<LengthPoint> points;
  for (const json& entry : entries) {
    LengthPoint point{entry.at("factor").get<double>(), entry.at("scaling").get<std::string>(), std::nullopt,
                      refusalOf(entry)};
    if (entry.contains("loss")) point.found = evaluationOf(entry);
    points.push_back(std::move(point));
  }
  return points;
}

ordered_json fineTuneJson(const std::vector<FineTuneCurve>& curves) {
  ordered_json all = ordered_json::array();
  for (const FineTuneCurve& curve : curves) {
    ordered_json entry{{"scaling", curve.scaling}, {"columns", {"step", "loss", "accuracy", "last_eighth_loss"}}};
    entry["points"] = ordered_json::array();
    for (const FineTunePoint& p : curve.points)
      entry["points"].push_back({p.step, numberOrNull(p.loss), p.accuracy, numberOrNull(p.last_eighth)});
    putRefusal(entry, curve.refused);
    all.push_back(std::move(entry));
  }
  return all;
}

std::vector<FineTuneCurve> fineTuneOf(const json& entries) {
  std::vector<FineTuneCurve> curves;
  for (const json& entry : entries) {
    FineTuneCurve curve{entry.at("scaling").get<std::string>(), {}, refusalOf(entry)};
    for (const json& p : entry.at("points"))
      curve.points.push_back(
          {p.at(0).get<std::int64_t>(), numberOf(p.at(1)), p.at(2).get<double>(), numberOf(p.at(3))});
    curves.push_back(std::move(curve));
  }
  return curves;
}

}  // namespace

ordered_json toJson(const Results& results) {
  ordered_json root{{"parameters", results.parameters},
                    {"position_parameters", results.position_parameters},
                    {"evaluation", evaluationJson(results.evaluation)},
                    {"lengths", lengthsJson(results.lengths)},
                    {"fine_tune", fineTuneJson(results.fine_tune)},
                    {"index_probe", {{"r2", numberOrNull(results.index_probe.r2)}, {"hit", results.index_probe.hit}}},
                    {"without_position", evaluationJson(results.without_position)}};
  if (results.shuffled_positions) root["shuffled_positions"] = evaluationJson(*results.shuffled_positions);
  if (!results.shuffled_refused.en.empty()) {
    root["shuffled_positions"] = ordered_json::object();
    putRefusal(root["shuffled_positions"], results.shuffled_refused);
  }
  return root;
}

Results resultsFromJson(const json& root) {
  Results results;
  results.parameters = root.at("parameters").get<std::int64_t>();
  results.position_parameters = root.at("position_parameters").get<std::int64_t>();
  results.evaluation = evaluationOf(root.at("evaluation"));
  results.lengths = lengthsOf(root.at("lengths"));
  results.fine_tune = fineTuneOf(root.at("fine_tune"));
  results.index_probe.r2 = numberOf(root.at("index_probe").at("r2"));
  results.index_probe.hit = root.at("index_probe").at("hit").get<double>();
  results.without_position = evaluationOf(root.at("without_position"));
  if (!root.contains("shuffled_positions")) return results;
  const json& shuffled = root.at("shuffled_positions");
  results.shuffled_refused = refusalOf(shuffled);
  if (shuffled.contains("loss")) results.shuffled_positions = evaluationOf(shuffled);
  return results;
}

}  // namespace posiscope::train
