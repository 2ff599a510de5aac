// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The weight of a key by how far back it is: mean of the queries, and the middle eight of ten as a band.
#include "ui/views/curve_options.h"
#include "ui/views/curve_view.h"
#include "ui/views/view_kinds.h"
#include "ui/views/map_options.h"

#include <algorithm>

namespace posiscope::ui {
namespace {

constexpr const char* view_id = "attention_by_offset";
constexpr double usual_tokens = 512;

const std::vector<ParamSpec>& ownOptions() {
  static const std::vector<ParamSpec> specs{
      choiceOption("heads", {"heads", "注意力头"},
                   {"The chosen head with its band, or the means of all heads.", "所选头及其范围，或全部头的均值。"},
                   {{"one", {"one", "一个"}}, {"all", {"all", "全部"}}}),
      tokensOption(usual_tokens), scaleOption("x_scale", {"offset axis", "偏移轴"}, false),
      scaleOption("y_scale", {"weight axis", "权重轴"}, false)};
  return specs;
}

MeasureRequest request(const TileState& tile, const Presentation& presentation, const Experiment& experiment) {
  MeasureRequest request{view_id, {}};
  const double tokens = chosenNumber(ownOptions(), tile, "tokens");
  request.options["tokens"] = std::min(static_cast<double>(experiment.shape.seq_len), tokens);
  if (chosen(ownOptions(), tile, "heads") == "one")
    request.options["heads"] = std::vector<double>{shownHead(presentation, experiment)};
  return request;
}

/// Keys ahead of their queries lie at negative offsets, which have no logarithm.
bool hasKeysAhead(const ViewContext& context) {
  return std::ranges::any_of(context.answers(), [](const Answer& answer) {
    return answer.dataset && *answer.dataset && !(*answer.dataset)->curves.empty() && (*answer.dataset)->x.first < 0;
  });
}

Plot offsetPlot(const ViewContext& context) {
  CurveLook look;
  look.x_logarithmic = chosen(ownOptions(), context.tile, "x_scale") == "log" && !hasKeysAhead(context);
  look.y_logarithmic = chosen(ownOptions(), context.tile, "y_scale") == "log";
  look.y_limits = typedLimits(context.tile, look.y_logarithmic);
  Plot plot = makePlot(context, look);
  if (!plot.bands.empty())
    plot.notices.push_back({PlotNotice::Kind::note,
                            context.style.text({"band: the middle eight of ten queries", "阴影：居中八成的查询"})});
  return plot;
}

}  // namespace

ViewKind attentionByOffsetView() {
  ViewKind kind = curveViewKind(
      ownOptions(), {view_id, {"Attention by offset", "按偏移的注意力"}, CurveKind::Abscissa::offset, offsetPlot});
  kind.request = request;
  kind.given_place = 2;
  return kind;
}

}  // namespace posiscope::ui
