// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/value_field.h"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QKeyEvent>
#include <QSignalSpy>
#include <QTest>

namespace posiscope::ui {
namespace {

/// Does the field keep the key for itself instead of leaving it to the window's commands?
bool claims(ValueField& field, Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::ControlModifier) {
  QKeyEvent event(QEvent::ShortcutOverride, key, modifiers);
  event.ignore();
  QCoreApplication::sendEvent(&field, &event);
  return event.isAccepted();
}

TEST(ValueField, leavesUndoToTheWindowUntilSomethingIsTyped) {
  ValueField field;
  field.showText(QStringLiteral("512"));
  EXPECT_FALSE(claims(field, Qt::Key_Z));
  EXPECT_FALSE(claims(field, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier));
  EXPECT_FALSE(claims(field, Qt::Key_E)) << "the command to export";
  QTest::keyClicks(&field, QStringLiteral("0"));
  EXPECT_TRUE(claims(field, Qt::Key_Z)) << "what is being typed is undone here";
  EXPECT_FALSE(claims(field, Qt::Key_E));
  EXPECT_TRUE(claims(field, Qt::Key_A));
}

TEST(ValueField, undoTakesBackWhatWasTypedAndThenBelongsToTheWindowAgain) {
  ValueField field;
  QSignalSpy typed(&field, &ValueField::typed);
  field.showText(QStringLiteral("512"));
  QTest::keyClicks(&field, QStringLiteral("0"));
  QTest::keyClick(&field, Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(field.text(), QStringLiteral("512"));
  EXPECT_EQ(typed.size(), 0);
  QTest::keyClicks(&field, QStringLiteral("3"));
  QTest::keyClick(&field, Qt::Key_Return);
  ASSERT_EQ(typed.size(), 1);
  EXPECT_EQ(typed.front().front().toString(), QStringLiteral("5123"));
  EXPECT_FALSE(claims(field, Qt::Key_Z)) << "a value that was taken is a step of the window's history";
}

TEST(ValueField, escapeBringsBackTheShownValueAndNewValuesDoNotDisturbTyping) {
  ValueField field;
  field.showText(QStringLiteral("512"));
  QTest::keyClicks(&field, QStringLiteral("9"));
  field.showText(QStringLiteral("600"));
  EXPECT_EQ(field.text(), QStringLiteral("5129"));
  QTest::keyClick(&field, Qt::Key_Escape);
  EXPECT_EQ(field.text(), QStringLiteral("600"));
  EXPECT_FALSE(claims(field, Qt::Key_Z));
}

TEST(ValueField, showsTheFirstDigitsOfALongFractionAndAllOfThemAsATip) {
  ValueField field;
  field.setFixedSize(84, 24);
  field.show();
  QSignalSpy typed(&field, &ValueField::typed);
  const QString exact = QStringLiteral("0.3333333333333333");
  field.showText(exact);
  EXPECT_EQ(field.cursorPosition(), 0);
  EXPECT_EQ(field.toolTip(), exact);
  EXPECT_EQ(field.text(), exact) << "nothing is cut off the number itself";
  QTest::keyClick(&field, Qt::Key_Return);
  EXPECT_EQ(typed.size(), 0) << "nothing was typed";
  field.showText(QStringLiteral("0.5"));
  EXPECT_TRUE(field.toolTip().isEmpty()) << "the row's own is shown";
}

}  // namespace
}  // namespace posiscope::ui
