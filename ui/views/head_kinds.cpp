// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/head_answer.h"
#include "ui/views/kind_bars_view.h"
#include "ui/views/map_options.h"
#include "ui/views/view_kinds.h"

namespace posiscope::ui {
namespace {

constexpr double usual_tokens = 512;

const std::vector<ParamSpec>& options() {
  static const std::vector<ParamSpec> specs = [] {
    std::vector<ParamSpec> own = headOptions(usual_tokens);
    own.insert(own.begin(), measureOption("head_kinds", "layers"));
    return own;
  }();
  return specs;
}

}  // namespace

/// How many heads of each scheme are of which kind: position alone decides where the content is random.
ViewKind headKindsView() {
  ViewKind kind;
  kind.id = "head_kinds";
  kind.title = {"Kinds of heads", "注意力头的类型"};
  kind.measure = "head_kinds";
  kind.options = options();
  kind.given_place = 7;
  kind.request = [](const TileState& tile, const Presentation&, const Experiment& experiment) {
    return headRequest("head_kinds", options(), tile, experiment);
  };
  kind.create = [title = kind.title](QWidget* parent) -> View* { return new KindBarsView(title, parent); };
  kind.draw = [](QPainter& painter, const QRectF& target, const ViewContext& context) {
    const KindBars bars = makeKindBars(context);
    drawKindBars(painter, target, bars, layoutKindBars(bars, target));
  };
  return kind;
}

}  // namespace posiscope::ui
