// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/text_area.h"
#include "ui/panels/param_form.h"
#include "ui/panels/param_row.h"
#include "ui/panels/scheme_panel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QTextBlock>
#include <QTextLayout>

namespace posiscope::ui {
namespace {

/// The panel of a scheme whose formula is typed.
class FormulaRow : public ::testing::Test {
 protected:
  FormulaRow() {
    Experiment experiment = store_.experiment();
    SchemeChoice choice;
    choice.id = "own";
    experiment.schemes = {choice};
    store_.setExperiment(experiment);
    panel_.resize(280, 700);
    panel_.show();
    area_ = panel_.findChild<TextArea*>();
  }
  std::string formula() const {
    const ParamValues& values = store_.experiment().schemes.front().values;
    const auto found = values.find("formula");
    return found == values.end() ? std::string() : std::get<std::string>(found->second);
  }
  /// The sentence below the row; empty while nothing is wrong.
  QString problem() const {
    for (const QLabel* label : panel_.findChildren<QLabel*>())
      if (label->property("role") == QStringLiteral("error") && label->isVisible()) return label->text();
    return {};
  }

  Store store_;
  SchemePanel panel_{store_};
  TextArea* area_ = nullptr;
};

TEST_F(FormulaRow, IsFollowedAtAPauseWithoutEnter) {
  ASSERT_NE(area_, nullptr);
  QTest::keyClicks(area_, QStringLiteral("sin(pos)"));
  EXPECT_EQ(formula(), "") << "not before the pause";
  EXPECT_TRUE(QTest::qWaitFor([this] { return formula() == "sin(pos)"; }, 3000));
  store_.undo();
  EXPECT_EQ(formula(), "");
  EXPECT_EQ(area_->toPlainText(), QString());
}

TEST_F(FormulaRow, ABadFormulaIsASentenceAndTheTextStaysToBeMended) {
  ASSERT_NE(area_, nullptr);
  QTest::keyClicks(area_, QStringLiteral("sin(pos"));
  QTest::keyClick(area_, Qt::Key_Return);
  EXPECT_EQ(formula(), "");
  EXPECT_TRUE(problem().contains(QStringLiteral("column"))) << problem().toStdString();
  EXPECT_EQ(area_->toPlainText(), QStringLiteral("sin(pos"));
  QTest::keyClicks(area_, QStringLiteral(")"));
  QTest::keyClick(area_, Qt::Key_Return);
  EXPECT_EQ(formula(), "sin(pos)");
  EXPECT_EQ(problem(), QString());
}

TEST_F(FormulaRow, ARefusedFormulaGoesWithTheKindItWasMeantFor) {
  ASSERT_NE(area_, nullptr);
  QTest::keyClicks(area_, QStringLiteral("sin(pos"));
  QTest::keyClick(area_, Qt::Key_Return);
  ASSERT_NE(problem(), QString());
  const auto choose = [this](const std::string& key, const Value& value) {
    Experiment next = store_.experiment();
    next.schemes.front().values[key] = value;
    store_.setExperiment(next);
  };
  choose("a", 2.0);
  EXPECT_EQ(area_->toPlainText(), QStringLiteral("sin(pos")) << "another number: it is still to be mended";
  choose("kind", std::string("bias"));
  EXPECT_EQ(area_->toPlainText(), QString());
  EXPECT_EQ(problem(), QString());
}

TEST_F(FormulaRow, ARefusedFormulaIsTriedUnderTheKindThatIsChosen) {
  ASSERT_NE(area_, nullptr);
  const QString typed = QStringLiteral("-abs(offset)*(head+1)");
  QTest::keyClicks(area_, typed);
  QTest::keyClick(area_, Qt::Key_Return);
  EXPECT_EQ(formula(), "") << "a table has no offsets";
  ASSERT_NE(problem(), QString());
  const auto choose = [this](const char* kind) {
    emit panel_.findChild<ParamForm*>()->changed("kind", std::string(kind));
  };
  choose("frequency");
  EXPECT_EQ(area_->toPlainText(), typed) << "still to be mended";
  EXPECT_NE(problem(), QString());
  choose("bias");
  EXPECT_EQ(area_->toPlainText(), typed);
  EXPECT_EQ(formula(), typed.toStdString());
  EXPECT_EQ(problem(), QString());
}

TEST_F(FormulaRow, TheExampleCanBeTakenOverAndChanged) {
  ASSERT_NE(area_, nullptr);
  EXPECT_EQ(area_->placeholderText(), area_->example());
  EXPECT_TRUE(area_->example().contains(QStringLiteral("sin")));
  QTest::mouseDClick(area_->viewport(), Qt::LeftButton);
  EXPECT_EQ(area_->toPlainText(), area_->example());
  EXPECT_EQ(formula(), area_->example().toStdString());
  store_.undo();
  EXPECT_EQ(formula(), "");
}

TEST_F(FormulaRow, EveryNameOfTheFormulaHasASlider) {
  const auto isShown = [this](const std::string& key) {
    const ParamRow* row = panel_.findChild<ParamForm*>()->row(key);
    return row && row->isVisible();
  };
  EXPECT_TRUE(isShown("a")) << "of the example";
  EXPECT_FALSE(isShown("omega"));
  QTest::keyClicks(area_, QStringLiteral("omega*pos"));
  QTest::keyClick(area_, Qt::Key_Return);
  EXPECT_FALSE(isShown("a"));
  EXPECT_TRUE(isShown("omega"));
  const ParamRow* typed_in = panel_.findChild<ParamForm*>()->row("formula");
  QTest::keyClicks(area_, QStringLiteral("+tau_1"));
  QTest::keyClick(area_, Qt::Key_Return);
  EXPECT_EQ(panel_.findChild<ParamForm*>()->row("formula"), typed_in) << "it stays while others come";
  EXPECT_EQ(formula(), "omega*pos+tau_1");
  EXPECT_TRUE(isShown("tau_1"));
}

TEST_F(FormulaRow, ANumberIsSetResetAndUndoneLikeAnyOther) {
  QTest::keyClicks(area_, QStringLiteral("omega*pos"));
  QTest::keyClick(area_, Qt::Key_Return);
  const auto omega = [this] { return store_.experiment().schemes.front().values.contains("omega"); };
  ParamForm* form = panel_.findChild<ParamForm*>();
  emit form->row("omega")->changed("omega", 2.5);
  emit form->row("omega")->finished();
  EXPECT_EQ(store_.experiment().schemes.front().values.at("omega"), Value(2.5));
  emit form->row("omega")->resetWanted("omega");
  EXPECT_FALSE(omega());
  store_.undo();
  EXPECT_EQ(store_.experiment().schemes.front().values.at("omega"), Value(2.5));
  store_.undo();
  EXPECT_FALSE(omega());
  EXPECT_EQ(formula(), "omega*pos");
  emit form->row("omega")->changed("omega", 1.0);
  EXPECT_FALSE(omega()) << "1 is what it is anyway";
}

TEST_F(FormulaRow, EscapeBringsTheStatesTextBack) {
  ASSERT_NE(area_, nullptr);
  QTest::keyClicks(area_, QStringLiteral("cos(pos)"));
  QTest::keyClick(area_, Qt::Key_Return);
  QTest::keyClicks(area_, QStringLiteral(" + 1"));
  QTest::keyClick(area_, Qt::Key_Escape);
  EXPECT_EQ(area_->toPlainText(), QStringLiteral("cos(pos)"));
  QTest::qWait(500);
  EXPECT_EQ(formula(), "cos(pos)");
}

TEST_F(FormulaRow, GrowsWithItsLines) {
  ASSERT_NE(area_, nullptr);
  const int before = area_->sizeHint().height();
  area_->showText(
      QStringLiteral("b*sin(pos*10^(-a*2*floor(i/2)/d) + mod(i,2)*pi/2) + 0*cos(pos*10^(-a*2*floor(i/2)/d)) + "
                     "0*sin(pos*10^(-a*2*floor(i/2)/d))"));
  EXPECT_GT(area_->sizeHint().height(), before);
}

TEST(TextArea, BreaksBetweenWords) {
  TextArea area;
  area.resize(200, 80);
  area.show();
  const QString text = QStringLiteral("the cat sat on the mat because the cat was tired");
  area.showText(text);
  const QTextLayout* lines = area.document()->firstBlock().layout();
  ASSERT_GT(lines->lineCount(), 1);
  for (int line = 1; line < lines->lineCount(); ++line)
    EXPECT_EQ(text[lines->lineAt(line).textStart() - 1], QLatin1Char(' ')) << line;
}

}  // namespace
}  // namespace posiscope::ui
