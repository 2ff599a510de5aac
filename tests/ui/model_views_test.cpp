// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The views into a model: all its layers and heads, one row of its attention, its loss by position.
#include "core/compute.h"
#include "synthetic.h"
#include "ui/charts/plot.h"
#include "ui/panels/readout.h"
#include "ui/views/curve_view.h"
#include "ui/views/list.h"
#include "ui/views/map_view.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <QSignalSpy>
#include <QTest>

namespace posiscope::ui {
namespace {

Experiment layered() {
  Experiment e;
  e.shape.seq_len = 24;
  e.shape.d_model = 32;
  e.shape.head_dim = 8;
  e.shape.num_heads = 4;
  e.shape.num_layers = 8;
  e.mask.causal = true;
  e.schemes = {{"rope", {}, "", 0, true}, {"layer_pattern", {}, "", 1, true}};
  return e;
}

/// The context of a tile with this view, as the window makes it.
ViewContext answered(const char* view, const Experiment& experiment, const ParamValues& options = {}) {
  const ViewKind& kind = *findView(view);
  ViewContext context;
  context.experiment = experiment;
  context.presentation = startPresentation();
  context.presentation.selected = 0;
  context.style = makeStyle(false, Language::english);
  context.tile.view = view;
  context.tile.options = options;
  context.measure = 0;
  const auto result = compute({experiment, {kind.request(context.tile, context.presentation, experiment)}}, Job{});
  EXPECT_TRUE(result) << (result ? "" : result.error().message.en);
  if (result) context.result = *result;
  return context;
}

struct ShownOverview {
  std::unique_ptr<MapView> view;

  explicit ShownOverview(const ViewContext& context) {
    view.reset(qobject_cast<MapView*>(findView("attention_overview")->create(nullptr)));
    view->resize(600, 700);
    view->setContext(context);
    view->show();
    view->grab();
  }
};

TEST(AttentionOverviewView, hasARowForEachLayerOfTheSelectedScheme) {
  ViewContext context = answered("attention_overview", layered());
  context.presentation.selected = 1;
  ShownOverview shown(context);
  const MapScene& scene = shown.view->scene();
  ASSERT_EQ(scene.panels.size(), 32U);
  const auto& places = shown.view->places().panels;
  for (std::size_t p = 0; p < 32; ++p) {
    EXPECT_EQ(scene.panels[p].scheme, 1);
    EXPECT_EQ(scene.panels[p].layer, static_cast<int>(p / 4));
    EXPECT_EQ(scene.panels[p].caption, QStringLiteral("%1 · %2").arg(p / 4).arg(p % 4));
    EXPECT_EQ(places[p].plot.top(), places[p / 4 * 4].plot.top()) << p;
    if (p >= 4) {
      EXPECT_GT(places[p].plot.top(), places[p - 4].plot.bottom() - 1) << p;
    }
  }
}

TEST(AttentionOverviewView, aClickChoosesLayerAndHead) {
  ShownOverview shown(answered("attention_overview", layered()));
  QSignalSpy head(shown.view.get(), &View::headChosen);
  QSignalSpy layer(shown.view.get(), &View::layerChosen);
  QTest::mouseClick(shown.view.get(), Qt::LeftButton, Qt::NoModifier,
                    shown.view->places().panels[22].plot.center().toPoint());
  ASSERT_EQ(head.count(), 1);
  ASSERT_EQ(layer.count(), 1);
  EXPECT_EQ(head.last().at(0).toInt(), 2);
  EXPECT_EQ(layer.last().at(0).toInt(), 5);
}

TEST(AttentionOverviewView, theReadoutNamesTheLayerAndComparesTheSameOne) {
  const ViewContext context = answered("attention_overview", layered());
  const std::vector<Answer>& answers = context.answers();
  const Dataset& pattern = **answers[1].dataset;
  Hover hover;
  hover.i = 20;
  hover.j = 3;
  hover.head = 1;
  hover.scheme = 1;
  std::size_t layer = 1;  // the first that differs from layer 0 there
  while (pattern.maps[layer * 4 + 1].field->at(20, 3) == pattern.maps[1].field->at(20, 3)) ++layer;
  hover.value = pattern.maps[layer * 4 + 1].field->at(20, 3);
  const PointerReadout readout = readPointer(*context.result, 0, hover, context.style);
  const auto named = std::ranges::find(readout.place, QStringLiteral("map"), &ReadoutRow::name);
  ASSERT_NE(named, readout.place.end());
  EXPECT_EQ(named->value, QStringLiteral("layer %1 · head 1").arg(layer));
  ASSERT_EQ(readout.schemes.size(), 2U);
  EXPECT_EQ(readout.schemes[1].value, numberText(*hover.value));
}

TEST(AttentionRowView, keepsTheQueryInsideAShorterSequenceAndFollowsTheHead) {
  const ViewKind& kind = *findView("attention_row");
  TileState tile;
  tile.view = kind.id;
  tile.options["query"] = 40.0;
  Presentation presentation = startPresentation();
  presentation.head = 3;
  const MeasureRequest request = kind.request(tile, presentation, layered());
  EXPECT_EQ(std::get<double>(request.options.at("query")), 23);
  EXPECT_EQ(std::get<double>(request.options.at("head")), 3);
  tile.options["query"] = -40.0;
  EXPECT_EQ(std::get<double>(kind.request(tile, presentation, layered()).options.at("query")), -24);
  EXPECT_EQ(findParam(kind.options, "head"), nullptr);
}

TEST(AttentionRowView, isReadByTheKeyUnderThePointer) {
  const ViewContext context = answered("attention_row", layered());
  std::unique_ptr<View> view(findView("attention_row")->create(nullptr));
  view->resize(600, 400);
  view->setContext(context);
  view->show();
  view->grab();
  QSignalSpy spy(view.get(), &View::hovered);
  QTest::keyClick(view.get(), Qt::Key_Right, Qt::ControlModifier);
  ASSERT_FALSE(spy.isEmpty());
  const Hover hover = spy.last().at(0).value<Hover>();
  ASSERT_TRUE(hover.j);
  EXPECT_EQ(*hover.j, 1);
  EXPECT_EQ(hover.i, 23) << "the query whose row this is";
  EXPECT_EQ(*hover.value, (*context.answers()[0].dataset)->curves[0].y[1]);
  EXPECT_EQ(view->axes(), std::vector<std::string>{"j"});
}

TEST(LossView, saysWhyThereIsNoneAndAsksForBlocks) {
  const ViewContext context = answered("loss_by_position", layered());
  const double tokens = static_cast<double>(context.experiment.shape.keys());
  EXPECT_EQ(std::get<double>(context.result->request.measures[0].options.at("block")),
            std::clamp(std::floor(tokens / 16), 1.0, 64.0));
  EXPECT_TRUE(makePlot(context, {}).centred.contains(QStringLiteral("choose a model as the content")));
}

}  // namespace
}  // namespace posiscope::ui
