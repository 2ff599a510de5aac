// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/card_view.h"
#include "ui/views/cards.h"
#include "ui/views/map_options.h"
#include "ui/views/view_kinds.h"

namespace posiscope::ui {
namespace {

const std::vector<ParamSpec>& options() {
  static const std::vector<ParamSpec> specs{
      choiceOption("precision", {"precision", "精度"},
                   {"Double separates the formula from rounding; single is what the pictures are made with.",
                    "双精度把公式本身与舍入误差分开；单精度即绘图所用的精度。"},
                   {{"double", {"double", "双精度"}}, {"single", {"single", "单精度"}}})};
  return specs;
}

}  // namespace

/// What each scheme is found to do, beside the others: a table of answers with the numbers that decided them.
ViewKind propertiesView() {
  ViewKind kind;
  kind.id = "properties";
  kind.title = {"Properties", "性质"};
  kind.measure = "properties";
  kind.options = options();
  kind.request = [](const TileState& tile, const Presentation&, const Experiment&) {
    MeasureRequest request{"properties", {}};
    request.options["precision"] = chosen(options(), tile, "precision");
    return request;
  };
  kind.create = [title = kind.title](QWidget* parent) -> View* { return new CardView(title, parent); };
  kind.draw = [](QPainter& painter, const QRectF& target, const ViewContext& context) {
    const CardScene cards = makeCardScene(context);
    drawCards(painter, target, cards, layoutCards(cards, target));
  };
  return kind;
}

}  // namespace posiscope::ui
