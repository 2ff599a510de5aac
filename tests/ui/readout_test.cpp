// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/readout.h"

#include "core/measures/list.h"
#include "tests/ui/open_window.h"
#include "ui/panels/inspector.h"
#include "ui/tiles/tile.h"
#include "ui/tiles/tile_grid.h"
#include "ui/views/list.h"

#include <algorithm>
#include <cmath>
#include <QLabel>
#include <QTextDocument>
#include <QTextLayout>

namespace posiscope::ui {
namespace {

std::shared_ptr<const Result> answersOf(const MeasureRequest& measure, const Experiment& experiment) {
  const auto result = compute({experiment, {measure}}, Job{});
  EXPECT_TRUE(result) << (result ? "" : result.error().message.en);
  return result ? *result : nullptr;
}

Experiment ropeAndAlibi() {
  Experiment e;
  e.shape.seq_len = 48;
  e.shape.head_dim = 16;
  e.schemes = {{"rope", {}, "", 0, true}, {"alibi", {}, "", 1, true}};
  return e;
}

TEST(Readout, theTermIsOfTheMapWithTheHoveredValue) {
  const auto result = answersOf({"position_table", {}}, ropeAndAlibi());
  Hover hover;
  hover.i = 30;
  hover.pair = 4;
  hover.scheme = 0;
  hover.value = static_cast<float>(std::cos(0.3));
  const Style style = makeStyle(false, Language::english);
  PointerReadout readout = readPointer(*result, 0, hover, style);
  EXPECT_EQ(readout.term, QStringLiteral("cos(30 · θ₄), θ₄ = 0.01"));
  EXPECT_EQ(readout.place.back().name, QStringLiteral("cos of the angle"));
  hover.value = static_cast<float>(std::sin(0.3));
  readout = readPointer(*result, 0, hover, style);
  EXPECT_EQ(readout.term, QStringLiteral("sin(30 · θ₄), θ₄ = 0.01"));
  EXPECT_EQ(readout.place.back().name, QStringLiteral("sin of the angle"));
  EXPECT_TRUE(readoutLine(readout).contains(readout.term));
}

TEST(Readout, aMultipleOfTheCosineIsNotCalledOne) {
  Experiment e = ropeAndAlibi();
  e.schemes[1] = {"rope", {{"scaling", std::string("yarn")}, {"factor", 8.0}}, "yarn", 1, true};
  const auto result = answersOf({"position_table", {}}, e);
  Hover hover;
  hover.i = 0;
  hover.pair = 4;
  hover.scheme = 0;
  hover.value = 1;
  const PointerReadout readout = readPointer(*result, 0, hover, makeStyle(false, Language::english));
  ASSERT_EQ(readout.schemes.size(), 2U);
  EXPECT_EQ(readout.schemes[0].name, QStringLiteral("RoPE"));
  EXPECT_EQ(readout.schemes[1].name, QStringLiteral("yarn · cos of the angle × attention factor"));
}

TEST(Readout, theTermIsOfTheSchemeUnderThePointer) {
  const auto result = answersOf({"relative_decay", {}}, ropeAndAlibi());
  Hover hover;
  hover.offset = 5;
  hover.scheme = 1;
  hover.value = -2.5;  // the first of eight heads has the slope 1/2
  const PointerReadout readout = readPointer(*result, 0, hover, makeStyle(false, Language::chinese));
  EXPECT_EQ(readout.term, QStringLiteral("−0.5 · |5|"));
  EXPECT_EQ(readout.schemes.size(), 2U);
}

TEST(Readout, aPlaceWithoutANumberHasNoTerm) {
  const auto result = answersOf({"position_table", {}}, ropeAndAlibi());
  Hover hover;
  hover.i = 30;
  EXPECT_TRUE(readPointer(*result, 0, hover, makeStyle(false, Language::english)).term.isEmpty());
}

class InspectorTerm : public OpenWindow {
 protected:
  /// The label of the term while the pointer is on a cell of the attention, whose terms are the longest.
  QLabel* labelAt(double i, double j, Language language) {
    Presentation p = window->store().presentation();
    p.language = language;
    p.tile_count = 1;
    p.tiles[0] = {"attention_weights", {}, {}};
    window->store().setPresentation(p);
    EXPECT_TRUE(settled());
    const Dataset& alibi = **window->service().result()->answers[0].back().dataset;
    Hover hover;
    hover.i = i;
    hover.j = j;
    hover.head = 0;
    hover.scheme = 3;
    hover.value = alibi.maps[0].field->at(static_cast<std::int64_t>(i), static_cast<std::int64_t>(j));
    hover.view = "attention_weights";
    window->store().setHover(hover);
    QTest::qWait(20);
    for (QLabel* label : window->findChildren<QLabel*>())
      if (label->text().startsWith(QStringLiteral("softmax"))) return label;
    return nullptr;
  }
};

TEST_F(InspectorTerm, isWholeInTheNarrowPanelAndCanBeCopied) {
  for (const Language language : {Language::english, Language::chinese}) {
    const QLabel* label = labelAt(50, 3, language);
    ASSERT_NE(label, nullptr);
    EXPECT_TRUE(label->text().contains(QStringLiteral("|47|"))) << label->text().toStdString();
    EXPECT_TRUE(label->isVisible());
    EXPECT_TRUE(label->textInteractionFlags() & Qt::TextSelectableByMouse);
    EXPECT_EQ(label->font().families().front(), QStringLiteral("DejaVu Serif"));
    EXPECT_GE(label->height(), label->heightForWidth(label->width()));
    for (const QString& word : label->text().split(QLatin1Char(' ')))
      EXPECT_LE(label->fontMetrics().horizontalAdvance(word), label->width()) << word.toStdString();
    EXPECT_LE(label->mapTo(window.get(), QPoint(label->width(), 0)).x(), window->width());
  }
  Presentation p = window->store().presentation();
  p.language = Language::english;
  window->store().setPresentation(p);
}

TEST_F(InspectorTerm, aReadingThatIsKeptIsNotSaidToBeUnderThePointer) {
  const auto titled = [this](const QString& title) {
    const auto labels = window->findChildren<QLabel*>();
    return std::ranges::any_of(labels, [&](const QLabel* label) { return label->text() == title; });
  };
  EXPECT_TRUE(titled(QStringLiteral("UNDER THE POINTER")));
  ASSERT_NE(labelAt(50, 3, Language::english), nullptr);
  EXPECT_TRUE(titled(QStringLiteral("UNDER THE POINTER")));
  window->store().setHover({});
  EXPECT_TRUE(titled(QStringLiteral("LAST UNDER THE POINTER")));
}

TEST_F(InspectorTerm, numbersInTheVerdictAreNotBroken) {
  ASSERT_TRUE(settled());
  const QString number = QStringLiteral("131\u202f072");
  Experiment e = window->store().experiment();
  e.shape.seq_len = 131072;
  window->store().setExperiment(e);
  ASSERT_TRUE(settled());
  int found = 0;
  for (const QLabel* label : window->findChildren<QLabel*>()) {
    if (!label->isVisible() || !label->wordWrap() || !label->text().contains(number)) continue;
    QTextDocument text;
    text.setHtml(label->text());
    // HTML would have made an ordinary space of the thin one.
    if (!text.toPlainText().contains(number)) ADD_FAILURE() << text.toPlainText().toStdString();
    ++found;
  }
  EXPECT_GT(found, 0);
}

TEST_F(InspectorTerm, theTextsAreAboutTheTileThatTheKeysAreIn) {
  Presentation p = window->store().presentation();
  p.tile_count = 2;
  p.tiles[0] = {"waves", {}, {}};
  p.tiles[1] = {"attention_weights", {}, {}};
  window->store().setPresentation(p);
  ASSERT_TRUE(settled());
  const auto told = [this](const char* view) {
    const std::string& words = measures::find(findView(view)->measure)->how_to_read.en;
    const QString start = QString::fromStdString(words).left(30).toHtmlEscaped();
    const auto labels = window->findChildren<QLabel*>();
    return std::ranges::any_of(labels, [&](const QLabel* label) { return label->text().contains(start); });
  };
  const auto* grid = window->findChild<TileGrid*>();
  ASSERT_NE(grid, nullptr);
  for (const int index : {0, 1, 0}) {
    grid->tile(index)->view()->setFocus(Qt::TabFocusReason);
    EXPECT_TRUE(told(index == 0 ? "waves" : "attention_weights")) << index;
  }
}

}  // namespace
}  // namespace posiscope::ui
