// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Maps of patches: the chosen one, the sides of the grid, the readout; and the colours of table rows.
#include "tests/ui/synthetic.h"
#include "ui/paint/colour_bar.h"
#include "ui/paint/colour_map.h"
#include "ui/panels/readout.h"
#include "ui/views/list.h"
#include "ui/views/map_layout.h"
#include "ui/views/map_view.h"
#include "ui/views/view_kinds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <QApplication>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTest>
#include <set>

namespace posiscope::ui {
namespace {

constexpr std::int64_t rows = 4;
constexpr std::int64_t cols = 8;

/// A view as the window makes it of real answers.
ViewContext answered(const std::string& view, std::vector<SchemeChoice> schemes, ParamValues options = {}) {
  ViewContext context = contextOf(view, {});
  context.tile.view = view;
  context.tile.options = std::move(options);
  Experiment& experiment = context.experiment;
  experiment.shape.seq_len = rows * cols;
  experiment.shape.grid_height = rows;
  experiment.shape.grid_width = cols;
  experiment.shape.d_model = 32;
  experiment.shape.num_heads = 2;
  experiment.shape.head_dim = 16;
  experiment.schemes = std::move(schemes);
  const ViewKind& kind = *findView(view);
  const MeasureRequest request =
      kind.request ? kind.request(context.tile, context.presentation, experiment) : MeasureRequest{kind.measure, {}};
  context.result = compute({experiment, {request}}, Job{}).value();
  context.measure = 0;
  return context;
}

std::vector<SchemeChoice> planeAndLine() { return {{"rope_2d", {}, {}, 0, true}, {"rope", {}, {}, 1, true}}; }

std::unique_ptr<MapView> shownView(const ViewContext& context) {
  std::unique_ptr<MapView> view(qobject_cast<MapView*>(findView(context.tile.view)->create(nullptr)));
  view->resize(600, 420);
  view->setContext(context);
  view->show();
  view->grab();  // laid out and painted
  return view;
}

/// The options that a view chooses, in order.
std::vector<std::pair<std::string, double>> choicesOf(MapView& view, const std::function<void()>& act) {
  std::vector<std::pair<std::string, double>> chosen;
  const auto connection = QObject::connect(
      &view, &View::optionChosen, &view,
      [&chosen](const std::string& key, const Value& value) { chosen.emplace_back(key, std::get<double>(value)); });
  act();
  QObject::disconnect(connection);
  return chosen;
}

QPointF middleOf(MapView& view, std::size_t panel, std::int64_t row, std::int64_t col) {
  const QRectF& plot = view.places().panels[panel].plot;
  return {plot.left() + plot.width() * (static_cast<double>(col) + 0.5) / cols,
          plot.top() + plot.height() * (static_cast<double>(row) + 0.5) / rows};
}

TEST(GridViews, PlotsHaveTheSidesOfTheGrid) {
  for (const char* id : {"grid_similarity", "border_effect"}) {
    const auto view = shownView(answered(id, {{"conditional", {}, {}, 0, true}, {"rope_2d", {}, {}, 1, true}}));
    const MapScene& scene = view->scene();
    for (std::size_t p = 0; p < scene.panels.size(); ++p)
      if (scene.panels[p].map) {
        const QSizeF size = view->places().panels[p].plot.size();
        EXPECT_NEAR(size.width() / size.height(), 2, 0.05) << id;
      }
  }
}

TEST(GridViews, AClickChoosesThePatch) {
  const auto view = shownView(answered("grid_similarity", planeAndLine()));
  ASSERT_TRUE(view->scene().chosen);
  EXPECT_EQ(view->scene().chosen->row, rows / 2);
  EXPECT_EQ(view->scene().chosen->col, cols / 2);
  const auto chosen = choicesOf(*view, [&] {
    QTest::mouseClick(view.get(), Qt::LeftButton, Qt::NoModifier, middleOf(*view, 1, 1, 6).toPoint());
  });
  EXPECT_EQ(chosen, (std::vector<std::pair<std::string, double>>{{"row", 1}, {"column", 6}}));
}

TEST(GridViews, EnterChoosesThePatchUnderTheCursor) {
  const auto view = shownView(answered("grid_similarity", planeAndLine()));
  const auto enter = [&] { QTest::keyClick(view.get(), Qt::Key_Return); };
  EXPECT_TRUE(choicesOf(*view, enter).empty()) << "no cursor yet";
  QTest::keyClick(view.get(), Qt::Key_Up, Qt::ControlModifier);
  EXPECT_EQ(choicesOf(*view, enter),
            (std::vector<std::pair<std::string, double>>{{"row", rows / 2 - 1}, {"column", cols / 2}}));
}

TEST(GridViews, AChoiceOnALargerGridIsKeptInside) {
  const ViewContext context = answered("grid_similarity", planeAndLine(), {{"row", 60.0}, {"column", 60.0}});
  const auto view = shownView(context);
  EXPECT_TRUE(view->scene().failures.empty());
  ASSERT_TRUE(view->scene().chosen);
  EXPECT_EQ(view->scene().chosen->row, rows - 1);
  EXPECT_EQ(view->scene().chosen->col, cols - 1);
}

TEST(GridViews, TheReadoutNamesRowAndColumnAndEveryScheme) {
  const ViewContext context = answered("grid_similarity", planeAndLine());
  const auto view = shownView(context);
  QSignalSpy spy(view.get(), &View::hovered);
  // Sent as it is: a pointer that rests there already would not be moved by the window system.
  const QPointF place = middleOf(*view, 0, 3, 2);
  QMouseEvent move(QEvent::MouseMove, place, view->mapToGlobal(place), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
  QApplication::sendEvent(view.get(), &move);
  ASSERT_FALSE(spy.isEmpty());
  const Hover hover = spy.last().at(0).value<Hover>();
  EXPECT_EQ(hover.other, (std::map<std::string, double>{{"c", 2}, {"r", 3}}));
  const PointerReadout readout = readPointer(*context.result, 0, hover, context.style);
  ASSERT_GE(readout.place.size(), 3U);
  EXPECT_EQ(readout.place[0].name, QStringLiteral("row r"));
  EXPECT_EQ(readout.place[0].value, QStringLiteral("3"));
  EXPECT_EQ(readout.place[1].name, QStringLiteral("column c"));
  EXPECT_EQ(readout.schemes.size(), 2U);
  EXPECT_TRUE(readout.term.contains(QStringLiteral("R(26)1"))) << readout.term.toStdString();
}

TEST(GridViews, AllHeadsOfATableAreSmallMapsThatCanBeChosen) {
  const auto view = shownView(answered("bias_grid", {{"swin", {}, {}, 0, true}}, {{"heads", std::string("all")}}));
  ASSERT_EQ(view->scene().panels.size(), 2U);
  QSignalSpy spy(view.get(), &View::headChosen);
  QTest::mouseClick(view.get(), Qt::LeftButton, Qt::NoModifier, view->places().panels[1].plot.center().toPoint());
  ASSERT_EQ(spy.count(), 1);
  EXPECT_EQ(spy.last().at(0).toInt(), 1);
}

TEST(GridViews, ATableStandsBesideItsResizedForm) {
  const auto view =
      shownView(answered("bias_grid", {{"grid_bias", {{"source_height", 3.0}, {"source_width", 3.0}}, {}, 0, true}}));
  ASSERT_EQ(view->scene().panels.size(), 2U);
  EXPECT_EQ(view->scene().panels[0].caption, QStringLiteral("table, 3 × 3 patches"));
  EXPECT_EQ(view->scene().panels[1].caption, QStringLiteral("resized, 4 × 8 patches"));
  EXPECT_TRUE(view->scene().one_scale);
}

TEST(GridViews, TablesOfManySchemesFillTheTileEachWithItsName) {
  std::vector<SchemeChoice> schemes;
  for (const char* id : {"swin_v2", "sinusoidal_2d", "rope_mixed", "conditional", "mrope", "grid_bias"})
    schemes.push_back({id, {}, {}, static_cast<int>(schemes.size()), true});
  const auto view = shownView(answered("bias_grid", schemes));
  ASSERT_EQ(view->scene().panels.size(), 6U);
  EXPECT_FALSE(view->scene().legend) << "the captions name the schemes";
  for (std::size_t p = 0; p < 6; ++p) {
    EXPECT_EQ(view->scene().panels[p].caption, view->scene().panels[p].name);
    EXPECT_FALSE(view->places().panels[p].caption.isEmpty());
    EXPECT_GT(view->places().panels[p].plot.width(), 120) << p;
  }
  schemes.back().values = {{"source_height", 3.0}, {"source_width", 3.0}};
  const auto resized = shownView(answered("bias_grid", schemes));
  ASSERT_EQ(resized->scene().panels.size(), 7U);
  EXPECT_TRUE(resized->scene().panels[6].caption.endsWith(QStringLiteral(" · resized, 4 × 8 patches")));
  EXPECT_TRUE(resized->scene().panels[6].caption.startsWith(resized->scene().panels[6].name));
}

TEST(GridViews, ASharedBarBesideSeveralRowsHasRoomForItsTitle) {
  std::vector<SchemeChoice> schemes;
  for (const char* id : {"swin_v2", "sinusoidal_2d", "rope_mixed", "conditional", "mrope", "grid_bias"})
    schemes.push_back({id, {}, {}, static_cast<int>(schemes.size()), true});
  const auto view = shownView(answered("angle_map", schemes));
  for (const QSize size : {QSize(550, 300), QSize(600, 420), QSize(360, 500)}) {
    view->resize(size);
    view->grab();
    const QRectF bar = view->places().bar;
    const MapScene& scene = view->scene();
    ASSERT_FALSE(bar.isEmpty());
    EXPECT_GE(bar.width(), colourBarWidth(scene.first()->look.scale, bar.height(), scene.valueTitle(), scene.style))
        << size.width();
    EXPECT_LE(bar.right(), size.width()) << size.width();
  }
}

TEST(GridViews, TermsOfTheLogitsShareAScaleStagesOfGatesDoNot) {
  const auto terms = shownView(answered("score_terms", {{"transformer_xl", {}, {}, 0, true}}));
  ASSERT_EQ(terms->scene().panels.size(), 5U);
  EXPECT_TRUE(terms->scene().one_scale);
  EXPECT_TRUE(terms->scene().panels.front().caption.startsWith(QStringLiteral("(a) q·k, content · ")))
      << terms->scene().panels.front().caption.toStdString();
  EXPECT_TRUE(terms->scene().panels.back().caption.startsWith(QStringLiteral("logits")));
  const auto gates = shownView(answered("gates", {{"cope", {}, {}, 0, true}}));
  ASSERT_EQ(gates->scene().panels.size(), 3U);
  EXPECT_FALSE(gates->scene().one_scale);
}

TEST(BucketColours, NeighboursDifferAndEachTableHasItsOwnScale) {
  const auto view = shownView(answered("bucket_map", {{"t5_log", {}, {}, 0, true}, {"tupe", {}, {}, 1, true}}));
  const MapScene& scene = view->scene();
  ASSERT_EQ(scene.panels.size(), 2U);
  EXPECT_EQ(scene.panels[0].look.scale, wholeScale(32));
  EXPECT_EQ(scene.panels[1].look.scale, wholeScale(33));
  EXPECT_FALSE(scene.one_scale);
  const HeatmapLook& look = scene.panels[0].look;
  std::set<QRgb> colours;
  for (int bucket = 0; bucket < 32; ++bucket) {
    const QRgb colour = look.map->at(look.scale.fraction(bucket));
    EXPECT_EQ(colour, look.map->at(look.scale.fraction(bucket + 0.4))) << bucket;
    colours.insert(colour);
    if (bucket == 0) continue;
    const QRgb before = look.map->at(look.scale.fraction(bucket - 1));
    const int apart = std::abs(qRed(colour) - qRed(before)) + std::abs(qGreen(colour) - qGreen(before)) +
                      std::abs(qBlue(colour) - qBlue(before));
    EXPECT_GT(apart, 40) << bucket;
  }
  EXPECT_EQ(colours.size(), 32U);
}

TEST(BucketColours, TheBarCountsFromTheFirstToTheLastRow) {
  const std::vector<double> ticks = wholeScale(32).ticks(6);
  EXPECT_EQ(ticks.front(), 0);
  EXPECT_EQ(ticks.back(), 31);
  EXPECT_EQ(wholeScale(1).ticks(6), std::vector<double>{0});
  const std::vector<double> from = wholeScale(63, 1008).ticks(6);
  EXPECT_EQ(from.front(), 1008);
  EXPECT_EQ(from.back(), 1070);
}

TEST(BucketColours, AFewRowsOfALongTableHaveTheColoursAlone) {
  const auto view = shownView(answered("bucket_map", {{"relative_key", {{"max_positions", 1024.0}}, {}, 0, true}}));
  const MapPanel& panel = view->scene().panels.front();
  const auto tokens = static_cast<int>(panel.map->field->rows());
  EXPECT_EQ(panel.look.scale, wholeScale(2 * tokens - 1, 1024 - tokens));
  const auto colourOf = [&](float row) { return panel.look.map->at(panel.look.scale.fraction(row)); };
  EXPECT_NE(colourOf(panel.map->field->at(0, 0)), colourOf(panel.map->field->at(0, 1)));
}

TEST(BucketColours, PairsThatReadNothingAreNoRow) {
  const auto view = shownView(answered("bucket_map", {{"swin", {{"window", 4.0}}, {}, 0, true}}));
  const MapPanel& panel = view->scene().panels.front();
  ASSERT_EQ(panel.map->field->at(0, 5), -1.0F) << "another window";
  HeatmapSampler sampler;
  const QImage image = sampler.image(panel.map->field, {0, 0, 32, 32}, QSize(32, 32), panel.look);
  EXPECT_EQ(image.pixel(5, 0), panel.look.mask_colour | 0xff000000U);
  EXPECT_NE(image.pixel(1, 0), panel.look.mask_colour | 0xff000000U);
}

}  // namespace
}  // namespace posiscope::ui
