// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What scalings leave of each pair's frequency, all of them on the same axes.
#include "ui/views/curve_options.h"
#include "ui/views/curve_view.h"
#include "ui/views/view_kinds.h"
#include "ui/views/map_options.h"

#include <algorithm>

namespace posiscope::ui {
namespace {

const std::vector<ParamSpec>& ownOptions() {
  static const std::vector<ParamSpec> specs{choiceOption(
      "y_scale", {"ratio axis", "比值轴"},
      {"Automatic: equal steps are equal ratios, unless a scaling stops a pair altogether.",
       "“自动”：等距表示等比；若某个维度对被完全停住，则改为线性。"},
      {{"automatic", {"automatic", "自动"}}, {"linear", {"linear", "线性"}}, {"log", {"logarithmic", "对数"}}})};
  return specs;
}

/// A ratio of 0 has no place on a logarithmic axis.
bool allLogarithmic(const ViewContext& context) {
  return std::ranges::all_of(context.answers(), [](const Answer& answer) {
    return !answer.dataset || !*answer.dataset || (*answer.dataset)->curves.empty() || (*answer.dataset)->y.logarithmic;
  });
}

Plot ratioPlot(const ViewContext& context) {
  const std::string scale = chosen(ownOptions(), context.tile, "y_scale");
  CurveLook look;
  look.y_logarithmic = scale == "log" || (scale == "automatic" && allLogarithmic(context));
  look.y_limits = typedLimits(context.tile, look.y_logarithmic);
  look.y_include = look.y_logarithmic ? std::vector<double>{1} : std::vector<double>{0, 1};
  return makePlot(context, look);
}

}  // namespace

ViewKind frequencyRatioView() {
  return curveViewKind(ownOptions(),
                       {"frequency_ratio", {"Frequency ratio", "频率之比"}, CurveKind::Abscissa::pair, ratioPlot});
}

}  // namespace posiscope::ui
