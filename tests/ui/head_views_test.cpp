// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Views of heads on real answers: the table, the small maps, the bars, attention by offset, the shuffle test.
#include "core/compute.h"
#include "core/heads/thresholds.h"
#include "tests/ui/synthetic.h"
#include "ui/charts/plot.h"
#include "ui/paint/kind_mark.h"
#include "ui/state/store.h"
#include "ui/tiles/presentation_json.h"
#include "ui/views/head_answer.h"
#include "ui/views/head_table_view.h"
#include "ui/views/kind_bars_view.h"
#include "ui/views/list.h"
#include "ui/views/map_view.h"
#include "ui/views/view_kinds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <QApplication>
#include <QImage>
#include <QMouseEvent>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

namespace posiscope::ui {
namespace {

constexpr std::int64_t head_count = 8;

/// A view as the window makes it of real answers: content that says nothing, so that position alone decides.
ViewContext answered(const std::string& view, ParamValues options = {}, Language language = Language::english) {
  ViewContext context = contextOf(view, {}, false, language);
  context.tile.options = std::move(options);
  Experiment& experiment = context.experiment;
  experiment.shape.seq_len = 96;
  experiment.shape.num_heads = head_count;
  experiment.shape.head_dim = 8;
  experiment.shape.d_model = 64;
  experiment.mask.causal = true;
  experiment.content.source = ContentSource::ones;
  experiment.schemes = {{"alibi", {}, {}, 0, true}, {"none", {}, {}, 1, true}};
  const ViewKind& kind = *findView(view);
  context.result = compute({experiment, {kind.request(context.tile, context.presentation, experiment)}}, Job{}).value();
  context.measure = 0;
  return context;
}

QImage drawn(const ViewContext& context, QSize size = QSize(415, 355)) {
  QImage image(size, QImage::Format_RGB32);
  image.fill(context.style.panel);
  QPainter painter(&image);
  findView(context.tile.view)->draw(painter, QRectF(QPointF(), QSizeF(size)), context);
  return image;
}

template <class Shown>
std::unique_ptr<Shown> shown(const ViewContext& context, QSize size = QSize(415, 355)) {
  std::unique_ptr<Shown> view(qobject_cast<Shown*>(findView(context.tile.view)->create(nullptr)));
  view->resize(size);
  view->setContext(context);
  view->show();
  view->grab();  // laid out and painted
  return view;
}

HeadTable tableOf(const ViewContext& context, const HeadChoice& choice) { return makeHeadTable(context, choice); }

std::vector<double> columnOf(const HeadTable& table, const std::string& key) {
  const auto found = std::ranges::find(table.columns, key, &HeadColumn::key);
  std::vector<double> values;
  for (const HeadLine& line : table.lines)
    if (line.head >= 0) values.push_back(table.value(line, static_cast<std::size_t>(found - table.columns.begin())));
  return values;
}

TEST(HeadViews, DrawInEverySizeThemeAndLanguage) {
  for (const char* id : {"heads", "head_maps", "head_kinds", "attention_by_offset", "shuffle_test"})
    for (const Language language : {Language::english, Language::chinese}) {
      ViewContext context = answered(id, {}, language);
      for (const bool dark : {false, true}) {
        context.style = makeStyle(dark, language);
        for (const QSize size : {QSize(1, 1), QSize(30, 20), QSize(160, 120), QSize(1200, 800)}) {
          QImage empty(size, QImage::Format_RGB32);
          empty.fill(context.style.panel);
          EXPECT_TRUE(size.width() < 160 || drawn(context, size) != empty) << id << ' ' << size.width();
        }
      }
    }
}

TEST(HeadTable, OrdersByAColumnAndStatesWhatDecided) {
  const ViewContext context = answered("heads");
  const HeadTable plain = tableOf(context, {});
  EXPECT_EQ(plain.lines.size(), static_cast<std::size_t>(head_count));
  EXPECT_EQ(columnOf(plain, "head"), (std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(plain.kind(plain.lines.front()), heads::Kind::local) << "the steepest slope";
  EXPECT_TRUE(evidenceOf(plain, plain.lines.front()).contains(QStringLiteral("at least 0.5")));
  const std::vector<double> falling = columnOf(tableOf(context, {true, "entropy_mean", true}), "entropy_mean");
  EXPECT_TRUE(std::ranges::is_sorted(falling, std::greater{}));
  EXPECT_GT(falling.front(), falling.back());
  EXPECT_TRUE(std::ranges::is_sorted(columnOf(tableOf(context, {true, "entropy_mean", false}), "entropy_mean")));
  const HeadTable all = tableOf(context, {false, "head", false});
  EXPECT_EQ(all.lines.size(), 2 * (head_count + 1U)) << "a name above the heads of each scheme";
}

TEST(HeadTable, HeadsOfAllLayersAreChosenWithTheirLayer) {
  ViewContext context = answered("heads", {{"layers", std::string("all")}});
  Experiment& experiment = context.experiment;
  experiment.shape.num_layers = 3;
  experiment.shape.layer = 1;
  context.presentation.head = 2;
  const ViewKind& kind = *findView("heads");
  context.result = compute({experiment, {kind.request(context.tile, context.presentation, experiment)}}, Job{}).value();
  const HeadTable table = tableOf(context, {});
  ASSERT_EQ(table.lines.size(), 3U * head_count);
  EXPECT_EQ(table.number(table.lines[head_count + 2]), QStringLiteral("1 · 2"));
  EXPECT_EQ(table.chosen, head_count + 2) << "the chosen head of the chosen layer";
  EXPECT_TRUE(headText(table, table.lines.back()).contains(QStringLiteral("layer 2 · head 7")));
  EXPECT_TRUE(std::ranges::none_of(table.columns, [](const HeadColumn& column) { return column.key == "layer"; }));
  const auto view = shown<HeadTableView>(context, QSize(600, 700));
  QSignalSpy heads(view.get(), &View::headChosen), layers(view.get(), &View::layerChosen);
  const QPoint last = view->places().lines[2 * head_count + 4].area.center().toPoint();
  QTest::mouseClick(view.get(), Qt::LeftButton, Qt::NoModifier, last);
  ASSERT_EQ(heads.count(), 1);
  EXPECT_EQ(heads.last().at(0).toInt(), 4);
  ASSERT_EQ(layers.count(), 1);
  EXPECT_EQ(layers.last().at(0).toInt(), 2);
}

TEST(HeadTable, CellsStandWhereTheyAreDrawnHoweverScrolled) {
  HeadTable table = tableOf(answered("heads"), {});
  table.interactive = true;
  const QRectF target(0, 0, 300, 160);
  const HeadTableLayout layout = layoutHeads(table, target, {99, 99});
  EXPECT_GT(layout.hidden_lines, 0U);
  EXPECT_EQ(layout.first.line, layout.hidden_lines) << "not beyond the last line";
  EXPECT_EQ(layout.first.figure, layout.hidden_figures);
  EXPECT_EQ(layout.lines.back().index, table.lines.size() - 1);
  EXPECT_EQ(layout.headers.back().index, table.columns.size() - 1);
  for (const auto& line : layout.lines)
    for (const auto& header : layout.headers) {
      const QRectF cell = layout.cell(line.index, header.index);
      EXPECT_TRUE(target.contains(cell));
      EXPECT_EQ(layout.lineAt(cell.center()), line.index);
      EXPECT_EQ(layout.columnAt(cell.center()), header.index);
    }
  EXPECT_TRUE(layout.cell(0, 0).isEmpty()) << "scrolled away";
}

TEST(HeadTable, ALongFootTakesASecondLineWhereNothingStandsAboveIt) {
  HeadTable table = tableOf(answered("heads"), {});
  table.scope = QStringLiteral("values drawn from a seed; open the model's weights to see its own table");
  const auto inkAboveTheFoot = [&table](double height) {
    const QRectF target(0, 0, 420, height);
    const HeadTableLayout layout = layoutHeads(table, target, {});
    EXPECT_LE(layout.lines.back().area.bottom(), layout.foot.top());
    QImage image(target.size().toSize(), QImage::Format_RGB32);
    image.fill(table.style.panel);
    QPainter painter(&image);
    drawHeads(painter, target, table, layout);
    painter.end();
    const QImage above = image.copy(QRectF(layout.foot.left(), layout.foot.top() - 11, 300, 10).toRect());
    for (int y = 0; y < above.height(); ++y)
      for (int x = 0; x < above.width(); ++x)
        if (above.pixelColor(x, y) != table.style.panel) return true;
    return false;
  };
  EXPECT_TRUE(inkAboveTheFoot(520));
  table.scope = QStringLiteral("short");
  EXPECT_FALSE(inkAboveTheFoot(520));
}

TEST(HeadTable, AHeaderOrdersAndTurnsRound) {
  ViewContext context = answered("heads");
  const auto view = shown<HeadTableView>(context);
  std::vector<std::pair<std::string, Value>> chosen;
  QObject::connect(view.get(), &View::optionChosen, view.get(),
                   [&chosen](const std::string& key, const Value& value) { chosen.emplace_back(key, value); });
  const QPoint entropy = view->places().headers[2].area.center().toPoint();
  QTest::mouseClick(view.get(), Qt::LeftButton, Qt::NoModifier, entropy);
  using Chosen = std::vector<std::pair<std::string, Value>>;
  EXPECT_EQ(chosen, (Chosen{{"sort", std::string("entropy_mean")}, {"descending", true}}));
  for (const auto& [key, value] : chosen) context.tile.options[key] = value;
  chosen.clear();
  view->setContext(context);
  EXPECT_TRUE(view->table().descending);
  QTest::mouseClick(view.get(), Qt::LeftButton, Qt::NoModifier, entropy);
  EXPECT_EQ(chosen, (Chosen{{"sort", std::string("entropy_mean")}, {"descending", false}}));
}

TEST(HeadTable, AClickOrEnterChoosesTheHead) {
  const auto view = shown<HeadTableView>(answered("heads", {{"sort", std::string("entropy_mean")}}));
  QSignalSpy spy(view.get(), &View::headChosen);
  const HeadTableLayout layout = view->places();
  QTest::mouseClick(view.get(), Qt::LeftButton, Qt::NoModifier, layout.lines[3].area.center().toPoint());
  ASSERT_EQ(spy.count(), 1);
  EXPECT_EQ(spy.last().at(0).toInt(), view->table().lines[3].head);
  QTest::keyClick(view.get(), Qt::Key_End);
  QTest::keyClick(view.get(), Qt::Key_End);
  QTest::keyClick(view.get(), Qt::Key_Return);
  EXPECT_EQ(spy.last().at(0).toInt(), view->table().lines.back().head);
}

TEST(HeadTable, ArrowsMoveTellAndBringWhatHasNoRoom) {
  const auto view = shown<HeadTableView>(answered("heads"), QSize(300, 160));
  QSignalSpy spy(view.get(), &View::hovered);
  QTest::keyClick(view.get(), Qt::Key_Down);
  EXPECT_EQ(view->cursor(), (HeadCursor{0, 0}));
  EXPECT_TRUE(view->accessibleDescription().contains(QStringLiteral("Local: weight of the keys within")));
  for (int press = 0; press < 40; ++press) QTest::keyClick(view.get(), Qt::Key_Right);
  for (int press = 0; press < 20; ++press) QTest::keyClick(view.get(), Qt::Key_Down);
  EXPECT_EQ(view->cursor(), (HeadCursor{head_count - 1, view->table().columns.size() - 1}));
  EXPECT_FALSE(view->places().cell(view->cursor()->line, view->cursor()->column).isEmpty());
  ASSERT_FALSE(spy.isEmpty());
  EXPECT_EQ(spy.last().at(0).value<Hover>().head, static_cast<int>(head_count - 1));
}

TEST(HeadTable, TheWheelScrollsLinesAndWithShiftFigures) {
  const auto view = shown<HeadTableView>(answered("heads"), QSize(300, 160));
  const auto wheel = [&](Qt::KeyboardModifiers modifiers) {
    QWheelEvent event(QPointF(5, 100), QPointF(5, 100), QPoint(), QPoint(0, -120), Qt::NoButton, modifiers,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(view.get(), &event);
  };
  wheel(Qt::NoModifier);
  EXPECT_EQ(view->places().first.line, 1U);
  EXPECT_EQ(view->places().first.figure, 0U);
  wheel(Qt::ShiftModifier);
  EXPECT_EQ(view->places().first.line, 1U);
  EXPECT_EQ(view->places().first.figure, 1U);
}

TEST(HeadOptions, ThresholdsAreKeptInTheSessionAndCanBeUndone) {
  for (const char* id : {"heads", "head_maps", "head_kinds"}) {
    Store store;
    Presentation p = startPresentation();
    p.tiles[0] = {id, {}, {}};
    store.reset(startExperiment(), p);
    p.tiles[0].options = {{"local_mass", 0.7}, {"min_len", 12.0}};
    store.setPresentation(p);
    const Presentation read =
        readPresentation(presentationText(store.presentation()), startPresentation()).presentation;
    EXPECT_EQ(read.tiles[0].options, p.tiles[0].options) << id;
    ASSERT_TRUE(store.canUndo()) << id;
    store.undo();
    EXPECT_TRUE(store.presentation().tiles[0].options.empty()) << id;
  }
}

TEST(HeadOptions, ThresholdsReachTheMeasureAndMoveTheKind) {
  const HeadTable usual = tableOf(answered("heads"), {});
  const HeadTable moved = tableOf(answered("heads", {{"min_len", 97.0}}), {});
  EXPECT_NE(usual.kind(usual.lines.front()), heads::Kind::undetermined);
  EXPECT_EQ(moved.kind(moved.lines.front()), heads::Kind::undetermined);
  for (const char* id : {"heads", "head_maps", "head_kinds"}) {
    const ViewKind& kind = *findView(id);
    int shown_at_once = 0;
    for (const ParamSpec& spec : heads::thresholdTable().specs()) {
      ASSERT_NE(findParam(kind.options, spec.key), nullptr) << id << ' ' << spec.key;
      shown_at_once += isRelevant(*findParam(kind.options, spec.key), kind.options, {}) ? 1 : 0;
    }
    EXPECT_EQ(shown_at_once, 3) << "the local ones";
  }
}

TEST(HeadMaps, EachMapIsNamedFramedAndChosen) {
  const auto view = shown<MapView>(answered("head_maps"));
  const MapScene& scene = view->scene();
  ASSERT_EQ(scene.panels.size(), static_cast<std::size_t>(head_count));
  EXPECT_EQ(scene.panels[0].caption, QStringLiteral("0 · local"));
  EXPECT_EQ(scene.panels[0].kind, heads::Kind::local);
  EXPECT_TRUE(scene.panels[0].sentence.contains(QStringLiteral("at least")));
  EXPECT_TRUE(scene.panels[0].outlined);
  EXPECT_FALSE(scene.panels[1].outlined);
  EXPECT_TRUE(std::ranges::is_sorted(scene.kinds));
  EXPECT_FALSE(view->places().key.isEmpty());
  const QImage image = view->grab().toImage();
  const QRectF& plot = view->places().panels[0].plot;
  const QPoint frame(qRound((plot.left() - 2) * image.devicePixelRatio()),
                     qRound(plot.center().y() * image.devicePixelRatio()));
  EXPECT_EQ(image.pixelColor(frame), kindColour(heads::Kind::local, scene.style));
  QSignalSpy spy(view.get(), &View::headChosen);
  QTest::mouseClick(view.get(), Qt::LeftButton, Qt::NoModifier, view->places().panels[5].plot.center().toPoint());
  ASSERT_EQ(spy.count(), 1);
  EXPECT_EQ(spy.last().at(0).toInt(), 5);
}

TEST(HeadKinds, SegmentsAddUpAndTellTheirHeads) {
  const auto view = shown<KindBarsView>(answered("head_kinds"));
  const KindBars& bars = view->bars();
  ASSERT_EQ(bars.bars.size(), 2U);
  for (const KindBar& bar : bars.bars) EXPECT_EQ(bar.total(), head_count);
  const KindBarsLayout layout = view->places();
  ASSERT_EQ(layout.segments.size(), 2U);
  EXPECT_GT(layout.segments[0].size(), 1U) << "slopes of ALiBi make several kinds";
  double width = 0;
  for (std::size_t s = 0; s < layout.segments[0].size(); ++s) {
    EXPECT_NEAR(layout.segments[0][s].width() / bars.bars[0].segments[s].heads,
                layout.segments[1][0].width() / bars.bars[1].segments[0].heads, 1e-6);
    width += layout.segments[0][s].width();
  }
  EXPECT_NEAR(width, layout.segments[1].back().right() - layout.segments[1].front().left(), 1e-6);
  // Sent as it is: a pointer that rests there already would not be moved by the window system.
  const QPointF place = layout.segments[0][0].center();
  QMouseEvent move(QEvent::MouseMove, place, view->mapToGlobal(place), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
  QApplication::sendEvent(view.get(), &move);
  EXPECT_EQ(view->cursor(), (KindPlace{0, 0}));
  EXPECT_TRUE(view->accessibleDescription().contains(QStringLiteral("of 8 heads: 0, 1")))
      << view->accessibleDescription().toStdString();
  QTest::keyClick(view.get(), Qt::Key_Down);
  EXPECT_EQ(view->cursor(), (KindPlace{1, 0}));
}

TEST(HeadKinds, OfAllLayersCountThemAll) {
  ViewContext context = answered("head_kinds", {{"layers", std::string("all")}});
  Experiment& experiment = context.experiment;
  experiment.shape.num_layers = 3;
  const ViewKind& kind = *findView("head_kinds");
  context.result = compute({experiment, {kind.request(context.tile, context.presentation, experiment)}}, Job{}).value();
  const KindBars bars = makeKindBars(context);
  ASSERT_EQ(bars.bars.size(), 2U);
  for (const KindBar& bar : bars.bars) EXPECT_EQ(bar.total(), 3 * head_count);
  EXPECT_TRUE(segmentText(bars, {0, 0}).contains(QStringLiteral("layer 2: ")));
}

TEST(HeadTable, ShowsTheDistanceOnAGrid) {
  ViewContext context = answered("heads", {{"patch", 16.0}});
  Experiment& experiment = context.experiment;
  experiment.shape.grid_height = 8;
  experiment.shape.grid_width = 12;
  const ViewKind& kind = *findView("heads");
  context.result = compute({experiment, {kind.request(context.tile, context.presentation, experiment)}}, Job{}).value();
  const HeadTable table = tableOf(context, {});
  EXPECT_EQ(table.columns.back().key, "grid_distance");
  EXPECT_GT(table.columns.back().largest, 16) << "counted in pixels";
}

TEST(AttentionByOffset, TheChosenHeadHasABandAllHeadsHaveNone) {
  const ViewContext one = answered("attention_by_offset");
  EXPECT_EQ(makePlot(one, {}).bands.size(), 2U) << "one for each scheme";
  const ViewContext all = answered("attention_by_offset", {{"heads", std::string("all")}});
  EXPECT_TRUE(makePlot(all, {}).bands.empty());
  EXPECT_EQ(makePlot(all, {}).series.size(), 2U * head_count);
  ViewContext other = one;
  other.presentation.head = 5;
  const MeasureRequest request =
      findView("attention_by_offset")->request(other.tile, other.presentation, other.experiment);
  EXPECT_EQ(request.options.at("heads"), Value(std::vector<double>{5}));
}

TEST(ShuffleTest, BothRulesStandBesideEachOtherWithTheirNumbers) {
  ViewContext context = answered("shuffle_test");
  context.presentation.selected = 1;  // no position at all
  const auto view = shown<MapView>(context);
  const MapScene& scene = view->scene();
  ASSERT_EQ(scene.panels.size(), 2U);
  EXPECT_EQ(scene.panels[0].caption, QStringLiteral("no mask: ≤ 0"));
  EXPECT_TRUE(scene.panels[1].caption.startsWith(QStringLiteral("causal mask: ≤ ")));
  EXPECT_EQ(scene.panels[0].brief, QStringLiteral("no mask · ≤ 0")) << "where there is no room for all of it";
  EXPECT_EQ(scene.findings.size(), 3) << "which head, and a sentence for each rule";
  context.presentation.head = 3;
  const MeasureRequest request =
      findView("shuffle_test")->request(context.tile, context.presentation, context.experiment);
  EXPECT_EQ(request.options.at("head"), Value(3.0));
}

TEST(KindMarks, EveryKindHasAColourOfItsOwnAndInkThatIsReadOnIt) {
  for (const bool dark : {false, true}) {
    const Style style = makeStyle(dark, Language::english);
    for (const heads::Kind kind : heads::all_kinds)
      for (const heads::Kind other : heads::all_kinds)
        EXPECT_EQ(kind == other, kindColour(kind, style) == kindColour(other, style));
    EXPECT_EQ(inkOn(kindColour(heads::Kind::local, style)), QColor(Qt::white)) << "on the dark blue";
    EXPECT_NE(inkOn(kindColour(heads::Kind::mixed, style)), QColor(Qt::white)) << "on the light orange";
  }
  const Style style = makeStyle(false, Language::english);
  const std::vector<heads::Kind> all(heads::all_kinds.begin(), heads::all_kinds.end());
  EXPECT_GT(kindKeyHeight(all, 200, style), kindKeyHeight(all, 2000, style));
  EXPECT_EQ(kindKeyHeight({}, 200, style), 0);
}

}  // namespace
}  // namespace posiscope::ui
