// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Words of the content on the abscissa of curves.
#include "tests/ui/curve_pictures.h"
#include "tests/ui/synthetic.h"
#include "ui/charts/plot_layout.h"
#include "ui/paint/axes.h"
#include "ui/panels/readout.h"
#include "ui/views/view_kinds.h"

#include <gtest/gtest.h>

#include <memory>
#include <QImage>
#include <QPainter>
#include <QTextDocumentFragment>
#include <string>
#include <vector>

namespace posiscope::ui {
namespace {

/// Weights over these words, the first of which stands at position 100.
ViewContext overWords(std::vector<std::string> words, Language language = Language::english) {
  Dataset dataset;
  dataset.x.name = {"key", "键"};
  dataset.x.symbol = "j";
  dataset.x.first = 100;
  Curve curve;
  curve.key = "weights";
  for (std::size_t k = 0; k < words.size(); ++k) {
    curve.x.push_back(100 + static_cast<double>(k));
    curve.y.push_back(1.0 / static_cast<double>(k + 1));
  }
  dataset.curves.push_back(std::move(curve));
  dataset.x.names = std::make_shared<const std::vector<std::string>>(std::move(words));
  return contextOf("attention_row", {std::move(dataset)}, false, language);
}

PlotLayout layoutOf(const ViewContext& context, QSizeF size) {
  const Plot plot = makePlot(context, {});
  return layoutPlot(plot, plot.x.scale, plot.y.scale, size, context.style);
}

TEST(CurveNames, shortWordsStandBelowTheirPlaces) {
  const PlotLayout layout = layoutOf(overWords({"the", "cat", "sat", "the"}), {480, 320});
  ASSERT_EQ(layout.frame.x_ticks.values, (std::vector<double>{100, 101, 102, 103}));
  EXPECT_EQ(layout.frame.x_ticks.labels[1], QStringLiteral("cat"));
  EXPECT_NE(layout.frame.x_ticks.labels[3], layout.frame.x_ticks.labels[0]) << "Qt Charts keys them by their text";
  EXPECT_TRUE(layout.frame.x_ticks.labels[3].startsWith(QStringLiteral("the")));
  EXPECT_FALSE(layout.frame.x_upright);
}

TEST(CurveNames, manyWordsStandUprightAndTheirPlotMakesRoom) {
  const std::vector<std::string> words(24, "considerably");
  const PlotLayout layout = layoutOf(overWords(words), {480, 320});
  EXPECT_EQ(layout.frame.x_ticks.values.size(), 24U);
  EXPECT_TRUE(layout.frame.x_upright);
  ViewContext plain = overWords(words);
  Dataset unnamed = **plain.answers().front().dataset;
  unnamed.x.names = nullptr;
  EXPECT_LT(layout.plot.height() + 20, layoutOf(contextOf("attention_row", {unnamed}), {480, 320}).plot.height());
}

QImage drawnFrame(const ChartFrame::Look& look, const Style& style) {
  ChartFrame frame;
  frame.setLook(look, style);
  QImage image(look.size.toSize(), QImage::Format_RGB32);
  image.fill(Qt::white);
  QPainter painter(&image);
  frame.render(painter, {0, 0});
  return image;
}

QImage frameOver(const std::string& word, std::size_t count, QSizeF size) {
  const ViewContext context = overWords(std::vector<std::string>(count, word));
  const PlotLayout layout = layoutOf(context, size);
  EXPECT_FALSE(layout.frame.x_ticks.labels.filter(QString::fromStdString(word)).isEmpty());
  return drawnFrame(layout.frame, context.style);
}

TEST(CurveNames, closeWordsAreWrittenOut) {
  for (const std::size_t count : {14U, 20U, 28U})  // side by side, and upright
    EXPECT_NE(frameOver("16", count, {420, 320}), frameOver("61", count, {420, 320})) << count << ": dots are alike";
}

TEST(CurveNames, numbersStayWhereWordsHaveNoRoom) {
  const std::vector<std::string> words(400, "word");
  const PlotLayout layout = layoutOf(overWords(words), {480, 320});
  EXPECT_FALSE(layout.frame.x_upright);
  EXPECT_FALSE(layout.frame.x_ticks.labels.filter(QStringLiteral("1")).isEmpty());
  EXPECT_TRUE(layout.frame.x_ticks.labels.filter(QStringLiteral("word")).isEmpty());
  const PlotLayout flat = layoutOf(overWords(std::vector<std::string>(24, "considerably")), {480, 150});
  EXPECT_TRUE(flat.frame.x_ticks.labels.filter(QStringLiteral("considerably")).isEmpty()) << "curves come first";
}

TEST(CurveNames, aTokenThatLooksLikeHtmlIsWritten) {
  const ViewContext context = overWords({"the", "cat"});
  const ChartFrame::Look plain = layoutOf(context, {480, 320}).frame;
  for (const char* token : {"<s>", "<b>x</b>", "<0xBD>", "a&amp;b"}) {
    const QString text = QString::fromUtf8(token);
    const QString as_html = QTextDocumentFragment::fromHtml(text).toPlainText();
    const auto titled = [&](QString ChartFrame::Look::*title, const QString& shown) {
      ChartFrame::Look look = plain;
      look.*title = shown;
      return drawnFrame(look, context.style);
    };
    for (const auto title : {&ChartFrame::Look::x_title, &ChartFrame::Look::y_title}) {
      EXPECT_NE(titled(title, text), titled(title, as_html)) << token;
      EXPECT_NE(titled(title, text), titled(title, QString())) << token;
    }
    const auto ticked = [&](const QString& shown) {
      ChartFrame::Look look = plain;
      look.x_ticks.labels[0] = shown;
      return drawnFrame(look, context.style);
    };
    EXPECT_NE(ticked(text), ticked(as_html)) << token;
  }
}

TEST(CurveNames, anEmptyWordLeavesTheOneBeforeIt) {
  const auto before = [](const char* word) {
    const ViewContext context = overWords({"a", word, "", "c"});
    return drawnFrame(layoutOf(context, {480, 320}).frame, context.style);
  };
  EXPECT_NE(before("W"), before("i"));
}

TEST(CurveNames, theReadingNamesTheWord) {
  const ViewContext context = overWords({"the", "cat", "sat"});
  EXPECT_EQ(nameAt(makePlot(context, {}).x.axis, 102), QStringLiteral("sat"));
  EXPECT_TRUE(nameAt(makePlot(context, {}).x.axis, 103).isEmpty());
  Hover hover;
  hover.j = 101;
  hover.scheme = 0;
  const PointerReadout readout = readPointer(*context.result, 0, hover, context.style);
  bool named = false;
  for (const ReadoutRow& row : readout.place) named = named || row.value == QStringLiteral("101 · cat");
  EXPECT_TRUE(named);
}

TEST(CurveNames, areDrawn) {
  const ViewKind kind = attentionRowView();
  EXPECT_NE(drawnCurves(kind, overWords({"the", "cat", "sat"})), drawnCurves(kind, overWords({"the", "dog", "sat"})));
}

}  // namespace
}  // namespace posiscope::ui
