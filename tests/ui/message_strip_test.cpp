// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Messages leave the room to the pictures: a note is one line until it is unfolded, a problem is always whole.
#include "ui/window/message_strip.h"

#include "ui/controls/flat_button.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QEvent>
#include <QTest>
#include <algorithm>

namespace posiscope::ui {
namespace {

constexpr int one_line = 30;

class Messages : public ::testing::Test {
 protected:
  Messages() {
    strip.setFixedWidth(500);
    for (int line = 0; line < 6; ++line) many_lines += QStringLiteral("Line %1 of what a model said.\n").arg(line);
  }
  Message* last() { return static_cast<Message*>(strip.children().last()); }
  int height() {
    QApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    strip.adjustSize();
    return strip.height();
  }

  MessageStrip strip;
  QString many_lines;
};

TEST_F(Messages, aLongNoteTakesOneLineUntilItIsUnfolded) {
  strip.show(MessageKind::note, many_lines);
  EXPECT_LE(height(), one_line);
  ASSERT_TRUE(last()->foldButton()->isVisible());
  EXPECT_TRUE(last()->shownText().startsWith(QStringLiteral("Line 0 of what a model said. Line 1")));
  EXPECT_TRUE(last()->shownText().endsWith(QStringLiteral("…")));
  EXPECT_EQ(strip.sentences(), QStringList{many_lines});
  QTest::mouseClick(last()->foldButton(), Qt::LeftButton);
  EXPECT_GT(height(), 3 * one_line);
  EXPECT_EQ(last()->shownText(), many_lines);
  QTest::mouseClick(last()->foldButton(), Qt::LeftButton);
  EXPECT_LE(height(), one_line);
}

TEST_F(Messages, aShortOneHasNothingToUnfold) {
  strip.show(MessageKind::note, QStringLiteral("gpt2 opened."));
  EXPECT_LE(height(), one_line);
  EXPECT_FALSE(last()->foldButton()->isVisible());
  EXPECT_EQ(last()->shownText(), QStringLiteral("gpt2 opened."));
}

TEST_F(Messages, aProblemIsShownWhole) {
  strip.show(MessageKind::problem, many_lines);
  EXPECT_GT(height(), 3 * one_line);
  EXPECT_FALSE(last()->foldButton()->isVisible());
  EXPECT_EQ(last()->shownText(), many_lines);
}

TEST_F(Messages, areSaidAnewInAnotherLanguage) {
  QString word = QStringLiteral("saved");
  const auto say = [&word] { return word; };
  strip.showNewest(QStringLiteral("topic"), MessageKind::note, say, say, [] {});
  strip.show(MessageKind::note, QStringLiteral("gpt2"));
  word = QStringLiteral("已保存");
  QEvent changed(QEvent::LanguageChange);
  QApplication::sendEvent(&strip, &changed);
  EXPECT_EQ(strip.sentences(), (QStringList{word, QStringLiteral("gpt2")}));
  const QList<FlatButton*> buttons = strip.findChildren<FlatButton*>();
  EXPECT_TRUE(std::ranges::any_of(buttons, [&](const FlatButton* button) { return button->text() == word; }));
}

}  // namespace
}  // namespace posiscope::ui
