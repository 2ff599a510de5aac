// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/open_window.h"

#include "ui/controls/flat_button.h"
#include "ui/controls/theme.h"
#include "ui/controls/value_field.h"
#include "ui/tiles/tile.h"
#include "ui/tiles/tile_grid.h"

#include <QImage>
#include <QLabel>
#include <algorithm>
#include <vector>

namespace posiscope::ui {
namespace {

/// The whole window in a process that was started with QT_SCALE_FACTOR=2 (a test of its own in CTest).
class DoubleScale : public OpenWindow {
 protected:
  void SetUp() override {
    if (window->devicePixelRatioF() != 2) GTEST_SKIP() << "these tests need a process with QT_SCALE_FACTOR=2";
    ASSERT_TRUE(settled());
  }
};

struct Stretch {
  QRgb colour;
  int begin;
  int end;
};

/// Stretches of one colour along a row.
std::vector<Stretch> runsOf(const QImage& image, int y) {
  std::vector<Stretch> runs;
  for (int x = 0; x < image.width(); ++x) {
    if (runs.empty() || runs.back().colour != image.pixel(x, y)) runs.push_back({image.pixel(x, y), x, x});
    runs.back().end = x + 1;
  }
  return runs;
}

/// Is each channel of b from a to c, and b neither of them?
bool isBetween(QRgb a, QRgb b, QRgb c) {
  const auto inside = [](int low, int middle, int high) {
    return std::min(low, high) <= middle && middle <= std::max(low, high);
  };
  return b != a && b != c && inside(qRed(a), qRed(b), qRed(c)) && inside(qGreen(a), qGreen(b), qGreen(c)) &&
         inside(qBlue(a), qBlue(b), qBlue(c));
}

TEST_F(DoubleScale, theWindowHasFourTimesThePixelsAndUsesThem) {
  const QImage picture = window->grab().toImage();
  ASSERT_EQ(picture.size(), QSize(2880, 1800));
  // A picture that was only enlarged has the same colour in each block of two by two.
  int mixed = 0;
  for (int y = 0; y < picture.height(); y += 2)
    for (int x = 0; x < picture.width(); x += 2)
      mixed += picture.pixel(x, y) != picture.pixel(x + 1, y) || picture.pixel(x, y) != picture.pixel(x, y + 1);
  EXPECT_GT(mixed, 20000);
}

TEST_F(DoubleScale, edgesOfAHeatmapAreNotBlurred) {
  Experiment e = window->store().experiment();
  e.shape.seq_len = 12;
  e.shape.d_model = 8;
  e.schemes = {{"sinusoidal", {}, "", 0, true}};
  window->store().setExperiment(e);
  Presentation p = window->store().presentation();
  p.tile_count = 1;
  p.tiles[0] = {"position_table", {}, {}};
  window->store().setPresentation(p);
  ASSERT_TRUE(settled());
  QTest::qWait(50);
  const QImage picture = window->grid().tile(0)->view()->grab().toImage();
  constexpr int long_run = 20;
  int edges = 0;
  for (const double share : {0.2, 0.3, 0.4}) {
    const std::vector<Stretch> runs = runsOf(picture, static_cast<int>(share * picture.height()));
    const auto isCell = [&](const Stretch& run) {
      return run.end - run.begin >= long_run && run.colour != currentStyle().panel.rgb();
    };
    for (std::size_t k = 1; k < runs.size(); ++k) edges += isCell(runs[k - 1]) && isCell(runs[k]);
    for (std::size_t k = 1; k + 1 < runs.size(); ++k)
      EXPECT_FALSE(isCell(runs[k - 1]) && isCell(runs[k + 1]) && runs[k].end - runs[k].begin < 4 &&
                   isBetween(runs[k - 1].colour, runs[k].colour, runs[k + 1].colour))
          << "at " << runs[k].begin << " of row " << share;
  }
  EXPECT_GE(edges, 9);  // between the eight columns of three rows, but for equal neighbours
}

TEST_F(DoubleScale, nothingIsClipped) {
  for (const Language language : {Language::english, Language::chinese})
    for (const QSize size : {QSize(1440, 900), QSize(1024, 700)}) {
      Presentation p = window->store().presentation();
      p.language = language;
      window->store().setPresentation(p);
      window->resize(size);
      ASSERT_TRUE(settled());
      QTest::qWait(50);
      for (const QLabel* label : window->findChildren<QLabel*>()) {
        if (!label->isVisible() || label->wordWrap() || label->sizePolicy().horizontalPolicy() == QSizePolicy::Ignored)
          continue;
        EXPECT_LE(label->sizeHint().width(), label->width()) << label->text().toStdString();
        EXPECT_LE(label->sizeHint().height(), label->height() + 1) << label->text().toStdString();
      }
      for (const ValueField* field : window->findChildren<ValueField*>()) {
        if (!field->isVisible()) continue;
        EXPECT_LE(field->fontMetrics().horizontalAdvance(field->text()) + 16, field->width()) << field->text().toStdString();
      }
    }
  Presentation p = window->store().presentation();
  p.language = Language::english;
  window->store().setPresentation(p);
}

}  // namespace
}  // namespace posiscope::ui
