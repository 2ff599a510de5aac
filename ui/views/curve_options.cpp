// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/curve_options.h"

#include "core/measures/list.h"
#include "ui/views/map_options.h"

#include <utility>

namespace posiscope::ui {
namespace {

ParamSpec limitOption(const char* key, Text label, Text help, double default_value) {
  ParamSpec spec;
  spec.key = key;
  spec.label = std::move(label);
  spec.help = std::move(help);
  spec.minimum = -1e30;
  spec.maximum = 1e30;
  spec.slider_minimum = -1;
  spec.slider_maximum = 1;
  spec.default_value = default_value;
  spec.depends_on = "limits";
  spec.depends_values = {"typed"};
  return spec;
}

const std::vector<ParamSpec>& limitOptions() {
  static const std::vector<ParamSpec> specs{
      choiceOption("limits", {"vertical limits", "纵轴范围"},
                   {"Automatic: round numbers around all curves shown.", "“自动”：取包含所有曲线的整齐数值。"},
                   {{"automatic", {"automatic", "自动"}}, {"typed", {"typed", "手动输入"}}}),
      limitOption("minimum", {"lower limit", "下限"}, {"The value at the bottom.", "底部对应的值。"}, 0),
      limitOption("maximum", {"upper limit", "上限"}, {"The value at the top.", "顶部对应的值。"}, 1)};
  return specs;
}

}  // namespace

std::vector<ParamSpec> curveOptions(const std::string& measure, std::vector<ParamSpec> own) {
  own.insert(own.end(), limitOptions().begin(), limitOptions().end());
  if (const Measure* found = measures::find(measure))
    for (const ParamSpec& spec : found->options)
      if (!findParam(own, spec.key)) own.push_back(spec);
  return own;
}

MeasureRequest curveRequest(const std::string& measure, const TileState& tile) {
  MeasureRequest request{measure, {}};
  const Measure* found = measures::find(measure);
  for (const auto& [key, value] : tile.options)
    if (found && findParam(found->options, key)) request.options[key] = value;
  return request;
}

std::optional<std::pair<double, double>> typedLimits(const TileState& tile, bool logarithmic) {
  if (chosen(limitOptions(), tile, "limits") != "typed") return std::nullopt;
  const double low = chosenNumber(limitOptions(), tile, "minimum");
  const double high = chosenNumber(limitOptions(), tile, "maximum");
  if (!(low < high) || (logarithmic && low <= 0)) return std::nullopt;
  return std::pair{low, high};
}

ParamSpec scaleOption(std::string key, Text label, bool logarithmic) {
  std::vector<Choice> choices{{"linear", {"linear", "线性"}}, {"log", {"logarithmic", "对数"}}};
  if (logarithmic) std::swap(choices[0], choices[1]);
  return choiceOption(
      std::move(key), std::move(label),
      {"Equal steps along the axis are equal differences or equal ratios.", "坐标轴上的等距表示等差或等比。"},
      std::move(choices));
}

}  // namespace posiscope::ui
