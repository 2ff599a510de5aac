// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compute.h"
#include "synthetic.h"
#include "ui/views/list.h"
#include "ui/views/map_layout.h"
#include "ui/views/map_view.h"
#include "ui/views/scheme_text.h"
#include "ui/views/view_kinds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <QImage>
#include <QPainter>
#include <QTest>
#include <utility>
#include <vector>

namespace posiscope::ui {
namespace {

const std::vector<ViewKind>& mapViews() {
  static const std::vector<ViewKind> kinds{positionTableView(), similarityView(), attentionWeightsView()};
  return kinds;
}

QImage drawn(const ViewKind& kind, const ViewContext& context, QSize size = QSize(415, 355)) {
  QImage image(size, QImage::Format_RGB32);
  image.fill(context.style.panel);
  QPainter painter(&image);
  kind.draw(painter, QRectF(QPointF(), QSizeF(size)), context);
  return image;
}

TEST(MapViews, SayWhyLongAttentionHasNoCurveByOffset) {
  const std::unique_ptr<View> view(attentionWeightsView().create(nullptr));
  const auto told = [&view](std::int64_t tokens) {
    ViewContext context = contextOf("attention_weights", {oneMap(2, 2, {1, 0, 0.5F, 0.5F}, MapKind::sequential)});
    context.experiment.shape.seq_len = tokens;
    view->setContext(context);
    return view->accessibleDescription();
  };
  EXPECT_TRUE(told(8192).contains(QStringLiteral("no curve by offset"))) << told(8192).toStdString();
  EXPECT_FALSE(told(512).contains(QStringLiteral("no curve by offset")));
}

TEST(MapViews, DrawNothingDrawAResultAndDiffer) {
  for (const ViewKind& kind : mapViews()) {
    ViewContext blank = mapContext(kind.id);
    blank.result = nullptr;
    EXPECT_NE(drawn(kind, blank), drawn(kind, mapContext(kind.id))) << kind.id;
  }
}

TEST(MapViews, SurviveOneCellOnePixelAndBothThemesAndLanguages) {
  for (const ViewKind& kind : mapViews())
    for (const bool dark : {false, true})
      for (const Language language : {Language::english, Language::chinese}) {
        const ViewContext context = contextOf(kind.id, {oneMap(1, 1, {0.5F}, MapKind::sequential)}, dark, language);
        EXPECT_FALSE(drawn(kind, context).isNull());
        EXPECT_FALSE(drawn(kind, mapContext(kind.id, dark, language), QSize(1, 1)).isNull());
        EXPECT_FALSE(drawn(kind, mapContext(kind.id, dark, language), QSize(60, 40)).isNull());
      }
}

TEST(MapViews, SurviveNotANumberEverywhere) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const ViewKind& kind : mapViews())
    EXPECT_FALSE(drawn(kind, contextOf(kind.id, {oneMap(2, 2, {nan, nan, nan, nan}, MapKind::diverging)})).isNull());
}

TEST(MapViews, EachOptionChangesThePicture) {
  const ViewKind kind = attentionWeightsView();
  const QImage before = drawn(kind, mapContext(kind.id));
  const std::vector<std::pair<std::string, Value>> choices{
      {"map", std::string("magma")},        {"limits", std::string("automatic")}, {"log", true},
      {"schemes", std::string("selected")}, {"heads", std::string("all")},        {"strip", false}};
  for (const auto& [key, value] : choices) {
    ViewContext context = mapContext(kind.id);
    context.tile.options[key] = value;
    EXPECT_NE(drawn(kind, context), before) << key;
  }
  ViewContext typed = mapContext(kind.id);
  typed.tile.options["limits"] = std::string("typed");
  typed.tile.options["maximum"] = 0.03;
  EXPECT_NE(drawn(kind, typed), before);
}

TEST(MapViews, IllegalOptionsOfAnOldSessionAreAsIfNotGiven) {
  const ViewKind kind = positionTableView();
  ViewContext context = mapContext(kind.id);
  const QImage before = drawn(kind, context);
  context.tile.options["map"] = std::string("rainbow");
  context.tile.options["log"] = 3.0;
  EXPECT_EQ(drawn(kind, context), before);
}

TEST(MapViews, AFailureLeavesTheOthers) {
  const ViewKind kind = similarityView();
  const ViewContext good = mapContext(kind.id);
  const ViewContext bad =
      withFailure(good, 1, Error{ErrorCode::not_defined, {"rope: base must be above 1, got 1", ""}});
  MapChoice all;
  const MapScene scene = makeMapScene(bad, all);
  EXPECT_EQ(scene.panels.size(), 2U);
  ASSERT_EQ(scene.failures.size(), 1U);
  EXPECT_TRUE(scene.failures.front().contains("base must be above 1"));
  EXPECT_NE(drawn(kind, bad), drawn(kind, good));
}

TEST(MapViews, SaysWhyThereIsNothing) {
  Dataset nothing;
  nothing.nothing = {"NoPE has no table", "NoPE 没有表"};
  const MapScene scene = makeMapScene(contextOf("similarity", {nothing}, false, Language::chinese), {});
  EXPECT_TRUE(scene.panels.empty());
  EXPECT_EQ(scene.nothing, QStringLiteral("NoPE 没有表"));
}

TEST(MapViews, AStalePictureIsDimmedUntilTheAnswerComes) {
  const ViewKind kind = similarityView();
  ViewContext context = mapContext(kind.id);
  const QImage fresh = drawn(kind, context);
  context.experiment.shape.seq_len += 1;
  EXPECT_NE(drawn(kind, context), fresh);
}

TEST(MapViews, QuantitiesOfDifferentMeaningDoNotShareAScale) {
  std::vector<Dataset> datasets{rotaryTable(16, 8),
                                oneMap(16, 16, std::vector<float>(256, 400.0F), MapKind::diverging)};
  const MapScene scene = makeMapScene(contextOf("position_table", std::move(datasets)), {});
  EXPECT_NEAR(scene.panels[0].look.scale.high, 1, 1e-6);
  EXPECT_NEAR(scene.panels[1].look.scale.high, 400, 1e-3);
  EXPECT_FALSE(scene.one_scale);
}

TEST(MapViews, AFactorIsNoOtherQuantity) {
  Dataset plain = oneMap(1, 2, {-1, 1}, MapKind::diverging);
  plain.maps[0].value = {"cos of the angle", "角度的 cos"};
  Dataset scaled = oneMap(1, 2, {-1.25F, 1.25F}, MapKind::diverging);
  scaled.maps[0].value = {"cos of the angle × attention factor", "角度的 cos × 注意力因子"};
  const MapScene scene = makeMapScene(contextOf("position_table", {plain, scaled}), {});
  EXPECT_TRUE(scene.one_scale);
  EXPECT_EQ(scene.valueTitle(), QStringLiteral("cos of the angle × attention factor"));
}

TEST(MapViews, SharedLimitsCoverAllSchemesOwnLimitsEach) {
  std::vector<Dataset> datasets{oneMap(2, 2, {0, 0, 0, 1}, MapKind::diverging),
                                oneMap(2, 2, {0, 0, 0, 5}, MapKind::diverging)};
  ViewContext context = contextOf("similarity", std::move(datasets));
  EXPECT_DOUBLE_EQ(makeMapScene(context, {}).panels[0].look.scale.high, 5);
  context.tile.options["limits"] = std::string("automatic");
  EXPECT_DOUBLE_EQ(makeMapScene(context, {}).panels[0].look.scale.high, 1);
}

TEST(MapViews, CellsForbiddenByTheMaskAreNotTheLowestColour) {
  ViewContext context = mapContext("attention_weights");
  auto result = std::make_shared<Result>(*context.result);
  for (Answer& answer : result->answers.front()) {
    answer.question.mask.causal = true;
    answer.question.shape.seq_len = 48;
  }
  context.result = result;
  MapChoice choice;
  choice.head = 0;
  choice.mask = true;
  const MapScene scene = makeMapScene(context, choice);
  ASSERT_TRUE(scene.panels[0].look.masked);
  EXPECT_TRUE(scene.panels[0].look.masked(3, 4));
  EXPECT_FALSE(scene.panels[0].look.masked(4, 3));
  EXPECT_NE(scene.panels[0].look.mask_colour, scene.panels[0].look.map->at(0));
}

/// F01: a row with nothing to attend to was NaN; it is told from zeros that mean little weight.
TEST(MapViews, ARowWithNothingToAttendToIsHatched) {
  Dataset dataset = oneMap(3, 3, {0, 0, 0, 0.5F, 0.5F, 0, 0.25F, 0, 0.75F}, MapKind::sequential);
  dataset.maps[0].value = {"weight", "权重"};
  MapChoice choice;
  choice.mask = true;
  const MapScene scene = makeMapScene(contextOf("attention_weights", {dataset}), choice);
  const HeatmapLook& look = scene.panels[0].look;
  ASSERT_TRUE(look.nothing);
  EXPECT_TRUE(look.nothing(0));
  EXPECT_FALSE(look.nothing(1) || look.nothing(2));
  HeatmapSampler sampler;
  const QImage image = sampler.image(scene.panels[0].map->field, {0, 0, 3, 3}, QSize(30, 30), look);
  EXPECT_EQ(image.pixel(0, 0), look.missing_colour);
  EXPECT_EQ(image.pixel(3, 0), look.mask_colour);
  EXPECT_EQ(image.pixel(25, 15), look.map->at(look.scale.fraction(0))) << "little weight, not none";
}

TEST(MapViews, RequestsNameTheHeadAndTheStartOfLongSequences) {
  const ViewKind kind = attentionWeightsView();
  Experiment experiment;
  experiment.shape.seq_len = 4096;
  experiment.shape.num_heads = 8;
  Presentation presentation = startPresentation();
  presentation.head = 40;
  TileState tile;
  MeasureRequest one = kind.request(tile, presentation, experiment);
  EXPECT_EQ(one.options.at("tokens"), Value(512.0));
  EXPECT_EQ(one.options.at("heads"), Value(std::vector<double>{7}));
  tile.options["heads"] = std::string("all");
  MeasureRequest all = kind.request(tile, presentation, experiment);
  EXPECT_EQ(all.options.at("tokens"), Value(256.0));
  EXPECT_FALSE(all.options.contains("heads"));
}

TEST(MapViews, SequencesTooLongToBeStoredAreShownWholeUnlessSomeTokensAreAskedFor) {
  const ViewKind kind = attentionWeightsView();
  Experiment experiment;
  const Presentation presentation = startPresentation();
  TileState tile;
  experiment.shape.seq_len = 4096;
  EXPECT_FALSE(kind.request(tile, presentation, experiment).options.contains("long_maps"));
  experiment.shape.seq_len = 1 << 20;
  MeasureRequest whole = kind.request(tile, presentation, experiment);
  EXPECT_EQ(whole.options.at("tokens"), Value(1048576.0));
  EXPECT_EQ(whole.options.at("long_maps"), Value(std::string("streamed")));
  tile.options["tokens"] = 300.0;
  whole = kind.request(tile, presentation, experiment);
  EXPECT_EQ(whole.options.at("tokens"), Value(300.0));
  EXPECT_FALSE(whole.options.contains("long_maps"));
  tile.options.clear();
  tile.options["heads"] = std::string("all");
  EXPECT_EQ(kind.request(tile, presentation, experiment).options.at("tokens"), Value(256.0));
}

TEST(MapViews, ALongSequenceIsADraftInTheWindowUntilItIsRefined) {
  ViewContext context = mapContext("attention_weights");
  context.experiment.shape.seq_len = 1 << 14;
  context.experiment.shape.num_heads = 1;
  context.experiment.schemes.resize(1);
  context.experiment.schemes[0].id = "rope";
  context.experiment.schemes[0].values.clear();
  const ViewKind kind = attentionWeightsView();
  const MeasureRequest request = kind.request(context.tile, context.presentation, context.experiment);
  context.result = compute({context.experiment, {request}}, Job()).value();
  context.measure = 0;
  const std::unique_ptr<View> view(kind.create(nullptr));
  view->resize(500, 400);
  view->setContext(context);
  view->grab();
  const auto& map = static_cast<const MapView&>(*view);
  EXPECT_TRUE(map.isUnfinished());
  const QImage draft = view->grab().toImage();
  const auto isFinal = [&] {
    view->grab();
    return !map.isUnfinished();
  };
  ASSERT_TRUE(QTest::qWaitFor(isFinal, 30000));
  const QImage final_picture = view->grab().toImage();
  EXPECT_NE(final_picture, draft);
  QTest::qWait(200);
  view->grab();
  EXPECT_FALSE(map.isUnfinished()) << "the final picture has the size of the draft";
}

TEST(MapViews, AZoomOfAnotherMapIsKeptInsideThisOne) {
  ViewContext context = mapContext("position_table");  // 16 × 64 cells
  const auto zoomFor = [&context](Zoom asked) {
    context.tile.zoom = asked;
    return makeMapScene(context, {}).zoom;
  };
  EXPECT_EQ(zoomFor({1.5, 5.5, 3.5, 9.5}), (Zoom{1.5, 5.5, 3.5, 9.5}));
  EXPECT_EQ(zoomFor({13.5, 17.5, 3.5, 9.5}), (Zoom{11.5, 15.5, 3.5, 9.5})) << "moved";
  EXPECT_EQ(zoomFor({1.5, 5.5, -0.5, 879.5}), (Zoom{1.5, 5.5, -0.5, 63.5})) << "cut";
  EXPECT_FALSE(zoomFor({-0.5, 63.5, -0.5, 879.5})) << "larger";
  EXPECT_FALSE(zoomFor({1.5, 5.5, 400, 500})) << "outside";
  EXPECT_FALSE(zoomFor({5.5, 1.5, 3.5, 9.5})) << "inside out";
}

TEST(MapViews, SayWhatTheEmptyExperimentOrTheWaitIsAbout) {
  ViewContext context = mapContext("position_table");
  const auto nothing = [&context] { return makeMapScene(context, {}).nothing; };
  EXPECT_TRUE(nothing().isEmpty());
  const Experiment shown = context.experiment;
  context.experiment.schemes.clear();
  EXPECT_TRUE(nothing().startsWith("Nothing is compared yet")) << "not the last result";
  context.experiment = shown;
  for (SchemeChoice& scheme : context.experiment.schemes) scheme.visible = false;
  EXPECT_TRUE(nothing().startsWith("No scheme is visible"));
  context.experiment.schemes.back().visible = true;
  EXPECT_TRUE(nothingText(context, false).endsWith("or select a scheme that is visible."));
  context.experiment = shown;
  context.result = nullptr;
  EXPECT_EQ(nothing(), QStringLiteral("Computing…"));
  context.stopped = true;
  EXPECT_TRUE(nothing().startsWith("Stopped"));
}

TEST(MapLayout, PanelsDoNotOverlapAndStayInside) {
  for (const int heads : {1, 8, 32}) {
    std::vector<int> numbers;
    for (int h = 0; h < heads; ++h) numbers.push_back(h);
    std::vector<Dataset> datasets;
    for (int s = 0; s < 6; ++s) datasets.push_back(causalWeights(8, numbers, 0.1));
    MapChoice choice;
    choice.all_heads = true;
    MapScene scene = makeMapScene(contextOf("attention_weights", std::move(datasets)), choice);
    scene.square = scene.legend = true;
    scene.strip.clear();
    for (const QSizeF size : {QSizeF(360, 260), QSizeF(700, 500), QSizeF(1900, 1000)}) {
      const QRectF target(QPointF(), size);
      const MapLayout layout = layoutMaps(scene, target, 1, true);
      for (std::size_t a = 0; a < layout.panels.size(); ++a) {
        EXPECT_TRUE(target.contains(layout.panels[a].plot)) << heads << " heads, " << size.width();
        for (std::size_t b = a + 1; b < layout.panels.size(); ++b)
          EXPECT_FALSE(layout.panels[a].plot.intersects(layout.panels[b].plot));
      }
    }
  }
}

TEST(MapLayout, AnAxisOfOffsetsNamesBothOfItsEnds) {
  const auto ticksOf = [](std::int64_t reach, double side) {
    const std::int64_t cells = 2 * reach + 1;
    Dataset bias =
        oneMap(cells, cells, std::vector<float>(static_cast<std::size_t>(cells * cells)), MapKind::diverging);
    bias.maps.front().rows.first = bias.maps.front().cols.first = -static_cast<double>(reach);
    const MapScene scene = makeMapScene(contextOf("bias_grid", {std::move(bias)}), {});
    return layoutMaps(scene, QRectF(0, 0, side, side), 1, false).panels.front().cols.ticks;
  };
  for (const std::int64_t reach : {3, 5, 13, 63})
    for (const double side : {260.0, 300.0, 600.0}) {
      const std::vector<double> ticks = ticksOf(reach, side);
      ASSERT_FALSE(ticks.empty()) << side;
      EXPECT_EQ(ticks.front(), -static_cast<double>(reach)) << side;
      EXPECT_EQ(ticks.back(), static_cast<double>(reach)) << side;
      EXPECT_EQ(std::ranges::count(ticks, 0.0), 1) << reach << " at " << side;
      EXPECT_TRUE(std::ranges::is_sorted(ticks));
    }
}

TEST(MapLayout, ProfilesFindRoomInSmallTiles) {
  MapScene scene = makeMapScene(contextOf("position_table", {rotaryTable(64, 16)}), {});
  scene.profiles = true;
  for (const QSizeF size : {QSizeF(690, 290), QSizeF(400, 260), QSizeF(330, 220)}) {
    const PanelPlace place = layoutMaps(scene, QRectF(QPointF(), size), 1, true).panels.front();
    EXPECT_FALSE(place.right_profile.isEmpty()) << size.width();
    EXPECT_GE(place.bottom_profile.height(), 20) << size.width();
    EXPECT_GT(place.plot.height(), 90) << "the map stays the larger part";
    EXPECT_LT(place.bottom_profile.bottom(), size.height());
  }
}

TEST(MapLayout, TheStripStandsBesideALoneSquareInAWideView) {
  const auto layoutOf = [](int schemes, QSizeF size) {
    std::vector<Dataset> datasets;
    for (int s = 0; s < schemes; ++s) datasets.push_back(causalWeights(48, {0}, 0.2));
    MapChoice choice;
    choice.head = 0;
    MapScene scene = makeMapScene(contextOf("attention_weights", std::move(datasets)), choice);
    scene.square = true;
    return layoutMaps(scene, QRectF(QPointF(), size), 1, false);
  };
  const MapLayout wide = layoutOf(1, QSizeF(800, 320));
  EXPECT_GT(wide.strip.left(), wide.panels.front().plot.right());
  EXPECT_EQ(wide.strip.bottom(), wide.panels.front().plot.bottom());
  EXPECT_GT(wide.panels.front().plot.height(), 220);
  EXPECT_LT(wide.strip.right(), 800);
  for (const MapLayout& below : {layoutOf(1, QSizeF(430, 500)), layoutOf(3, QSizeF(800, 320))})
    EXPECT_GT(below.strip.top(), below.panels.front().plot.bottom());
}

TEST(MapLayout, ALoneSchemeIsNotNamedAgain) {
  const auto legendOf = [](std::vector<Dataset> datasets) {
    MapChoice choice;
    choice.all_heads = true;
    MapScene scene = makeMapScene(contextOf("attention_weights", std::move(datasets)), choice);
    scene.legend = true;
    return layoutMaps(scene, QRectF(0, 0, 600, 400), 1, false).legend;
  };
  EXPECT_TRUE(legendOf({causalWeights(8, {0, 1}, 0.1)}).isEmpty());
  EXPECT_FALSE(legendOf({causalWeights(8, {0, 1}, 0.1), causalWeights(8, {0, 1}, 0.2)}).isEmpty());
}

TEST(MapLayout, CaptionsReachOverTheGapAndNotIntoEachOther) {
  MapScene scene = makeMapScene(mapContext("attention_weights"), {});
  ASSERT_GT(scene.panels.size(), 1U);
  for (MapPanel& panel : scene.panels) panel.caption = QStringLiteral("a name of quite some length");
  const MapLayout layout = layoutMaps(scene, QRectF(0, 0, 520, 260), 1, false);
  for (std::size_t p = 0; p < layout.panels.size(); ++p) {
    const QRectF& caption = layout.panels[p].caption;
    EXPECT_GT(caption.width(), layout.panels[p].plot.width());
    EXPECT_LE(caption.right(), 520);
    for (std::size_t q = 0; q < p; ++q) EXPECT_FALSE(caption.intersects(layout.panels[q].caption)) << p << ' ' << q;
  }
}

}  // namespace
}  // namespace posiscope::ui
