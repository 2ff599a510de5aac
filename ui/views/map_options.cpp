// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/map_options.h"

#include "core/measures/list.h"
#include "ui/paint/colour_map.h"
#include "ui/views/list.h"

#include <algorithm>
#include <iterator>
#include <QtGlobal>
#include <utility>

namespace posiscope::ui {
namespace {

ParamSpec mapOption() {
  std::vector<Choice> choices{{"auto", {"automatic", "自动"}}};
  for (const ColourMap& map : colourMaps()) choices.push_back({std::string(map.key), map.name});
  return choiceOption("map", {"colour map", "配色"},
                      {"The colours of the numbers; automatic picks what suits weights, signed values or angles.",
                       "数值的配色；“自动”按权重、带符号的值或角度选择。"},
                      std::move(choices));
}

ParamSpec limitOption(const char* key, Text label, Text help, double default_value) {
  ParamSpec spec;
  spec.key = key;
  spec.label = std::move(label);
  spec.help = std::move(help);
  spec.kind = ParamKind::real;
  spec.minimum = -1e30;
  spec.maximum = 1e30;
  spec.slider_minimum = -1;
  spec.slider_maximum = 1;
  spec.default_value = default_value;
  spec.depends_on = "limits";
  spec.depends_values = {"typed"};
  return spec;
}

/// The value given when it is legal, else the default.
const Value& legalValue(const ParamSpec& spec, const TileState& tile) {
  const Value& value = valueOf(spec, tile.options);
  return checkValue("", spec, value) ? value : spec.default_value;
}

const ParamSpec& known(const std::vector<ParamSpec>& specs, const std::string& key) {
  const ParamSpec* spec = findParam(specs, key);
  Q_ASSERT(spec);
  return *spec;
}

}  // namespace

ParamSpec choiceOption(std::string key, Text label, Text help, std::vector<Choice> choices) {
  ParamSpec spec;
  spec.key = std::move(key);
  spec.label = std::move(label);
  spec.help = std::move(help);
  spec.kind = ParamKind::choice;
  spec.default_value = choices.front().key;
  spec.choices = std::move(choices);
  return spec;
}

ParamSpec switchOption(std::string key, Text label, Text help, bool on) {
  ParamSpec spec;
  spec.key = std::move(key);
  spec.label = std::move(label);
  spec.help = std::move(help);
  spec.kind = ParamKind::boolean;
  spec.default_value = on;
  return spec;
}

ParamSpec oneOrAllSchemes(const std::string& first) {
  std::vector<Choice> choices{{"all", {"all side by side", "全部并排"}},
                              {"selected", {"the selected one", "所选方案"}}};
  if (first == "selected") std::swap(choices[0], choices[1]);
  return choiceOption("schemes", {"schemes", "方案"},
                      {"The selected scheme large, or all side by side.", "放大显示所选方案，或并排显示全部方案。"},
                      std::move(choices));
}

ParamSpec tokensOption(double usual, Text help) {
  constexpr double most = 4096;  // more than a tile has pixels would only be averaged away
  ParamSpec spec;
  spec.key = "tokens";
  spec.label = {"tokens", "词元数"};
  spec.help = std::move(help);
  spec.unit = "tokens";
  spec.kind = ParamKind::integer;
  spec.minimum = 1;
  spec.maximum = most;
  spec.slider_minimum = 8;
  spec.slider_maximum = most;
  spec.logarithmic = true;
  spec.default_value = usual;
  return spec;
}

ParamSpec measureOption(const std::string& measure, const std::string& key) {
  const Measure* found = measures::find(measure);
  Q_ASSERT(found);
  return known(found->options, key);
}

std::vector<ParamSpec> mapOptions() {
  return {
      mapOption(),
      choiceOption(
          "limits", {"colour limits", "颜色范围"},
          {"Shared: one scale for all maps of this view. Automatic: each map has its own. A few outliers do not "
           "stretch a scale: its bar ends in ≥ then.",
           "“共享”：本视图各图用同一标尺；“自动”：每幅图各用一个标尺。少数离群值不会拉伸标尺，"
           "此时色条末端标为 ≥。"},
          {{"shared", {"shared", "共享"}},
           {"automatic", {"automatic, own of each map", "自动（各自）"}},
           {"typed", {"typed", "手动输入"}}}),
      limitOption("minimum", {"lower limit", "下限"}, {"The value of the lowest colour.", "最低颜色对应的值。"}, 0),
      limitOption("maximum", {"upper limit", "上限"}, {"The value of the highest colour.", "最高颜色对应的值。"}, 1),
      switchOption("log", {"logarithmic colours", "对数配色"},
                   {"Equal steps of colour are equal ratios; signed values use a logarithm on both sides of 0.",
                    "颜色等距表示等比；带符号的值在 0 的两侧取对数。"},
                   false),
      choiceOption("reduce", {"many cells in a pixel", "多格合一像素"},
                   {"What a pixel shows when it stands for many cells.", "一个像素代表多个格子时显示什么。"},
                   {{"mean", {"mean", "平均"}},
                    {"max", {"maximum", "最大"}},
                    {"min", {"minimum", "最小"}},
                    {"nearest", {"nearest cell", "最近的格子"}}}),
  };
}

std::vector<ParamSpec> withMapOptions(std::vector<ParamSpec> own) {
  std::ranges::move(mapOptions(), std::back_inserter(own));
  return own;
}

std::vector<ParamSpec> withOwnLimits(std::vector<ParamSpec> options) {
  for (ParamSpec& spec : options)
    if (spec.key == "limits") spec.default_value = std::string("automatic");
  return options;
}

MapOptions readMapOptions(const TileState& tile) {
  static const std::vector<ParamSpec> specs = mapOptions();
  MapOptions options;
  options.map = chosen(specs, tile, "map");
  const ViewKind* view = findView(tile.view);  // its default may be another, or it has none
  const std::string limits = chosen(view && findParam(view->options, "limits") ? view->options : specs, tile, "limits");
  if (limits == "automatic") options.limits = MapOptions::Limits::automatic;
  if (limits == "typed") options.limits = MapOptions::Limits::typed;
  options.minimum = chosenNumber(specs, tile, "minimum");
  options.maximum = chosenNumber(specs, tile, "maximum");
  options.logarithmic = isOn(specs, tile, "log");
  const std::string reduce = chosen(specs, tile, "reduce");
  if (reduce == "max") options.reduction = Reduction::maximum;
  if (reduce == "min") options.reduction = Reduction::minimum;
  if (reduce == "nearest") options.reduction = Reduction::nearest;
  return options;
}

std::string chosen(const std::vector<ParamSpec>& specs, const TileState& tile, const std::string& key) {
  return std::get<std::string>(legalValue(known(specs, key), tile));
}

double chosenNumber(const std::vector<ParamSpec>& specs, const TileState& tile, const std::string& key) {
  return std::get<double>(legalValue(known(specs, key), tile));
}

bool isOn(const std::vector<ParamSpec>& specs, const TileState& tile, const std::string& key) {
  return std::get<bool>(legalValue(known(specs, key), tile));
}

double shownHead(const Presentation& presentation, const Experiment& experiment) {
  const auto last = static_cast<int>(std::max<std::int64_t>(0, experiment.shape.num_heads - 1));
  return std::clamp(presentation.head, 0, last);
}

}  // namespace posiscope::ui
