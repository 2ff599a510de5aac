// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// At 200 % of text a screen has few points: nothing is cut that could fold or scroll.
#include "tests/ui/open_window.h"
#include "ui/controls/flat_button.h"
#include "ui/window/shortcut_sheet.h"
#include "ui/window/tool_bar.h"

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

}  // namespace
}  // namespace posiscope::ui
