// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Beyond the length: many curves, in a window that is not large.
#include "core/train/comparison_record.h"
#include "ui/training/length_tab.h"
#include "ui/training/plot_box.h"
#include "ui/training/shipped_results.h"

#include <gtest/gtest.h>

#include <QImage>
#include <QMouseEvent>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>

namespace posiscope::ui {
namespace {

constexpr QSize small_window(720, 440);  ///< what a window of 1024 × 700 leaves
constexpr QSize large_window(1280, 900);

/// The rows of the picture in which two differ: the reading and its box.
std::pair<int, int> rowsThatDiffer(const QImage& a, const QImage& b) {
  int first = a.height(), last = -1;
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x)
      if (a.pixel(x, y) != b.pixel(x, y)) first = std::min(first, y), last = y;
  return {first, last};
}

class TrainingLengths : public ::testing::Test {
 protected:
  void SetUp() override {
    Expected<train::ComparisonRecord> record = readShippedResults("length");
    ASSERT_TRUE(record);
    training.record = std::move(*record);
    training.state = Training::State::finished;
    tab.setTraining(&training);
    tab.resize(small_window);
    tab.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&tab));
  }
  static QImage picture(PlotBox* box) { return box->grab().toImage(); }
  static void point(PlotBox* box, double share) {
    const QRectF plot = box->layout().plot.translated(PlotBox::plotCorner());
    const QPointF at(plot.left() + share * plot.width(), plot.center().y());
    QMouseEvent move(QEvent::MouseMove, at, box->mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QCoreApplication::sendEvent(box, &move);
  }

  Training training;
  LengthTab tab;
};

TEST_F(TrainingLengths, EveryCurveIsNamedInTheLegend) {
  for (const QSize size : {small_window, large_window}) {
    tab.resize(size);
    QCoreApplication::processEvents();
    for (PlotBox* box : {tab.byLength(), tab.byPosition()}) {
      picture(box);
      EXPECT_EQ(box->plot().groups.size(), 9u);  // six encodings and three scalings
      EXPECT_EQ(box->layout().legend.entries.size(), 9u) << size.width() << ", " << box->title().toStdString();
      EXPECT_EQ(box->layout().legend.more, 0);
    }
  }
}

TEST_F(TrainingLengths, TheBoxOfValuesStaysInThePlot) {
  for (PlotBox* box : {tab.byLength(), tab.byPosition()})
    for (const double share : {0.3, 0.98}) {
      const QImage before = picture(box);
      point(box, share);
      const auto [first, last] = rowsThatDiffer(before, picture(box));
      const QRectF plot = box->layout().plot.translated(PlotBox::plotCorner());
      constexpr double least_box = 9 * 16;  // nine lines
      constexpr int dot = 6;
      EXPECT_GT(last - first, least_box) << "nothing was read";
      EXPECT_GE(first, plot.top() - dot) << box->title().toStdString();
      EXPECT_LE(last, plot.bottom() + dot) << box->title().toStdString();
      QEvent leave(QEvent::Leave);
      QCoreApplication::sendEvent(box, &leave);
    }
}

/// In a box that is lower than all lines, fewer are told; none is cut.
TEST_F(TrainingLengths, TheBoxOfValuesStaysInALowPicture) {
  PlotBox box;
  box.setPlot(Plot(tab.byLength()->plot()));
  box.resize(680, 200);
  const QImage before = picture(&box);
  point(&box, 0.3);
  const auto [first, last] = rowsThatDiffer(before, picture(&box));
  EXPECT_GT(last - first, 3 * 16) << "nothing was read";
  EXPECT_LT(last, box.height() - 2);
}

TEST_F(TrainingLengths, WhatFindsNoRoomIsScrolledTo) {
  const auto* area = tab.findChild<QScrollArea*>();
  ASSERT_NE(area, nullptr);
  QCoreApplication::processEvents();
  EXPECT_GT(area->verticalScrollBar()->maximum(), 0);
  EXPECT_LE(area->widget()->width(), area->viewport()->width());
  EXPECT_GE(area->viewport()->height(), tab.byLength()->height()) << "one plot is seen as a whole";
  tab.resize(large_window);
  QCoreApplication::processEvents();
  EXPECT_EQ(tab.byLength()->y(), tab.byPosition()->y()) << "side by side";
  EXPECT_EQ(area->verticalScrollBar()->maximum(), 0);
}

}  // namespace
}  // namespace posiscope::ui
