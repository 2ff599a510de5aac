// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/dial_view.h"
#include "ui/views/dials.h"
#include "ui/views/map_options.h"
#include "ui/views/view_kinds.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace posiscope::ui {
namespace {

ParamSpec positionOption(const char* key, Text label, Text help, double default_value) {
  ParamSpec spec;
  spec.key = key;
  spec.label = std::move(label);
  spec.help = std::move(help);
  spec.unit = "tokens";
  spec.kind = ParamKind::integer;
  spec.minimum = 0;
  spec.maximum = 1 << 24;
  spec.slider_minimum = 0;
  spec.slider_maximum = 511;
  spec.default_value = default_value;
  return spec;
}

const std::vector<ParamSpec>& options() {
  static const std::vector<ParamSpec> specs{
      positionOption("i", {"position i", "位置 i"}, {"The filled hands: where the query stands.", "实心指针：查询所在位置。"},
                     40),
      positionOption("j", {"position j", "位置 j"}, {"The hollow hands: where the key stands.", "空心指针：键所在位置。"},
                     32),
      choiceOption("schemes", {"schemes", "方案"},
                   {"The selected scheme, or all of them.", "只显示所选方案，或显示全部方案。"},
                   {{"selected", {"selected", "所选"}}, {"all", {"all", "全部"}}}),
  };
  return specs;
}

/// A position of the tile, inside the sequence.
double position(const TileState& tile, const Experiment& experiment, const char* key) {
  return std::min(chosenNumber(options(), tile, key), static_cast<double>(experiment.shape.seq_len - 1));
}

DialScene scene(const ViewContext& context) {
  const auto at = [&](const char* key) {
    return static_cast<std::int64_t>(position(context.tile, context.experiment, key));
  };
  return makeDialScene(context, at("i"), at("j"), chosen(options(), context.tile, "schemes") == "all");
}

MeasureRequest request(const TileState& tile, const Presentation& presentation, const Experiment& experiment) {
  MeasureRequest request{"rotation", {}};
  request.options["i"] = position(tile, experiment, "i");
  request.options["j"] = position(tile, experiment, "j");
  request.options["head"] = shownHead(presentation, experiment);
  return request;
}

}  // namespace

/// Each pair of dimensions as a clock hand at two positions: the angle between the hands is all that a rotary
/// attention sees of i and j.
ViewKind rotationView() {
  ViewKind kind;
  kind.id = "rotation";
  kind.title = {"Rotation", "旋转"};
  kind.measure = "rotation";
  kind.options = options();
  kind.request = request;
  kind.create = [title = kind.title](QWidget* parent) -> View* { return new DialView(title, scene, parent); };
  kind.draw = [](QPainter& painter, const QRectF& target, const ViewContext& context) {
    const DialScene dials = scene(context);
    drawDials(painter, target, dials, layoutDials(dials, target));
  };
  return kind;
}

}  // namespace posiscope::ui
