// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The headers of the table of heads, and the place of what is told below it.
#include "core/compute.h"
#include "tests/ui/synthetic.h"
#include "ui/views/head_table.h"
#include "ui/views/list.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <QImage>
#include <QPainter>
#include <utility>

namespace posiscope::ui {
namespace {

/// Eight heads, in the order of their entropy or as they come.
HeadTable tableOf(const std::string& sort) {
  ViewContext context = contextOf("heads", {}, false, Language::english);
  context.experiment.shape.seq_len = 32;
  context.experiment.content.source = ContentSource::ones;
  context.experiment.schemes = {{"alibi", {}, {}, 0, true}};
  const MeasureRequest request = findView("heads")->request(context.tile, context.presentation, context.experiment);
  context.result = compute({context.experiment, {request}}, Job{}).value();
  context.measure = 0;
  return makeHeadTable(context, {true, sort, true});
}

/// The first and the last column of ink in the lowest line of the header of the entropy.
std::pair<int, int> inkOf(const HeadTable& table) {
  const QRectF target(0, 0, 50 + 24 + 70 + 60 * 3, 355);  // with figures as narrow as they get
  const HeadTableLayout layout = layoutHeads(table, target, {});
  QImage image(target.size().toSize(), QImage::Format_RGB32);
  image.fill(table.style.panel);
  QPainter painter(&image);
  drawHeads(painter, target, table, layout);
  painter.end();
  const auto entropy = std::ranges::find(layout.headers, std::size_t{2}, &HeadTableLayout::Place::index);
  const QRect line = QRectF(entropy->area.left(), entropy->area.bottom() - 15, entropy->area.width(), 13).toRect();
  int left = line.right();
  int right = line.left();
  for (int x = line.left(); x <= line.right(); ++x)
    for (int y = line.top(); y <= line.bottom(); ++y)
      if (image.pixelColor(x, y) != table.style.panel) {
        left = std::min(left, x);
        right = std::max(right, x);
      }
  return {left, right};
}

TEST(HeadHeader, TheArrowOfTheOrderCutsNoWord) {
  const auto [plain_left, plain_right] = inkOf(tableOf("head"));
  const auto [sorted_left, sorted_right] = inkOf(tableOf("entropy_mean"));
  EXPECT_LE(std::abs(plain_right - sorted_right), 2) << "the whole word, up to the edge";
  EXPECT_LE(sorted_left, plain_left) << "in bold";
}

TEST(HeadEvidence, takesTheRoomThatTheLinesLeave) {
  HeadTable table = tableOf("head");
  table.interactive = true;
  constexpr double line = 14;
  const HeadTableLayout tall = layoutHeads(table, QRectF(0, 0, 460, 700), {});
  ASSERT_EQ(tall.lines.size(), 8U);
  EXPECT_GT(tall.told.height(), 12 * line) << "more than the longest evidence needs";
  EXPECT_LE(tall.told.height(), 350);
  EXPECT_GE(tall.told.top(), tall.lines.back().area.bottom());
  const HeadTableLayout tight = layoutHeads(table, QRectF(0, 0, 460, 240), {});
  EXPECT_EQ(tight.told.height(), 2 * line) << "the lines come first";
}

}  // namespace
}  // namespace posiscope::ui
