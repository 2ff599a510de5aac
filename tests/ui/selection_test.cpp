// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/selection.h"

#include "synthetic.h"
#include "ui/views/view_kinds.h"
#include "ui/views/map_scene.h"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

namespace posiscope::ui {
namespace {

const Zoom some_zoom{1, 2, 3, 4};

/// A table (position × pair), decay (offset), attention (query × key) and a spectrum (pair), all zoomed.
TileAxes fourAxes() { return {{{"i", "p"}, {"n"}, {"i", "j"}, {"p"}}}; }
Presentation zoomedEverywhere() {
  Presentation p = startPresentation();
  for (TileState& tile : p.tiles) tile.zoom = some_zoom;
  return p;
}

std::vector<bool> ownZooms(const Presentation& p) {
  std::vector<bool> zooms;
  for (const TileState& tile : p.tiles) zooms.push_back(tile.zoom.has_value());
  return zooms;
}

TEST(Selection, TilesWithTheAxisGiveUpTheirOwnZoomAndOthersKeepIt) {
  const Presentation p = withSelection(zoomedEverywhere(), 2, {{"i", {4.5, 8.5}}, {"j", {0.5, 2.5}}}, fourAxes());
  EXPECT_EQ(p.selection, (Selection{{"i", {4.5, 8.5}}, {"j", {0.5, 2.5}}}));
  EXPECT_EQ(ownZooms(p), (std::vector<bool>{false, true, false, true}));
}

TEST(Selection, PositionsOfALoneAxisHoldForQueriesAndKeys) {
  const Presentation p = withSelection(startPresentation(), 0, {{"i", {4.5, 8.5}}, {"p", {-0.5, 3.5}}}, fourAxes());
  EXPECT_EQ(p.selection, (Selection{{"i", {4.5, 8.5}}, {"j", {4.5, 8.5}}, {"p", {-0.5, 3.5}}}));
}

TEST(Selection, ANewOneKeepsTheRangesOfOtherAxes) {
  Presentation p = withSelection(startPresentation(), 1, {{"n", {2, 9}}}, fourAxes());
  p = withSelection(std::move(p), 3, {{"p", {1, 2}}}, fourAxes());
  p = withSelection(std::move(p), 1, {{"n", {3, 4}}}, fourAxes());
  EXPECT_EQ(p.selection, (Selection{{"n", {3, 4}}, {"p", {1, 2}}}));
}

TEST(Selection, FittingOneTileFitsAllThatAreLinked) {
  Presentation p = startPresentation();
  p.selection = {{"i", {1, 2}}, {"j", {1, 2}}, {"n", {3, 4}}, {"p", {5, 6}}};
  for (TileState& tile : p.tiles) tile.zoom = some_zoom;
  p = withoutSelection(std::move(p), 2, fourAxes());
  EXPECT_EQ(p.selection, (Selection{{"n", {3, 4}}, {"p", {5, 6}}}));
  EXPECT_EQ(ownZooms(p), (std::vector<bool>{false, true, false, true}));
}

TEST(Selection, WithNothingSelectedATileFitsAlone) {
  const Presentation p = withoutSelection(zoomedEverywhere(), 0, fourAxes());
  EXPECT_EQ(ownZooms(p), (std::vector<bool>{false, true, true, true}));
}

TEST(Selection, ThePartsThatWereShownComeBackWhereTheViewIsTheSame) {
  Presentation before = zoomedEverywhere();
  before.selection = {{"n", {3, 4}}};
  Presentation all = before;
  all.selection.clear();
  for (TileState& tile : all.tiles) tile.zoom.reset();
  all.tiles[1].view = "another";
  const Presentation back = withPartsOf(all, before);
  EXPECT_EQ(back.selection, before.selection);
  EXPECT_EQ(ownZooms(back), (std::vector<bool>{true, false, true, true}));
}

TEST(Selection, FittingATableForgetsTheKeysItSelected) {
  Presentation p = withSelection(startPresentation(), 0, {{"i", {4.5, 8.5}}}, fourAxes());
  EXPECT_TRUE(withoutSelection(std::move(p), 0, fourAxes()).selection.empty());
}

TEST(Selection, TakesWholeSteps) {
  Axis axis;
  axis.first = 100;
  axis.step = 2;
  EXPECT_EQ(wholeSteps(axis, {103.1, 108.9}), (Range{103, 109}));
  EXPECT_EQ(wholeSteps(axis, {103, 109}), (Range{103, 109})) << "exact edges grow nothing";
  EXPECT_EQ(wholeSteps(axis, {104.2, 104.3}), (Range{103, 105})) << "one cell at least";
}

TEST(Selection, OutsideOrSenselessIsNotSelected) {
  const Range whole{-0.5, 63.5};
  EXPECT_EQ(selectedOn({{"i", {60, 90}}}, "i", whole), (Range{60, 63.5}));
  EXPECT_FALSE(selectedOn({{"i", {70, 90}}}, "i", whole));
  EXPECT_FALSE(selectedOn({{"i", {9, 3}}}, "i", whole));
  EXPECT_FALSE(selectedOn({{"i", {std::numeric_limits<double>::quiet_NaN(), 3}}}, "i", whole).has_value() &&
               selectedOn({{"i", {1, std::numeric_limits<double>::quiet_NaN()}}}, "i", whole).has_value());
  EXPECT_FALSE(selectedOn({{"j", {1, 3}}}, "i", whole));
  EXPECT_FALSE(selectedOn({{"", {1, 3}}}, "", whole)) << "an axis without a meaning is linked to nothing";
}

TEST(Selection, MapsShowItUntilTheyAreZoomedThemselves) {
  ViewContext context = contextOf("position_table", {rotaryTable(64, 16)});
  context.presentation.selection = {{"i", {9.5, 19.5}}, {"d", {1, 2}}};
  EXPECT_EQ(makeMapScene(context, {}).zoom, (Zoom{-0.5, 15.5, 9.5, 19.5}));
  context.tile.zoom = Zoom{0.5, 4.5, 2.5, 6.5};
  EXPECT_EQ(makeMapScene(context, {}).zoom, context.tile.zoom);
  context.tile.zoom.reset();
  context.presentation.selection = {{"i", {900, 990}}};
  EXPECT_FALSE(makeMapScene(context, {}).zoom) << "outside of this map";
}

Dataset positionCurve() {
  Dataset dataset;
  dataset.x.name = {"position", "位置"};
  dataset.x.symbol = "i";
  Curve curve;
  for (int n = 0; n < 100; ++n) {
    curve.x.push_back(n);
    curve.y.push_back(0.01 * n);
  }
  dataset.curves.push_back(std::move(curve));
  return dataset;
}

std::unique_ptr<View> shown(const ViewKind& kind, const ViewContext& context) {
  std::unique_ptr<View> view(kind.create(nullptr));
  view->resize(480, 320);
  view->setContext(context);
  view->show();
  EXPECT_TRUE(QTest::qWaitForWindowExposed(view.get()));
  return view;
}

TEST(Selection, CurvesShowIt) {
  ViewContext context = contextOf("waves", {positionCurve()});
  const auto view = shown(wavesView(), context);
  EXPECT_EQ(view->axes(), std::vector<std::string>{"i"});
  const QImage all = view->grab().toImage();
  context.presentation.selection = {{"n", {9.5, 19.5}}};
  view->setContext(context);
  EXPECT_EQ(view->grab().toImage(), all) << "another axis";
  context.presentation.selection = {{"i", {9.5, 19.5}}};
  view->setContext(context);
  const QImage part = view->grab().toImage();
  EXPECT_NE(part, all);
  context.presentation.selection = {};
  context.tile.zoom = Zoom{9.5, 19.5, 0, 1};
  view->setContext(context);
  EXPECT_EQ(view->grab().toImage(), part) << "the same as this zoom";
}

TEST(Selection, ShiftDragOverCurvesSelectsTheAbscissa) {
  const auto view = shown(wavesView(), contextOf("waves", {positionCurve()}));
  QSignalSpy spy(view.get(), &View::selected);
  QSignalSpy zooms(view.get(), &View::zoomed);
  QTest::mousePress(view.get(), Qt::LeftButton, Qt::ShiftModifier, {350, 100});
  QTest::mouseMove(view.get(), {300, 120});
  QTest::mouseRelease(view.get(), Qt::LeftButton, Qt::ShiftModifier, {200, 140});
  ASSERT_EQ(spy.count(), 1);
  const auto ranges = spy.last().at(0).value<Selection>();
  ASSERT_EQ(ranges.size(), 1U);
  const Range range = ranges.at("i");
  EXPECT_GT(range.low, 5);
  EXPECT_LT(range.high, 95);
  EXPECT_NEAR(range.high - range.low, 100 * 150 / 420.0, 8);
  EXPECT_EQ(zooms.count(), 0);
  QTest::mousePress(view.get(), Qt::LeftButton, Qt::ShiftModifier, {350, 100});
  QTest::mouseRelease(view.get(), Qt::LeftButton, Qt::ShiftModifier, {351, 100});
  EXPECT_EQ(spy.count(), 1) << "a click is no range";
}

TEST(Selection, ZoomingOutOfItIsAZoomOfTheTile) {
  ViewContext context = contextOf("position_table", {rotaryTable(64, 16)});
  context.presentation.selection = {{"i", {9.5, 19.5}}};
  const auto view = shown(positionTableView(), context);
  QSignalSpy spy(view.get(), &View::zoomed);
  for (int step = 0; step < 12; ++step) QTest::keyClick(view.get(), Qt::Key_Minus);
  ASSERT_FALSE(spy.isEmpty());
  EXPECT_EQ(spy.last().at(0).value<std::optional<Zoom>>(), (Zoom{-0.5, 15.5, -0.5, 63.5})) << "not the selection again";
}

TEST(Selection, TheKeySSelectsWhatIsShown) {
  ViewContext context = contextOf("position_table", {rotaryTable(64, 16)});
  context.tile.zoom = Zoom{3.5, 7.5, 10.5, 20.5};
  const auto view = shown(positionTableView(), context);
  QSignalSpy spy(view.get(), &View::selected);
  QTest::keyClick(view.get(), Qt::Key_S);
  ASSERT_EQ(spy.count(), 1);
  EXPECT_EQ(spy.last().at(0).value<Selection>(), (Selection{{"i", {10.5, 20.5}}, {"p", {3.5, 7.5}}}));
}

}  // namespace
}  // namespace posiscope::ui
