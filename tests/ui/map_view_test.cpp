// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthetic.h"
#include "ui/views/list.h"
#include "ui/views/map_layout.h"
#include "ui/views/map_view.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QImage>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <cmath>
#include <memory>
#include <optional>

namespace posiscope::ui {
namespace {

/// A shown widget of the view, deleted with the test.
struct Shown {
  std::unique_ptr<MapView> view;

  explicit Shown(const std::string& id, const ViewContext& context, QSize size = QSize(500, 420)) {
    view.reset(qobject_cast<MapView*>(findView(id)->create(nullptr)));
    view->resize(size);
    view->setContext(context);
    view->show();
    view->grab();  // laid out and painted
  }
  QPointF centreOf(std::size_t panel) { return view->places().panels[panel].plot.center(); }
  void wheel(QPointF at, int delta) {
    QWheelEvent event(at, view->mapToGlobal(at), QPoint(), QPoint(0, delta), Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(view.get(), &event);
  }
};

TEST(MapView, HoverNamesTheCellUnderThePixel) {
  Shown shown("position_table", mapContext("position_table"));
  QSignalSpy spy(shown.view.get(), &View::hovered);
  const QRectF plot = shown.view->places().panels[0].plot;
  // Pair 4 of 16, position 32 of 64.
  QTest::mouseMove(shown.view.get(), QPointF(plot.left() + plot.width() * 4.5 / 16, plot.top() + plot.height() * 32.5 / 64).toPoint());
  ASSERT_FALSE(spy.isEmpty());
  const Hover hover = spy.last().at(0).value<Hover>();
  EXPECT_EQ(hover.pair, 4.0);
  EXPECT_EQ(hover.i, 32.0);
  EXPECT_EQ(hover.view, "position_table");
  ASSERT_TRUE(hover.value);
  EXPECT_NEAR(*hover.value, std::cos(32 * std::pow(1000.0, -4.0 / 16)), 1e-5);
}

TEST(MapView, TheCurvesBelowTheMapsAnswerThePointer) {
  ViewContext context;
  context.presentation = startPresentation();
  context.style = makeStyle(false, Language::english);
  context.tile.view = "attention_weights";
  Experiment& e = context.experiment;
  e.shape.seq_len = 24;
  e.shape.num_heads = 1;
  e.shape.head_dim = 8;
  e.mask.causal = true;
  e.schemes = {{"alibi", {}, {}, 0, true}};
  const MeasureRequest request = findView("attention_weights")->request(context.tile, context.presentation, e);
  context.result = *compute({e, {request}}, Job{});
  context.measure = 0;
  Shown shown("attention_weights", context, QSize(400, 600));
  const QRectF strip = shown.view->places().strip;
  ASSERT_FALSE(strip.isEmpty());
  QSignalSpy spy(shown.view.get(), &View::hovered);
  const QPointF place(strip.left() + strip.width() * 10 / 23, strip.center().y());  // offsets 0 … 23
  QMouseEvent move(QEvent::MouseMove, place, shown.view->mapToGlobal(place), Qt::NoButton, Qt::NoButton,
                   Qt::NoModifier);
  QApplication::sendEvent(shown.view.get(), &move);
  ASSERT_FALSE(spy.isEmpty());
  const Hover hover = spy.last().at(0).value<Hover>();
  EXPECT_EQ(hover.offset, 10.0);
  EXPECT_FALSE(hover.i || hover.j);
  // Said from elsewhere, the offset is marked there.
  const QImage marked = shown.view->grab().toImage();
  shown.view->setHover({});
  const QImage plain = shown.view->grab().toImage();
  EXPECT_NE(marked.copy(strip.toRect()), plain.copy(strip.toRect()));
}

TEST(MapView, HoverFromElsewhereDrawsACrossHairAndNothingElse) {
  Shown shown("position_table", mapContext("position_table"));
  const QImage before = shown.view->grab().toImage();
  Hover hover;
  hover.i = 10;
  hover.view = "spectrum";
  shown.view->setHover(hover);
  const QImage with = shown.view->grab().toImage();
  EXPECT_NE(with, before);
  shown.view->setHover({});
  EXPECT_EQ(shown.view->grab().toImage(), before);
}

TEST(MapView, WheelZoomsToThePointer) {
  Shown shown("position_table", mapContext("position_table"));
  QSignalSpy spy(shown.view.get(), &View::zoomed);
  const QRectF plot = shown.view->places().panels[0].plot;
  const QPointF point(plot.left() + plot.width() * 0.25, plot.top() + plot.height() * 0.75);
  shown.wheel(point, 120);
  ASSERT_EQ(spy.count(), 1);
  const auto zoom = spy.last().at(0).value<std::optional<Zoom>>();
  ASSERT_TRUE(zoom);
  EXPECT_LT(zoom->x1 - zoom->x0, 16);
  // What was under the pointer still is.
  EXPECT_NEAR(zoom->x0 + 0.25 * (zoom->x1 - zoom->x0), -0.5 + 0.25 * 16, 1e-9);
  EXPECT_NEAR(zoom->y0 + 0.75 * (zoom->y1 - zoom->y0), -0.5 + 0.75 * 64, 1e-9);
  shown.wheel(point, -120);
  EXPECT_FALSE(spy.last().at(0).value<std::optional<Zoom>>()) << "zooming out again ends at the whole map";
}

TEST(MapView, KeysZoomPanFitAndMoveTheCursor) {
  Shown shown("position_table", mapContext("position_table"));
  QSignalSpy zooms(shown.view.get(), &View::zoomed);
  QSignalSpy hovers(shown.view.get(), &View::hovered);
  QTest::keyClick(shown.view.get(), Qt::Key_Plus);
  const Zoom first = *zooms.last().at(0).value<std::optional<Zoom>>();
  QTest::keyClick(shown.view.get(), Qt::Key_Right);
  const Zoom second = *zooms.last().at(0).value<std::optional<Zoom>>();
  EXPECT_GT(second.x0, first.x0);
  EXPECT_EQ(second.y0, first.y0);
  QSignalSpy fits(shown.view.get(), &View::fitWanted);
  QTest::keyClick(shown.view.get(), Qt::Key_0);
  EXPECT_EQ(fits.count(), 1);
  QTest::keyClick(shown.view.get(), Qt::Key_Down, Qt::ControlModifier);
  const Hover before = hovers.last().at(0).value<Hover>();
  QTest::keyClick(shown.view.get(), Qt::Key_Down, Qt::ControlModifier);
  EXPECT_EQ(*hovers.last().at(0).value<Hover>().i, *before.i + 1);
}

TEST(MapView, ShiftDragSelectsARangeAndDoubleClickFits) {
  Shown shown("position_table", mapContext("position_table"));
  QSignalSpy spy(shown.view.get(), &View::selected);
  QSignalSpy fits(shown.view.get(), &View::fitWanted);
  const QRectF plot = shown.view->places().panels[0].plot;
  QTest::mousePress(shown.view.get(), Qt::LeftButton, Qt::ShiftModifier, (plot.topLeft() + QPointF(plot.width() * 0.3 / 16, plot.height() * 1.5 / 64)).toPoint());
  QTest::mouseRelease(shown.view.get(), Qt::LeftButton, Qt::ShiftModifier,
                      (plot.topLeft() + QPointF(plot.width() * 7.8 / 16, plot.height() * 31.8 / 64)).toPoint());
  ASSERT_EQ(spy.count(), 1);
  const auto ranges = spy.last().at(0).value<Selection>();
  EXPECT_EQ(ranges, (Selection{{"i", {0.5, 31.5}}, {"p", {-0.5, 7.5}}})) << "whole cells";
  QTest::mouseDClick(shown.view.get(), Qt::LeftButton, Qt::NoModifier, plot.center().toPoint());
  EXPECT_EQ(fits.count(), 1);
}

TEST(MapView, ARestingPointerReadsTheNewAnswer) {
  Shown shown("position_table", mapContext("position_table"));
  QSignalSpy spy(shown.view.get(), &View::hovered);
  QTest::mouseMove(shown.view.get(), shown.centreOf(0).toPoint());
  ASSERT_TRUE(QTest::qWaitFor([&] { return !spy.isEmpty(); }));
  const Hover before = spy.last().at(0).value<Hover>();
  shown.view->setContext(contextOf("position_table", {rotaryTable(64, 16, 50)}));
  const Hover after = spy.last().at(0).value<Hover>();
  EXPECT_EQ(after.i, before.i);
  EXPECT_NE(after.value, before.value);
  Dataset nothing;
  nothing.nothing = {"NoPE has no table.", "NoPE 没有表。"};
  shown.view->setContext(contextOf("position_table", {nothing}));
  EXPECT_EQ(spy.last().at(0).value<Hover>(), Hover{}) << "nothing is under the pointer any more";
}

TEST(MapView, ACursorMovedByKeysReadsTheNewAnswerToo) {
  Shown shown("position_table", mapContext("position_table"));
  QSignalSpy spy(shown.view.get(), &View::hovered);
  QTest::keyClick(shown.view.get(), Qt::Key_Down, Qt::ControlModifier);
  ASSERT_FALSE(spy.isEmpty());
  const Hover before = spy.last().at(0).value<Hover>();
  shown.view->setContext(contextOf("position_table", {rotaryTable(64, 16, 50)}));
  EXPECT_NE(spy.last().at(0).value<Hover>().value, before.value);
}

TEST(MapView, AClickOnASmallMultipleChoosesItsHead) {
  ViewContext context = mapContext("attention_weights");
  context.tile.options["heads"] = std::string("all");
  Shown shown("attention_weights", context);
  QSignalSpy spy(shown.view.get(), &View::headChosen);
  QTest::mouseClick(shown.view.get(), Qt::LeftButton, Qt::NoModifier, shown.centreOf(1).toPoint());
  ASSERT_EQ(spy.count(), 1);
  EXPECT_EQ(spy.last().at(0).toInt(), 1);
}

TEST(MapView, IsNamedForThoseWhoDoNotSeeIt) {
  Shown shown("position_table", mapContext("position_table", false, Language::chinese));
  EXPECT_EQ(shown.view->accessibleName(), QStringLiteral("编码表"));
  EXPECT_TRUE(shown.view->accessibleDescription().contains(QStringLiteral("热图")));
  EXPECT_EQ(shown.view->focusPolicy(), Qt::StrongFocus);
}

}  // namespace
}  // namespace posiscope::ui
