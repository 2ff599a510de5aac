// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/head_report.h"
#include "ui/views/head_answer.h"
#include "ui/views/head_table_view.h"
#include "ui/views/map_options.h"
#include "ui/views/view_kinds.h"

#include <utility>

namespace posiscope::ui {
namespace {

constexpr double usual_tokens = 512;

ParamSpec sortOption() {
  std::vector<Choice> columns = measures::headFigures();
  columns.insert(columns.begin(), {"head", {"head", "头"}});
  return choiceOption(
      "sort", {"order by", "排序依据"},
      {"The column that orders the heads; a click on its name does the same.", "按哪一列排列各头；点击列名效果相同。"},
      std::move(columns));
}

const std::vector<ParamSpec>& options() {
  static const std::vector<ParamSpec> specs = [] {
    std::vector<ParamSpec> own{oneOrAllSchemes("selected"), sortOption(),
                               switchOption("descending", {"largest first", "从大到小"},
                                            {"Turns the order of the heads round.", "反转各头的排列顺序。"}, false)};
    const std::vector<ParamSpec> measure = headOptions(usual_tokens);
    own.insert(own.end(), measure.begin(), measure.end());
    own.insert(own.begin() + 1, measureOption("heads", "layers"));
    own.push_back(measureOption("heads", "leave_out"));
    own.push_back(measureOption("heads", "patch"));
    return own;
  }();
  return specs;
}

HeadTable table(const ViewContext& context) {
  HeadChoice choice;
  choice.selected = chosen(options(), context.tile, "schemes") == "selected";
  choice.sort = chosen(options(), context.tile, "sort");
  choice.descending = isOn(options(), context.tile, "descending");
  return makeHeadTable(context, choice);
}

}  // namespace

/// Every head with its kind and its figures, as a table that can be ordered.
ViewKind headsView() {
  ViewKind kind;
  kind.id = "heads";
  kind.title = {"Heads", "注意力头"};
  kind.measure = "heads";
  kind.options = options();
  kind.given_place = 3;
  kind.request = [](const TileState& tile, const Presentation&, const Experiment& experiment) {
    return headRequest("heads", options(), tile, experiment);
  };
  kind.create = [title = kind.title](QWidget* parent) -> View* { return new HeadTableView(title, table, parent); };
  kind.draw = [](QPainter& painter, const QRectF& target, const ViewContext& context) {
    const HeadTable heads = table(context);
    drawHeads(painter, target, heads, layoutHeads(heads, target));
  };
  return kind;
}

}  // namespace posiscope::ui
