// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A patch of a picture and the pair of positions it stands for, marked in each other's views.
#include "core/compute.h"
#include "synthetic.h"
#include "ui/views/curve_view.h"
#include "ui/views/list.h"
#include "ui/views/map_drawing.h"
#include "ui/views/map_scene.h"

#include <gtest/gtest.h>

#include <memory>
#include <QApplication>
#include <QMouseEvent>
#include <QSignalSpy>

namespace posiscope::ui {
namespace {

ViewContext answered(const char* view, std::vector<SchemeChoice> schemes) {
  ViewContext context = contextOf(view, {});
  context.tile.view = view;
  Experiment& e = context.experiment;
  e.shape.seq_len = 32;
  e.shape.grid_height = 4;
  e.shape.grid_width = 8;
  e.shape.d_model = 32;
  e.shape.num_heads = 2;
  e.shape.head_dim = 16;
  e.shape.first_position = 100;
  e.schemes = std::move(schemes);
  const ViewKind& kind = *findView(view);
  context.result = compute({e, {kind.request(context.tile, context.presentation, e)}}, Job{}).value();
  context.measure = 0;
  return context;
}

TEST(GridPointer, APatchIsAPairOfPositions) {
  const ViewContext context = answered("grid_similarity", {{"rope", {}, {}, 0, true}});
  MapScene scene = makeMapScene(context, {});
  const Hover hover = hoverOf(scene, {0, 3, 2});
  ASSERT_TRUE(hover.i && hover.j && hover.offset);
  EXPECT_EQ(*hover.i, 100 + 2 * 8 + 4) << "the chosen patch is that in the middle";
  EXPECT_EQ(*hover.j, 100 + 3 * 8 + 2);
  EXPECT_EQ(*hover.offset, *hover.i - *hover.j);
}

TEST(GridPointer, APositionPointedAtElsewhereIsItsPatch) {
  const ViewContext context = answered("grid_similarity", {{"rope", {}, {}, 0, true}});
  const Map& map = (*context.answers()[0].dataset)->maps.front();
  Hover hover;
  hover.i = 105;
  EXPECT_EQ(hoveredRow(map, hover), 0);
  EXPECT_EQ(hoveredColumn(map, hover), 5);
  hover.j = 117;
  EXPECT_EQ(hoveredRow(map, hover), 2) << "of a pair, the key";
  EXPECT_EQ(hoveredColumn(map, hover), 1);
  hover.j = 132;
  EXPECT_FALSE(hoveredRow(map, hover)) << "outside the picture";
  hover.j = 99;
  EXPECT_FALSE(hoveredColumn(map, hover));
}

TEST(GridPointer, ACurveOfOneQueryMarksThePair) {
  const ViewContext context = answered("attention_row", {{"rope", {}, {}, 0, true}});
  std::unique_ptr<CurveView> view(qobject_cast<CurveView*>(findView("attention_row")->create(nullptr)));
  view->resize(600, 400);
  view->setContext(context);
  view->show();
  view->grab();
  QSignalSpy spy(view.get(), &View::hovered);
  const QPointF place(300, 200);
  QMouseEvent move(QEvent::MouseMove, place, view->mapToGlobal(place), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
  QApplication::sendEvent(view.get(), &move);
  ASSERT_FALSE(spy.isEmpty());
  const Hover hover = spy.last().at(0).value<Hover>();
  ASSERT_TRUE(hover.i && hover.j && hover.offset);
  EXPECT_EQ(*hover.i, 131);
  EXPECT_EQ(*hover.offset, 131 - *hover.j);
}

}  // namespace
}  // namespace posiscope::ui
