// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/map_options.h"
#include "ui/views/view_kinds.h"
#include "ui/views/token_drawing.h"
#include "ui/views/token_lines_view.h"

#include <algorithm>
#include <cstdint>

namespace posiscope::ui {
namespace {

ParamSpec fewTokens() {
  ParamSpec spec = tokensOption(24, {"How many of the first tokens are shown; more lines than those of 64 "
                                     "could not be told apart.",
                                     "显示前多少个词元；超过 64 个时连线无法分辨。"});
  spec.minimum = spec.slider_minimum = 8;
  spec.maximum = spec.slider_maximum = 64;
  spec.logarithmic = false;
  return spec;
}

ParamSpec leastWeight() {
  ParamSpec spec;
  spec.key = "least";
  spec.label = {"least weight", "最小权重"};
  spec.help = {"Weights below this have no line; how many, the note says.", "小于此值的权重不画线，其个数见图下说明。"};
  spec.kind = ParamKind::real;
  spec.minimum = 0;
  spec.maximum = 1;
  spec.slider_minimum = 0;
  spec.slider_maximum = 0.3;
  spec.default_value = 0.02;
  return spec;
}

const std::vector<ParamSpec>& options() {
  static const std::vector<ParamSpec> specs{
      choiceOption("heads", {"heads", "注意力头"},
                   {"The chosen head of each scheme, or all heads as small pictures; a click on one chooses it.",
                    "显示各方案的所选头，或以小图显示全部头；点击小图即选中该头。"},
                   {{"one", {"one", "一个"}}, {"all", {"all", "全部"}}}),
      oneOrAllSchemes("all"),
      measureOption("attention_weights", "part"),
      fewTokens(),
      leastWeight(),
  };
  return specs;
}

bool allHeads(const TileState& tile) { return chosen(options(), tile, "heads") == "all"; }

/// How many tokens are asked for. A picture is asked for whole while that is quick: some schemes know its patches only
/// together.
double askedTokens(const TileState& tile, const Shape& shape) {
  constexpr double most_patches = 1024;
  const auto all = static_cast<double>(shape.seq_len);
  if (shape.grid_height > 0 && all <= most_patches) return all;
  return std::min(all, chosenNumber(options(), tile, "tokens"));
}

MeasureRequest request(const TileState& tile, const Presentation& presentation, const Experiment& experiment) {
  MeasureRequest request{"attention_weights", {}};
  request.options["tokens"] = askedTokens(tile, experiment.shape);
  request.options["part"] = chosen(options(), tile, "part");
  if (!allHeads(tile)) request.options["heads"] = std::vector<double>{shownHead(presentation, experiment)};
  return request;
}

TokenScene scene(const ViewContext& context) {
  TokenChoice choice;
  choice.all_heads = allHeads(context.tile);
  choice.head = static_cast<int>(shownHead(context.presentation, context.experiment));
  choice.selected = chosen(options(), context.tile, "schemes") == "selected";
  choice.tokens = static_cast<std::int64_t>(chosenNumber(options(), context.tile, "tokens"));
  choice.least = chosenNumber(options(), context.tile, "least");
  return makeTokenScene(context, choice);
}

}  // namespace

/// The attention of short sequences token by token: a line from each query to the keys it looks at.
ViewKind tokenLinesView() {
  ViewKind kind;
  kind.id = "token_lines";
  kind.title = {"Token to token", "词元连线"};
  kind.measure = "attention_weights";
  kind.options = options();
  kind.given_place = 8;
  kind.request = request;
  kind.create = [title = kind.title](QWidget* parent) -> View* { return new TokenLinesView(title, scene, parent); };
  kind.draw = [](QPainter& painter, const QRectF& target, const ViewContext& context) {
    const TokenScene tokens = scene(context);
    drawTokens(painter, target, tokens, layoutTokens(tokens, target));
  };
  return kind;
}

}  // namespace posiscope::ui
