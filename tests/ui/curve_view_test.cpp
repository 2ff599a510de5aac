// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/view_kinds.h"

#include "tests/ui/curve_pictures.h"
#include "tests/ui/synthetic.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QImage>
#include <QTest>
#include <QWheelEvent>
#include <cmath>
#include <memory>
#include <optional>

namespace posiscope::ui {
namespace {

std::unique_ptr<View> shown(const ViewKind& kind, const ViewContext& context, QSize size = {480, 320}) {
  std::unique_ptr<View> view(kind.create(nullptr));
  view->resize(size);
  view->setContext(context);
  view->show();
  EXPECT_TRUE(QTest::qWaitForWindowExposed(view.get()));
  return view;
}

void wheel(QWidget& widget, QPointF at, int delta, Qt::KeyboardModifiers modifiers = {}) {
  QWheelEvent event(at, widget.mapToGlobal(at), {}, {0, delta}, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
  QApplication::sendEvent(&widget, &event);
}

TEST(CurveView, wheelZoomsToThePointerAndDoubleClickFits) {
  const auto view = shown(relativeDecayView(), decayContext());
  std::optional<Zoom> zoom;
  int changes = 0, fits = 0;
  QObject::connect(view.get(), &View::zoomed, view.get(), [&](std::optional<Zoom> z) { zoom = z, ++changes; });
  QObject::connect(view.get(), &View::fitWanted, view.get(), [&] { ++fits; });
  const QPointF middle(260, 160);
  wheel(*view, middle, 120);
  ASSERT_TRUE(zoom.has_value());
  EXPECT_NEAR((zoom->x1 - zoom->x0) / 127, 0.8, 1e-9);
  EXPECT_GT(zoom->x0, 0);
  EXPECT_LT(zoom->x1, 127);
  const double height = zoom->y1 - zoom->y0;
  wheel(*view, middle, 120, Qt::ControlModifier);
  EXPECT_NEAR((zoom->y1 - zoom->y0) / height, 0.8, 1e-9);
  QTest::mouseDClick(view.get(), Qt::LeftButton, {}, middle.toPoint());
  EXPECT_EQ(fits, 1);
  view->setContext(decayContext());
  wheel(*view, middle, -120);  // there is nothing outside the data
  EXPECT_EQ(changes, 2);
}

TEST(CurveView, dragPansWithinTheData) {
  const auto view = shown(relativeDecayView(), decayContext());
  std::optional<Zoom> zoom;
  QObject::connect(view.get(), &View::zoomed, view.get(), [&](std::optional<Zoom> z) { zoom = z; });
  wheel(*view, {260, 160}, 360);
  ASSERT_TRUE(zoom.has_value());
  const Zoom before = *zoom;
  QTest::mousePress(view.get(), Qt::LeftButton, {}, {300, 160});
  QTest::mouseMove(view.get(), {260, 160});
  QTest::mouseMove(view.get(), {240, 160});
  QTest::mouseRelease(view.get(), Qt::LeftButton, {}, {240, 160});
  EXPECT_GT(zoom->x0, before.x0);
  EXPECT_NEAR(zoom->x1 - zoom->x0, before.x1 - before.x0, 1e-9);
  for (int step = 0; step < 100; ++step) QTest::keyClick(view.get(), Qt::Key_Right);
  EXPECT_NEAR(zoom->x1, 127, 1e-9);
}

TEST(CurveView, keysZoomFitAndRead) {
  const auto view = shown(relativeDecayView(), decayContext());
  std::optional<Zoom> zoom;
  std::optional<double> offset;
  QObject::connect(view.get(), &View::zoomed, view.get(), [&](std::optional<Zoom> z) { zoom = z; });
  QObject::connect(view.get(), &View::hovered, view.get(), [&](const Hover& hover) { offset = hover.offset; });
  QTest::keyClick(view.get(), Qt::Key_Right);
  QTest::keyClick(view.get(), Qt::Key_Right);
  ASSERT_TRUE(offset.has_value());
  EXPECT_EQ(*offset, 2);
  QTest::keyClick(view.get(), Qt::Key_Plus);
  EXPECT_TRUE(zoom.has_value());
  bool fit = false;
  QObject::connect(view.get(), &View::fitWanted, view.get(), [&] { fit = true; });
  QTest::keyClick(view.get(), Qt::Key_0);
  EXPECT_TRUE(fit);
}

TEST(CurveView, aRestingPointerReadsTheNewAnswer) {
  const auto view = shown(relativeDecayView(), decayContext());
  Hover hover;
  QObject::connect(view.get(), &View::hovered, view.get(), [&](const Hover& h) { hover = h; });
  QTest::mouseMove(view.get(), {230, 140});
  ASSERT_TRUE(QTest::qWaitFor([&] { return hover.offset.has_value(); }));
  const Hover before = hover;
  ViewContext other = contextOf("relative_decay", {waving(128, 0.09)});
  other.tile = decayContext().tile;
  view->setContext(other);
  EXPECT_EQ(hover.offset, before.offset);
  EXPECT_NE(hover.value, before.value);
}

TEST(CurveView, thePointerReadsASampleAndLeavesItAgain) {
  const auto view = shown(relativeDecayView(), decayContext());
  Hover hover;
  QObject::connect(view.get(), &View::hovered, view.get(), [&](const Hover& h) { hover = h; });
  const QImage before = view->grab().toImage();
  QTest::mouseMove(view.get(), {250, 160});
  // In a real X server the pointer arrives with the server's own event.
  ASSERT_TRUE(QTest::qWaitFor([&] { return hover.offset.has_value(); }));
  EXPECT_EQ(*hover.offset, std::round(*hover.offset)) << "a sample, not a place between two";
  ASSERT_TRUE(hover.value.has_value());
  EXPECT_NEAR(*hover.value, std::cos(0.02 * *hover.offset), 1e-12);
  EXPECT_NE(view->grab().toImage(), before);
  QEvent leave(QEvent::Leave);
  QApplication::sendEvent(view.get(), &leave);
  EXPECT_EQ(hover, Hover{});
  EXPECT_EQ(view->grab().toImage(), before);
}

TEST(CurveView, marksWhatOtherViewsPointAt) {
  const auto view = shown(relativeDecayView(), decayContext());
  const QImage before = view->grab().toImage();
  Hover hover;
  hover.i = 90;
  hover.j = 40;
  hover.view = "attention_weights";
  view->setHover(hover);
  const QImage marked = view->grab().toImage();
  EXPECT_NE(marked, before);
  Hover offset;
  offset.offset = 50;
  view->setHover(offset);
  EXPECT_EQ(view->grab().toImage(), marked) << "(90, 40) is offset 50";
  view->setHover({});
  EXPECT_EQ(view->grab().toImage(), before);
}

TEST(CurveView, aLegendEntryIsolatesItsCurveAndGivesTheOthersBack) {
  const auto view = shown(relativeDecayView(), decayContext());
  const QImage before = view->grab().toImage();
  const QPoint first_entry(24, 15);
  QTest::mouseClick(view.get(), Qt::LeftButton, {}, first_entry);
  QTest::mouseMove(view.get(), {2, 2});
  const QImage isolated = view->grab().toImage();
  EXPECT_LT(countOf(isolated, schemeColour(1)), countOf(before, schemeColour(1)) / 3);
  EXPECT_GE(countOf(isolated, schemeColour(0)), countOf(before, schemeColour(0)));
  QTest::mouseClick(view.get(), Qt::LeftButton, {}, first_entry);
  QTest::mouseMove(view.get(), {2, 2});
  EXPECT_EQ(view->grab().toImage(), before);
}

TEST(CurveView, showsOnTheScreenWhatItExports) {
  const ViewContext context = decayContext(true, Language::chinese);
  std::unique_ptr<View> view(relativeDecayView().create(nullptr));
  view->resize(480, 320);
  view->setContext(context);
  EXPECT_EQ(view->grab().toImage().convertToFormat(QImage::Format_RGB32), drawnCurves(relativeDecayView(), context));
}

TEST(CurveView, newContextsAndThemesChangeThePictureInPlace) {
  std::unique_ptr<View> view(relativeDecayView().create(nullptr));
  view->resize(480, 320);
  view->setContext(decayContext());
  view->grab();
  ViewContext wider = contextOf("relative_decay", {waving(4096, 0.002, 900)}, true, Language::chinese);
  view->setContext(wider);
  EXPECT_EQ(view->grab().toImage().convertToFormat(QImage::Format_RGB32), drawnCurves(relativeDecayView(), wider));
  view->setContext(decayContext());
  EXPECT_EQ(view->grab().toImage().convertToFormat(QImage::Format_RGB32), drawnCurves(relativeDecayView(), decayContext()));
  EXPECT_FALSE(view->accessibleName().isEmpty());
  EXPECT_TRUE(view->accessibleDescription().contains("YaRN"));
}

}  // namespace
}  // namespace posiscope::ui
