// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Dimensions of an added table and pairs of the spectrum are the same thing seen twice.
#include "ui/views/pair_columns.h"

#include "ui/panels/readout.h"
#include "ui/views/list.h"
#include "ui/views/map_drawing.h"
#include "ui/views/map_view.h"

#include <gtest/gtest.h>

#include <memory>
#include <QImage>
#include <QPainter>

namespace posiscope::ui {
namespace {

/// The position table of a sinusoidal encoding of 64 dimensions, and the spectrum beside it.
ViewContext tableContext(const char* columns) {
  Experiment e;
  e.shape.seq_len = 32;
  e.shape.d_model = 64;
  e.shape.num_heads = 4;
  e.shape.head_dim = 16;
  e.schemes = {{"sinusoidal", {{"columns", std::string(columns)}}, "", 0, true}};
  const auto result = compute({e, {{"position_table", {}}, {"spectrum", {}}}}, Job{});
  EXPECT_TRUE(result) << (result ? "" : result.error().message.en);
  ViewContext context;
  context.result = result ? *result : nullptr;
  context.measure = 0;
  context.experiment = e;
  context.presentation = startPresentation();
  context.style = makeStyle(false, Language::english);
  context.tile.view = "position_table";
  return context;
}

Hover hoverAt(const ViewContext& context, std::int64_t row, std::int64_t col) {
  return hoverOf(makeMapScene(context, {}), {0, row, col});
}

TEST(PairColumns, areNeighboursOrHalves) {
  const PairColumns neighbours{1}, halves{32};
  EXPECT_EQ(neighbours.pairOf(21), 10.0);
  EXPECT_EQ(neighbours.dimensionsOf(16), (std::vector<double>{32, 33}));
  EXPECT_EQ(halves.pairOf(21), 21.0);
  EXPECT_EQ(halves.pairOf(53), 21.0);
  EXPECT_EQ(halves.dimensionsOf(16), (std::vector<double>{16, 48}));
  EXPECT_FALSE(halves.pairOf(64));
  EXPECT_TRUE(halves.dimensionsOf(32).empty());
  EXPECT_FALSE(PairColumns{}.pairOf(3));
  EXPECT_TRUE(PairColumns{}.dimensionsOf(3).empty());
}

TEST(PairColumns, aCellOfTheTableNamesItsPair) {
  EXPECT_EQ(hoverAt(tableContext("interleaved"), 5, 21).pair, 10.0);
  EXPECT_EQ(hoverAt(tableContext("concatenated"), 5, 53).pair, 21.0);
  ViewContext alone = tableContext("interleaved");
  auto result = std::make_shared<Result>(*alone.result);
  result->request.measures.pop_back();
  result->answers.pop_back();
  alone.result = result;
  EXPECT_FALSE(hoverAt(alone, 5, 21).pair) << "nothing says which columns make a pair";
}

TEST(PairColumns, theInspectorSaysTheWavelengthOfADimension) {
  const ViewContext context = tableContext("interleaved");
  const PointerReadout readout = readPointer(*context.result, 0, hoverAt(context, 5, 21), context.style);
  const auto row = [&](const char* name) {
    const auto found = std::ranges::find(readout.place, QString::fromLatin1(name), &ReadoutRow::name);
    return found == readout.place.end() ? QString() : found->value;
  };
  EXPECT_EQ(row("dimension d"), QStringLiteral("21"));
  EXPECT_EQ(row("pair p"), QStringLiteral("10 of 32"));
  EXPECT_FALSE(row("wavelength").isEmpty());
}

TEST(PairColumns, aPairHoveredElsewhereMarksItsTwoColumns) {
  const ViewContext context = tableContext("concatenated");
  const MapScene scene = makeMapScene(context, {});
  const QRectF target(0, 0, 640, 320);
  const MapLayout layout = layoutMaps(scene, target, 1, false);
  const auto marked = [&](const Hover& hover) {
    QImage image(target.size().toSize(), QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    drawMapHover(painter, scene, layout, hover);
    painter.end();
    // Which dimensions have a line.
    const QRectF& plot = layout.panels.front().plot;
    std::vector<int> dims;
    for (int x = qRound(plot.left()); x < qRound(plot.right()); ++x) {
      bool drawn = false;  // somewhere: the lines are dashed
      for (int y = qRound(plot.top()) + 1; y < qRound(plot.bottom()); ++y)
        drawn = drawn || image.pixelColor(x, y) != QColor(Qt::white);
      if (!drawn) continue;
      const int dim = static_cast<int>((x + 0.5 - plot.left()) / plot.width() * 64);
      if (dims.empty() || dims.back() != dim) dims.push_back(dim);
    }
    return dims;
  };
  Hover hover;
  hover.pair = 16;
  hover.view = "spectrum";
  EXPECT_EQ(marked(hover), (std::vector<int>{16, 48}));
  hover.dim = 16;
  EXPECT_EQ(marked(hover), (std::vector<int>{16})) << "the dimension itself is more exact";
}

}  // namespace
}  // namespace posiscope::ui
