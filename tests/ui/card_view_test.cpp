// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/card_view.h"
#include "synthetic.h"
#include "ui/figures/figure.h"
#include "ui/views/view_kinds.h"

#include <gtest/gtest.h>

#include <memory>
#include <QApplication>
#include <QFile>
#include <QImage>
#include <QPainter>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>

namespace posiscope::ui {
namespace {

Property line(std::string key, Property::Answer answer, double value, double tolerance) {
  Property p{key, {key + " holds", key + " 成立"}};
  p.answer = answer;
  p.word = answer == Property::Answer::yes ? Text{"yes", "是"} : Text{"no", "否"};
  p.value = value;
  p.tolerance = tolerance;
  p.sentence = {"Measured on " + key + ".", "测得 " + key + "。"};
  return p;
}

Dataset card(double value) {
  Dataset dataset;
  using enum Property::Answer;
  for (const char* key : {"offset", "symmetric", "norms"})
    dataset.properties.push_back(line(key, value <= 0.5 ? yes : no, value, 0.5));
  Property count{"parameters", {"parameters", "参数"}};
  count.word = {"4 096", "4 096"};
  count.value = 4096;
  count.unit = "multiply-adds";
  count.sentence = {"Counted.", "计数所得。"};
  dataset.properties.push_back(count);
  dataset.scope = {"measured on 64 tokens", "在 64 个词元上测得"};
  return dataset;
}

ViewContext sample(bool dark = false, Language language = Language::english) {
  return contextOf("properties", {card(0), card(1)}, dark, language);
}

QImage drawn(const ViewContext& context, QSize size = {415, 355}) {
  QImage image(size, QImage::Format_RGB32);
  image.fill(context.style.panel);
  QPainter painter(&image);
  propertiesView().draw(painter, QRectF(QPointF(), QSizeF(size)), context);
  return image;
}

std::unique_ptr<CardView> shown(const ViewContext& context) {
  std::unique_ptr<CardView> view(qobject_cast<CardView*>(propertiesView().create(nullptr)));
  view->resize(500, 420);
  view->setContext(context);
  view->show();
  EXPECT_TRUE(QTest::qWaitForWindowExposed(view.get()));
  return view;
}

TEST(CardView, survivesEverySizeThemeAndLanguage) {
  for (const bool dark : {false, true})
    for (const Language language : {Language::english, Language::chinese})
      for (const QSize size : {QSize(1, 1), QSize(30, 20), QSize(160, 120), QSize(415, 355), QSize(1200, 800)}) {
        ViewContext blank = sample(dark, language);
        blank.result = nullptr;
        const QImage image = drawn(sample(dark, language), size);
        if (size.width() >= 160) {
          EXPECT_NE(image, drawn(blank, size));
        }
      }
  EXPECT_NE(drawn(sample(false)), drawn(sample(true)));
  EXPECT_NE(drawn(sample(false, Language::english)), drawn(sample(false, Language::chinese)));
}

TEST(CardView, anAnswerWithoutRoomIsCutAtItsComma) {
  const QFontMetricsF metrics(makeStyle(false, Language::english).font(9, true));
  const QString word = QStringLiteral("yes, not touched");
  EXPECT_EQ(answerIn(metrics.horizontalAdvance(word), word, metrics), word);
  EXPECT_EQ(answerIn(metrics.horizontalAdvance(word) - 1, word, metrics), QString::fromUtf8("yes …"));
  EXPECT_EQ(answerIn(1, QString::fromUtf8("是，未触及"), metrics), QString::fromUtf8("是 …"));
  EXPECT_EQ(answerIn(1, QStringLiteral("no"), metrics), QStringLiteral("no"));
}

TEST(CardView, anotherAnswerLooksDifferent) {
  EXPECT_NE(drawn(contextOf("properties", {card(0)})), drawn(contextOf("properties", {card(1)})));
}

TEST(CardView, aYesWithAConditionHasItsOwnMark) {
  const auto marked = [](bool qualified) {
    Dataset dataset = card(0);
    dataset.properties.front().qualified = qualified;
    return drawn(contextOf("properties", {dataset}));  // the word is the same, so the mark alone tells
  };
  EXPECT_NE(marked(true), marked(false));
  Dataset no = card(1);
  no.properties.front().qualified = true;
  EXPECT_EQ(drawn(contextOf("properties", {no})), drawn(contextOf("properties", {card(1)})));
}

TEST(CardView, cellsStayInsideAndDoNotOverlap) {
  const CardScene scene = makeCardScene(sample());
  const QRectF target(0, 0, 415, 355);
  const CardLayout layout = layoutCards(scene, target);
  ASSERT_EQ(layout.questions.size(), 4U);
  ASSERT_EQ(layout.names.size(), 2U);
  for (std::size_t r = 0; r < 4; ++r)
    for (std::size_t c = 0; c < 2; ++c) {
      const QRectF cell = layout.cell({r, c});
      EXPECT_TRUE(target.contains(cell));
      EXPECT_EQ(layout.cellAt(cell.center()), (CardPlace{r, c}));
    }
  EXPECT_FALSE(layout.cell({0, 0}).intersects(layout.cell({0, 1})));
}

TEST(CardView, saysHowManyRowsFindNoRoom) {
  const CardScene scene = makeCardScene(sample());
  const CardLayout layout = layoutCards(scene, QRectF(0, 0, 200, 90));
  EXPECT_GT(layout.hidden_rows, 0U);
  EXPECT_EQ(layout.hidden_rows + layout.questions.size(), 4U);
}

TEST(CardView, theWheelAndTheKeysBringTheRowsWithoutRoom) {
  std::unique_ptr<CardView> view(qobject_cast<CardView*>(propertiesView().create(nullptr)));
  view->resize(240, 90);
  view->setContext(sample());
  const QImage top = view->grab().toImage();
  QWheelEvent wheel(QPointF(5, 60), QPointF(5, 60), QPoint(), QPoint(0, -120), Qt::NoButton, Qt::NoModifier,
                    Qt::NoScrollPhase, false);
  QApplication::sendEvent(view.get(), &wheel);
  EXPECT_NE(view->grab().toImage(), top);
  for (int press = 0; press < 6; ++press) QTest::keyClick(view.get(), Qt::Key_Down);
  EXPECT_EQ(view->cursor(), (CardPlace{3, 0}));
  EXPECT_TRUE(view->accessibleDescription().contains(QStringLiteral("Counted.")));
  for (int press = 0; press < 6; ++press) QTest::keyClick(view.get(), Qt::Key_Up);
  EXPECT_EQ(view->cursor(), (CardPlace{0, 0}));
}

TEST(CardView, scrolledCellsStandWhereTheyAreDrawn) {
  const CardScene scene = makeCardScene(sample());
  const QRectF target(0, 0, 200, 90);
  const CardLayout layout = layoutCards(scene, target, 99);
  EXPECT_EQ(layout.first_row, layout.hidden_rows) << "not beyond the last row";
  EXPECT_TRUE(layout.cell({0, 0}).isEmpty());
  EXPECT_EQ(layout.cellAt(layout.cell({3, 1}).center()), (CardPlace{3, 1}));
}

TEST(CardView, longNamesStandInTwoLinesWhereColumnsAreNarrow) {
  const CardScene scene = makeCardScene(contextOf("properties", {card(0), card(0), card(0), card(0), card(0)}));
  EXPECT_TRUE(layoutCards(scene, QRectF(0, 0, 300, 300)).tall_names);
  EXPECT_FALSE(layoutCards(scene, QRectF(0, 0, 1400, 300)).tall_names);
}

TEST(CardView, numbersComeWithTheirTolerance) {
  const Style style = makeStyle(false, Language::english);
  EXPECT_EQ(numberLine(card(0).properties[0], style), QStringLiteral("0 ≤ 0.5"));
  EXPECT_EQ(numberLine(card(1).properties[0], style), QStringLiteral("1 > 0.5"));
  Property near = card(1).properties[0];
  near.value = 1.024;
  near.tolerance = 1 + 9e-10;
  EXPECT_EQ(numberLine(near, style), QStringLiteral("1.02 > 1"));
  EXPECT_EQ(numberLine(card(1).properties[3], style), QStringLiteral("multiply-adds"));
  Property unmeasured = card(0).properties[0];
  unmeasured.value = std::nan("");
  EXPECT_TRUE(numberLine(unmeasured, style).isEmpty());
}

TEST(CardView, arrowKeysMoveFromCellToCellAndSayWhatIsThere) {
  const auto view = shown(sample());
  EXPECT_EQ(view->accessibleName(), QStringLiteral("Properties"));
  QTest::keyClick(view.get(), Qt::Key_Down);
  EXPECT_EQ(view->cursor(), (CardPlace{0, 0}));
  QTest::keyClick(view.get(), Qt::Key_Down);
  QTest::keyClick(view.get(), Qt::Key_Right);
  EXPECT_EQ(view->cursor(), (CardPlace{1, 1}));
  EXPECT_TRUE(view->accessibleDescription().contains(QStringLiteral("Measured on symmetric.")));
  EXPECT_TRUE(view->accessibleDescription().contains(QStringLiteral("1 > 0.5")));
  for (int press = 0; press < 9; ++press) QTest::keyClick(view.get(), Qt::Key_Right);
  EXPECT_EQ(view->cursor(), (CardPlace{1, 1}));
}

TEST(CardView, aFailureIsANoticeBesideTheOtherCards) {
  const ViewContext failed = withFailure(sample(), 1, {ErrorCode::bad_value, {"It cannot be.", "不行。"}});
  const CardScene scene = makeCardScene(failed);
  EXPECT_EQ(scene.cards.size(), 1U);
  ASSERT_EQ(scene.failures.size(), 1U);
  EXPECT_TRUE(scene.failures[0].contains(QStringLiteral("It cannot be.")));
}

TEST(CardView, aSchemeWithoutACardSaysWhyBesideTheOthers) {
  Dataset none;
  none.nothing = {"It has no card.", "没有性质卡。"};
  const CardScene scene = makeCardScene(contextOf("properties", {card(0), none}));
  EXPECT_EQ(scene.cards.size(), 1U);
  ASSERT_EQ(scene.failures.size(), 1U);
  EXPECT_TRUE(scene.failures[0].contains(QStringLiteral("It has no card."))) << scene.failures[0].toStdString();
  EXPECT_TRUE(scene.nothing.isEmpty());
}

TEST(CardView, numbersAreExported) {
  const QTemporaryDir folder;
  ViewContext context = sample();
  context.tile.view = "properties";
  const Expected<QStringList> written = exportNumbers(context, folder.filePath(QStringLiteral("card.csv")));
  ASSERT_TRUE(written);
  ASSERT_EQ(written->size(), 2);
  QFile file(written->front());
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  const QByteArray text = file.readAll();
  EXPECT_TRUE(text.startsWith("# scheme: ")) << "one of two files says whose numbers it holds";
  EXPECT_TRUE(text.contains("\nproperty,answer,value,unit,tolerance\noffset,yes,0,,0.5\n")) << text.toStdString();
}

TEST(CardView, aSentenceWithoutRoomLeavesASign) {
  Dataset silent = card(0);
  for (Property& p : silent.properties) p.sentence = {};
  const auto of = [](const Dataset& dataset, QSize size) { return drawn(contextOf("properties", {dataset}), size); };
  EXPECT_NE(of(card(0), {415, 170}), of(silent, {415, 170}));
}

TEST(CardView, aWordGetsSmallerBeforeItIsCut) {
  const auto worded = [](const char* word) {
    Dataset dataset = card(0);
    dataset.properties.front().word = {word, word};
    return contextOf("properties", {dataset, dataset});
  };
  const ViewContext one = worded("yes, not touched"), other = worded("yes, not touchee");
  const auto wide = [&](int pixels) {
    return QFontMetricsF(one.style.font(pixels, true)).horizontalAdvance(QStringLiteral("yes, not touched"));
  };
  int tried = 0;
  for (int width = 200; width < 500; ++width) {
    const double column = layoutCards(makeCardScene(one), QRectF(0, 0, width, 300)).names.front().width();
    const double room = column - 22;  // beside the mark
    if (room < wide(9) + 1 || room > wide(11) - 1) continue;
    ++tried;
    EXPECT_NE(drawn(one, {width, 300}), drawn(other, {width, 300})) << width;
  }
  EXPECT_GT(tried, 0);
}

}  // namespace
}  // namespace posiscope::ui
