// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// At 200 % of text a screen has few points: nothing is cut that could fold or scroll.
#include "tests/ui/open_window.h"
#include "ui/controls/flat_button.h"
#include "ui/panels/section.h"
#include "ui/window/shortcut_sheet.h"
#include "ui/window/tool_bar.h"

#include <algorithm>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>

namespace posiscope::ui {
namespace {

using NarrowWindow = OpenWindow;

TEST_F(NarrowWindow, theToolBarKeepsItsButtonsAsIcons) {
  ToolBar bar(window->commands());
  bar.resize(1024, ToolBar::height_pixels);
  bar.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&bar));
  EXPECT_FALSE(bar.openButton()->text().isEmpty());
  bar.resize(512, ToolBar::height_pixels);
  QCoreApplication::processEvents();
  EXPECT_TRUE(bar.openButton()->text().isEmpty());
  EXPECT_FALSE(bar.openButton()->toolTip().isEmpty());
  for (const FlatButton* button : bar.findChildren<FlatButton*>()) {
    const std::string name = button->accessibleName().toStdString();
    EXPECT_TRUE(button->isVisible()) << name;
    EXPECT_TRUE(bar.rect().contains(button->geometry())) << name;
    EXPECT_GE(button->width(), button->sizeHint().width()) << name;
  }
  bar.resize(1024, ToolBar::height_pixels);
  EXPECT_FALSE(bar.openButton()->text().isEmpty());
}

TEST_F(NarrowWindow, theShortcutsScrollInsideOfIt) {
  QWidget narrow;
  narrow.resize(512, 340);
  narrow.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&narrow));
  popupShortcuts(window->commands(), &narrow);
  auto* sheet = narrow.findChild<QFrame*>(QStringLiteral("popup"));
  ASSERT_NE(sheet, nullptr);
  QCoreApplication::processEvents();
  EXPECT_LE(sheet->width(), narrow.width());
  EXPECT_LE(sheet->height(), narrow.height());
  const auto* area = sheet->findChild<QScrollArea*>();
  ASSERT_NE(area, nullptr);
  EXPECT_GT(area->verticalScrollBar()->maximum(), 0);
  EXPECT_LE(area->widget()->width(), area->viewport()->width()) << "nothing is cut at the right";
  sheet->close();
}

TEST_F(NarrowWindow, aLongTitleIsElidedBeforeItsButtons) {
  Section section;
  auto* button = new FlatButton(&section);
  button->setText(QStringLiteral("reset"));
  section.header()->addWidget(button);
  section.setTitle(QStringLiteral("Shaw relative positions"));
  section.resize(160, 60);
  section.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&section));
  const auto* title = section.findChild<QLabel*>();
  ASSERT_NE(title, nullptr);
  EXPECT_TRUE(title->text().endsWith(QChar(0x2026))) << title->text().toStdString();
  EXPECT_LE(title->fontMetrics().horizontalAdvance(title->text()), title->width());
  EXPECT_EQ(title->toolTip(), QStringLiteral("Shaw relative positions"));
  EXPECT_FALSE(title->geometry().intersects(button->geometry()));
  section.resize(500, 60);
  QCoreApplication::processEvents();
  EXPECT_EQ(title->text(), QStringLiteral("SHAW RELATIVE POSITIONS"));
}

TEST_F(NarrowWindow, theShortcutsNameTheWheelAndDragging) {
  popupShortcuts(window->commands(), window.get());
  auto* sheet = window->findChild<QFrame*>(QStringLiteral("popup"));
  ASSERT_NE(sheet, nullptr);
  QStringList texts;
  for (const QLabel* label : sheet->findChildren<QLabel*>()) texts << label->text();
  EXPECT_FALSE(texts.filter(QStringLiteral("Wheel")).isEmpty());
  EXPECT_FALSE(texts.filter(QStringLiteral("Drag, ")).isEmpty());
  sheet->close();
}

TEST_F(NarrowWindow, theSwitchOfTheInspectorSaysWhyItIsOff) {
  window->resize(1024, 700);
  QCoreApplication::processEvents();
  const auto buttons = window->findChildren<FlatButton*>();
  EXPECT_TRUE(std::ranges::any_of(buttons, [](const FlatButton* button) {
    return !button->isEnabled() && button->toolTip() == QStringLiteral("The window is too narrow for the inspector");
  }));
}

}  // namespace
}  // namespace posiscope::ui
