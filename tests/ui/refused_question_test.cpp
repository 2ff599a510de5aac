// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A value that every scheme refuses: why stands in a strip, and the last picture stays below it.
#include "tests/ui/open_window.h"
#include "ui/controls/flat_button.h"
#include "ui/tiles/tile.h"
#include "ui/tiles/tile_grid.h"
#include "ui/tiles/tile_notice.h"

#include <gtest/gtest.h>

#include <QImage>
#include <set>

namespace posiscope::ui {
namespace {

class RefusedQuestion : public OpenWindow {
 protected:
  void ask(std::int64_t seq_len) {
    Experiment e = window->store().experiment();
    e.schemes = {SchemeChoice{"learned", {{"max_positions", 128.0}}, "", 0, true}};
    e.shape.seq_len = seq_len;
    window->store().setExperiment(e);
    ASSERT_TRUE(settled());
  }
  void showTable() {
    Presentation p = window->store().presentation();
    p.tile_count = 1;
    p.tiles[0] = {"position_table", {}, {}};
    window->store().setPresentation(p);
    ASSERT_TRUE(settled());
  }
  Tile* tile() { return window->grid().tile(0); }
  /// How many colours the view shows: a sentence on a plain ground has few.
  std::size_t colours() {
    const QImage image = tile()->view()->grab().toImage();
    std::set<QRgb> seen;
    for (int y = 0; y < image.height(); y += 2)
      for (int x = 0; x < image.width(); x += 2) seen.insert(image.pixel(x, y));
    return seen.size();
  }
};

TEST_F(RefusedQuestion, keepsTheLastPictureUnderTheReason) {
  showTable();
  ask(100);
  const std::size_t before = colours();
  EXPECT_FALSE(tile()->notice()->isVisible());
  ask(200);
  ASSERT_TRUE(tile()->notice()->isVisible());
  EXPECT_TRUE(tile()->notice()->sentence().contains(QStringLiteral("127")))
      << tile()->notice()->sentence().toStdString();
  EXPECT_FALSE(tile()->notice()->button()->isVisible()) << "there is nothing to compute again";
  EXPECT_GT(colours(), before / 4);
  EXPECT_FALSE(window->grid().context(0).answers().front().dataset)
      << "an export does not take the old picture for the new";
  ask(90);
  EXPECT_FALSE(tile()->notice()->isVisible());
}

TEST_F(RefusedQuestion, aMissingFileLeavesNoPictureOfTheOneBefore) {
  showTable();
  ask(100);
  const std::size_t before = colours();
  Experiment e = window->store().experiment();
  e.schemes[0].values = {{"initial", std::string("file")}, {"table", Array{{}, nullptr, "/gone/t.npy"}}};
  window->store().setExperiment(e);
  ASSERT_TRUE(settled());
  EXPECT_FALSE(tile()->notice()->isVisible());
  EXPECT_LT(colours(), before / 4);
}

TEST_F(RefusedQuestion, aPictureOfOtherSchemesDoesNotStay) {
  showTable();
  ask(200);
  EXPECT_FALSE(tile()->notice()->isVisible()) << "the reason stands in the view";
}

}  // namespace
}  // namespace posiscope::ui
