// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A curve of a million points is zoomed and panned: every peak stays, and no picture has more corners than about two
// for each column of pixels.
#include "tests/ui/synthetic.h"
#include "ui/charts/strokes.h"
#include "ui/views/view_kinds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <QApplication>
#include <QBuffer>
#include <QPainter>
#include <QRegularExpression>
#include <QSvgGenerator>
#include <QTest>
#include <QWheelEvent>
#include <vector>

namespace posiscope::ui {
namespace {

constexpr std::size_t points = 1'000'000;
constexpr std::size_t peak = 423'456;
constexpr std::size_t valley = 654'321;
constexpr QSize window(640, 400);

ViewContext millionPoints(double speed) {
  Dataset dataset;
  dataset.x.name = {"position i", "位置 i"};
  dataset.y.name = {"value", "数值"};
  Curve curve;
  curve.x.reserve(points);
  curve.y.reserve(points);
  for (std::size_t n = 0; n < points; ++n) {
    curve.x.push_back(static_cast<double>(n));
    curve.y.push_back(0.2 * std::sin(speed * static_cast<double>(n)));
  }
  curve.y[peak] = 1;
  curve.y[valley] = -1;
  dataset.curves.push_back(std::move(curve));
  return contextOf("waves", {std::move(dataset)});
}

/// The curve as it is drawn: the corners of its lines, and its extent on the paper.
struct Drawing {
  int corners = 0;
  double top = 1e9, bottom = -1e9, left = 1e9, right = -1e9;
};

Drawing drawingOf(const ViewContext& context) {
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setViewBox(QRect(QPoint(), window));
  QPainter painter(&generator);
  wavesView().draw(painter, QRectF(QPointF(), QSizeF(window)), context);
  painter.end();
  Drawing drawing;
  static const QRegularExpression lines(
      QStringLiteral("stroke=\"%1\"[^>]*>\\s*<polyline[^>]*points=\"([^\"]*)\"").arg(schemeColour(0).name()));
  const QString text = QString::fromUtf8(buffer.data());
  for (auto line = lines.globalMatch(text); line.hasNext();) {
    const QStringList corners = line.next().captured(1).split(u' ', Qt::SkipEmptyParts);
    if (corners.size() <= 2) continue;  // the key in the legend
    for (const QString& corner : corners) {
      const QStringList place = corner.split(u',');
      const double x = place.value(0).toDouble(), y = place.value(1).toDouble();
      ++drawing.corners;
      drawing.top = std::min(drawing.top, y);
      drawing.bottom = std::max(drawing.bottom, y);
      drawing.left = std::min(drawing.left, x);
      drawing.right = std::max(drawing.right, x);
    }
  }
  return drawing;
}

/// The widget, and the context with the zoom it asked for last.
class MillionPoints : public ::testing::Test {
 protected:
  void show(double speed) {
    context_ = millionPoints(speed);
    view_.reset(wavesView().create(nullptr));
    view_->resize(window);
    view_->setContext(context_);
    QObject::connect(view_.get(), &View::zoomed, view_.get(), [this](std::optional<Zoom> zoom) {
      context_.tile.zoom = zoom;
      ++changes_;
    });
    view_->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(view_.get()));
    whole_ = drawingOf(context_);
    ASSERT_GT(whole_.corners, 30) << "points on the way between others are left out";
  }

  /// Where the peak is now, as a share of the axis.
  double peakPlace() const {
    const Zoom zoom = context_.tile.zoom.value_or(Zoom{0, points - 1, 0, 0});
    return (static_cast<double>(peak) - zoom.x0) / (zoom.x1 - zoom.x0);
  }

  void wheel(double place, int steps) {
    const QPointF at(whole_.left + place * (whole_.right - whole_.left), window.height() / 2.0);
    for (int n = 0; n < std::abs(steps); ++n) {
      QWheelEvent event(at, view_->mapToGlobal(at), {}, {0, steps > 0 ? 120 : -120}, Qt::NoButton, {},
                        Qt::NoScrollPhase, false);
      QApplication::sendEvent(view_.get(), &event);
    }
  }

  bool visible(std::size_t at) const {
    const double x = static_cast<double>(at);
    return !context_.tile.zoom || (context_.tile.zoom->x0 <= x && x <= context_.tile.zoom->x1);
  }

  /// The picture after a step is right: peaks are where they are visible, and only there.
  void check() const {
    const Drawing now = drawingOf(context_);
    const std::string where =
        context_.tile.zoom ? join(context_.tile.zoom->x0, " to ", context_.tile.zoom->x1) : std::string("whole");
    EXPECT_LE(now.corners, 2 * (whole_.right - whole_.left + 2)) << where;
    // A neighbour just outside is drawn to, so that the line reaches the edge.
    if (!visible(peak - 2) && !visible(peak + 2)) {
      EXPECT_GT(now.top, whole_.top + 100) << where;
    } else if (visible(peak)) {
      EXPECT_NEAR(now.top, whole_.top, 0.01) << where;
    }
    if (visible(valley)) {
      EXPECT_NEAR(now.bottom, whole_.bottom, 0.01) << where;
    }
  }

  ViewContext context_;
  std::unique_ptr<View> view_;
  Drawing whole_;
  int changes_ = 0;
};

TEST_F(MillionPoints, keepTheirPeaksAtEveryZoom) {
  show(1e-5);
  check();
  for (int step = 0; step < 12; ++step) {
    wheel(peakPlace(), 4);
    ASSERT_TRUE(visible(peak)) << step;
    check();
  }
  EXPECT_LT(context_.tile.zoom->x1 - context_.tile.zoom->x0, 100) << "single samples are reached";
  wheel(peakPlace(), -60);
  const Zoom last = context_.tile.zoom.value_or(Zoom{});
  EXPECT_FALSE(context_.tile.zoom) << "the whole is not found again: " << last.x0 << " to " << last.x1;
}

TEST_F(MillionPoints, keepTheirPeaksWhilePanned) {
  show(1e-5);
  for (const int zoom : {3, 14}) {
    wheel(peakPlace(), zoom);
    for (const Qt::Key direction : {Qt::Key_Right, Qt::Key_Left})
      for (int step = 0; step < 5; ++step) {
        QTest::keyClick(view_.get(), direction);
        check();
      }
    wheel(0.5, -60);
  }
  EXPECT_GT(changes_, 30);
}

TEST_F(MillionPoints, followADragToTheDot) {
  show(1e-5);
  wheel(peakPlace(), 8);
  const Zoom before = *context_.tile.zoom;
  const int from = window.width() / 2;
  QTest::mousePress(view_.get(), Qt::LeftButton, {}, {from, 200});
  for (int x = from; x > from - 120; x -= 23) {
    QTest::mouseMove(view_.get(), {x, 200});
    check();
  }
  QTest::mouseRelease(view_.get(), Qt::LeftButton, {}, {from - 120, 200});
  EXPECT_GT(context_.tile.zoom->x0, before.x0);
  EXPECT_NEAR(context_.tile.zoom->x1 - context_.tile.zoom->x0, before.x1 - before.x0, 1e-6);
}

/// Where waves are finer than the columns, an envelope stands for them: two corners a column, and one of the mean.
TEST(MillionFastPoints, areAnEnvelopeThatReachesEveryPeak) {
  const ViewContext context = millionPoints(0.7);
  const Curve& curve = (*context.answers().front().dataset)->curves.front();
  const QRectF area(0, 0, 600, 300);
  for (const double width : {999'999.0, 300'000.0, 40'000.0})
    for (const double start : {0.0, 0.25, 0.5, 0.9, 0.999}) {
      const double from = static_cast<double>(peak) - start * width;
      const Scale x{from, from + width, false}, y{-1, 1, false};
      const Strokes strokes = makeStrokes(curve.x, curve.y, x, y, area);
      ASSERT_FALSE(strokes.bands.empty()) << width;
      qsizetype corners = 0;
      double top = area.bottom();
      for (const auto* shapes : {&strokes.lines, &strokes.bands})
        for (const QPolygonF& shape : *shapes) {
          corners += shape.size();
          top = std::min(top, shape.boundingRect().top());
        }
      EXPECT_LE(corners, 3 * 602) << width << " from " << from;
      EXPECT_NEAR(top, area.top(), 1e-9) << width << " from " << from;
    }
}

}  // namespace
}  // namespace posiscope::ui
