// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/view_kinds.h"

#include "tests/ui/curve_pictures.h"
#include "tests/ui/synthetic.h"
#include "ui/charts/legend.h"
#include "ui/charts/plot.h"
#include "ui/charts/plot_layout.h"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <QBuffer>
#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QRegularExpression>
#include <QSvgGenerator>
#include <utility>
#include <vector>

namespace posiscope::ui {
namespace {

std::vector<ViewKind> curveViews() { return {relativeDecayView(), normRatioView(), spectrumView(), wavesView()}; }

TEST(CurveViews, drawInEverySizeThemeAndLanguage) {
  for (const ViewKind& kind : curveViews())
    for (const bool dark : {false, true})
      for (const Language language : {Language::english, Language::chinese}) {
        ViewContext context = contextOf(kind.id, {waving(300, 0.1, 0.7), waving(300, 0.2)}, dark, language);
        for (const QSize& size :
             {QSize(1, 1), QSize(30, 20), QSize(100, 60), QSize(160, 120), QSize(360, 260), QSize(900, 600)})
          EXPECT_NE(drawnCurves(kind, context, size).pixelColor(0, 0), QColor(Qt::magenta)) << kind.id << size.width();
        EXPECT_GT(countOf(drawnCurves(kind, context), schemeColour(0)), 50) << kind.id;
        EXPECT_GT(countOf(drawnCurves(kind, context), schemeColour(1)), 50) << kind.id;
      }
}

TEST(CurveViews, sayWhyThereIsNothing) {
  for (const ViewKind& kind : curveViews()) {
    ViewContext none;
    none.experiment.schemes.emplace_back();
    none.style = makeStyle(false, Language::english);
    const QImage computing = drawnCurves(kind, none);
    EXPECT_LT(countOf(computing, none.style.panel), 480 * 320) << kind.id;
    EXPECT_EQ(makePlot(none, {}).centred, QStringLiteral("Computing…"));
    none.stopped = true;
    EXPECT_NE(drawnCurves(kind, none), computing) << kind.id;
    Dataset empty;
    empty.nothing = {"NoPE has no curves.", "NoPE 没有曲线。"};
    const QImage said = drawnCurves(kind, contextOf(kind.id, {empty}));
    EXPECT_LT(countOf(said, none.style.panel), 480 * 320) << kind.id;
    EXPECT_GT(countOf(said, none.style.panel), 400 * 300) << kind.id;
  }
}

TEST(CurveViews, oneFailureLeavesTheOthersDrawn) {
  const Error error{ErrorCode::out_of_range,
                    {"rope: base must be 1 to 1e9, got 0", "rope：base 必须在 1 到 1e9 之间，得到 0"}};
  const QImage image = drawnCurves(relativeDecayView(), withFailure(decayContext(), 1, error));
  EXPECT_GT(countOf(image, schemeColour(0)), 100);
  EXPECT_GT(countOf(image, schemeColour(2)), 100);
  const Plot plot = makePlot(withFailure(decayContext(), 1, error), {});
  ASSERT_EQ(plot.notices.size(), 1U);
  EXPECT_TRUE(plot.notices.front().text.contains("base must be 1 to 1e9, got 0"));
}

TEST(CurveViews, aNonPositiveValueOnALogarithmicAxisHidesOnlyItself) {
  Dataset data = waving(128, 0, 0.4);
  data.curves.front().y[40] = 0;
  data.curves.front().y[41] = -1;
  EXPECT_GT(countOf(drawnCurves(normRatioView(), contextOf("norm_ratio", {data})), schemeColour(0)), 200);
}

TEST(CurveViews, pinnedCurvesStandFaintBehind) {
  ViewContext context = decayContext();
  const QImage before = drawnCurves(relativeDecayView(), context);
  context.pinned = answeredBefore(contextOf("relative_decay", {waving(128, 0.045)}));
  EXPECT_NE(drawnCurves(relativeDecayView(), context), before);
  const Plot plot = makePlot(context, {});
  ASSERT_EQ(plot.series.size(), 4U);
  EXPECT_EQ(plot.series.front().group, -1);
  EXPECT_EQ(plot.groups.size(), 4U);
}

TEST(CurveViews, pinnedBiasesStandOnTheRightAxisToo) {
  Dataset bias = waving(128, 0.01, -60000);
  bias.y.name = {"bias", "偏置"};
  ViewContext context = contextOf("relative_decay", {waving(128, 0.02), bias});
  context.pinned = answeredBefore(contextOf("relative_decay", {waving(128, 0.045), bias}));
  const Plot plot = makePlot(context, {});
  EXPECT_GE(plot.y.scale.low, -10) << "a pinned bias must not flatten the scores";
  ASSERT_TRUE(plot.right.has_value());
  EXPECT_LE(plot.right->scale.low, -10000);
}

TEST(CurveViews, biasesAndScoresHaveAnAxisEach) {
  Dataset bias = waving(128, 0.01, -60000);
  bias.y.name = {"bias", "偏置"};
  const Plot plot = makePlot(contextOf("relative_decay", {waving(128, 0.02), bias}), {});
  ASSERT_TRUE(plot.right.has_value());
  EXPECT_LE(plot.y.scale.high, 2);
  EXPECT_LE(plot.right->scale.low, -10000);
  EXPECT_FALSE(plot.series[0].right);
  EXPECT_TRUE(plot.series[1].right);
}

TEST(CurveViews, aMarkOfOneSchemeHasItsColourAndOneOfAllHasNone) {
  std::vector<Dataset> datasets(2);
  for (std::size_t s = 0; s < 2; ++s) {
    datasets[s].curves.push_back({"ratio", {"ratio", "比值"}, CurveRole::line, {0, 1, 2}, {1, 0.5, 0.25}});
    const double pair = 0.5 + static_cast<double>(s);
    datasets[s].marks = {{{"bound", "界"}, true, pair, pair}, {{"trained", "训练"}, true, 1, 1}};
  }
  const Plot plot = makePlot(contextOf("frequency_ratio", std::move(datasets)), {});
  ASSERT_EQ(plot.marks.size(), 3U);
  EXPECT_EQ(plot.marks[0].colour, schemeColour(0));
  EXPECT_FALSE(plot.marks[1].colour.isValid()) << "true of both";
  EXPECT_EQ(plot.marks[2].colour, schemeColour(1));
}

TEST(CurveViews, theSpectrumIsShadedWhereItsMeasureSaysSo) {
  const auto dataset = [](double from) {
    Dataset d;
    d.curves.push_back({"wavelength", {"wavelength", "波长"}, CurveRole::line, {0, 1, 2}, {6, 60, 600}});
    if (from > 0) d.marks.push_back({{"never", "不满"}, false, from, std::numeric_limits<double>::infinity()});
    return d;
  };
  const auto drawn = [](std::vector<Dataset> datasets) {
    return drawnCurves(spectrumView(), contextOf("spectrum", std::move(datasets)));
  };
  const auto warmth = [](const QImage& image) {
    const QColor colour = image.pixelColor(2 * image.width() / 5, 60);  // above the curve
    return colour.red() - colour.blue();
  };
  EXPECT_NE(drawn({dataset(64)}), drawn({dataset(13)})) << "a grid's steps are fewer than its tokens";
  const int plain = warmth(drawn({dataset(0)}));
  EXPECT_GT(warmth(drawn({dataset(64)})), plain);
  EXPECT_GT(warmth(drawn({dataset(64), dataset(64)})), plain);
  EXPECT_EQ(warmth(drawn({dataset(64), dataset(13)})), plain) << "whose band would it be?";
}

TEST(CurveViews, aLowPlotHasTwoNumbersAtLeast) {
  const Style style = makeStyle(false, Language::english);
  const Plot plot = makePlot(contextOf("waves", {waving(64, 0.1)}), {});
  for (const double low : {-1.01, -0.98, -0.3, 0.1})
    for (const double height : {100.0, 150.0, 170.0, 200.0}) {
      const PlotLayout layout = layoutPlot(plot, plot.x.scale, {low, 1.01, false}, {500, height}, style);
      EXPECT_GE(layout.frame.y_ticks.values.size(), 2U) << low << " at " << height;
    }
}

TEST(CurveViews, theLastNumberOfTheAxisIsNotCut) {
  Dataset dataset;
  dataset.curves.push_back({"wave", {"wave", "波"}, CurveRole::line, {0, 131071}, {0, 1}});
  const Style style = makeStyle(false, Language::english);
  const Plot plot = makePlot(contextOf("waves", {std::move(dataset)}), {});
  const PlotLayout layout = layoutPlot(plot, plot.x.scale, plot.y.scale, {500, 300}, style);
  const double half = QFontMetricsF(style.font(11)).horizontalAdvance(layout.frame.x_ticks.labels.back()) / 2;
  EXPECT_LE(layout.plot.right() + half, 500);
}

TEST(CurveViews, kindsOfCurvesHaveEntriesOfTheirOwnOverAllSchemes) {
  const auto two = [](double speed) {
    Dataset data = waving(128, speed);
    data.curves.push_back(data.curves.front());
    data.curves.back().key = "same";
    data.curves.back().label = {"q = k random", "q = k 随机"};
    return data;
  };
  const Plot plot = makePlot(contextOf("relative_decay", {two(0.02), two(0.03), two(0.05)}), {});
  ASSERT_EQ(plot.groups.size(), 5U) << "three schemes and two kinds";
  EXPECT_EQ(plot.groups[3].name, "all ones");
  int of_kind = 0;
  for (const PlotSeries& series : plot.series) of_kind += series.isIn(4) ? 1 : 0;
  EXPECT_EQ(of_kind, 3);
  EXPECT_EQ(makePlot(contextOf("relative_decay", {two(0.02)}), {}).groups.size(), 2U) << "one scheme: its curves";
}

TEST(CurveViews, aSampleOfTheHeadsSaysOfHowMany) {
  ViewContext context = contextOf("bias_by_offset", {causalWeights(8, {0, 5, 11}, 0.1)});
  const auto legendOf = [&context](std::int64_t heads) {
    auto result = std::make_shared<Result>(*context.result);
    result->request.experiment.shape.num_heads = heads;
    context.result = result;
    return makePlot(context, {}).groups.at(0).name;
  };
  EXPECT_TRUE(legendOf(12).endsWith(QStringLiteral("3 of 12 heads")));
  EXPECT_TRUE(legendOf(3).endsWith(QStringLiteral("· 3 heads")));
}

TEST(CurveViews, aStaleResultIsDimmed) {
  ViewContext context = decayContext();
  const QImage fresh = drawnCurves(relativeDecayView(), context);
  context.experiment.shape.seq_len = 64;
  EXPECT_LT(countOf(drawnCurves(relativeDecayView(), context), schemeColour(0)), countOf(fresh, schemeColour(0)) / 2);
}

TEST(CurveViews, exportedLinesStayInsideThePlot) {
  ViewContext context = decayContext();
  context.tile.zoom = Zoom{20, 40, -0.2, 0.2};  // the curves leave the visible part on all sides
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setViewBox(QRect(0, 0, 480, 320));
  QPainter painter(&generator);
  relativeDecayView().draw(painter, QRectF(0, 0, 480, 320), context);
  painter.end();
  const QString text = QString::fromUtf8(buffer.data());
  ASSERT_TRUE(text.contains("<polyline"));
  static const QRegularExpression points("points=\"([^\"]*)\"");
  for (auto it = points.globalMatch(text); it.hasNext();)
    for (const QString& pair : it.next().captured(1).split(' ', Qt::SkipEmptyParts)) {
      const QStringList numbers = pair.split(',');
      ASSERT_EQ(numbers.size(), 2);
      EXPECT_GE(numbers[0].toDouble(), 0);
      EXPECT_LE(numbers[0].toDouble(), 480);
      EXPECT_GE(numbers[1].toDouble(), 0);
      EXPECT_LE(numbers[1].toDouble(), 320);
    }
}

/// Two of one kind: only a value tells them apart.
ViewContext twoBases() {
  ViewContext context = contextOf("relative_decay", {waving(64, 0.1, 9), waving(64, 0.2, 9)});
  auto result = std::make_shared<Result>(*context.result);
  std::vector<SchemeChoice>& schemes = result->request.experiment.schemes;
  for (SchemeChoice& scheme : schemes) scheme.label.clear();
  schemes[1].values["base"] = 500000.0;
  context.experiment = result->request.experiment;
  context.result = std::move(result);
  return context;
}

TEST(CurveView, theLegendTellsNamesakesApart) {
  const Plot plot = makePlot(twoBases(), {});
  ASSERT_EQ(plot.groups.size(), 2U);
  EXPECT_EQ(plot.groups[0].name, QStringLiteral("RoPE · base 10\u202f000"));
  EXPECT_EQ(plot.groups[1].name, QStringLiteral("RoPE · base 500\u202f000"));
}

TEST(CurveView, shortenedNamesInTheLegendKeepTheirNumbers) {
  for (const bool chinese : {false, true}) {
    const Style style = makeStyle(false, chinese ? Language::chinese : Language::english);
    const QString name =
        chinese ? QStringLiteral("维度 %1：维度对 %1 的 cos") : QStringLiteral("dimension %1: cos of pair %1");
    std::vector<PlotGroup> groups;
    for (const int d : {0, 32, 64, 127}) groups.push_back({name.arg(d), Qt::red, {}});
    const LegendLayout layout = layoutLegend(groups, {0, 0}, 200, 2, style);
    ASSERT_GE(layout.entries.size(), 2U);
    for (const LegendLayout::Entry& entry : layout.entries) {
      const QString& whole = groups[static_cast<std::size_t>(entry.group)].name;
      EXPECT_NE(entry.text, whole);
      EXPECT_TRUE(entry.text.contains(QStringList{"0", "32", "64", "127"}[entry.group])) << entry.text.toStdString();
    }
  }
}

}  // namespace
}  // namespace posiscope::ui
