// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/exporter.h"

#include "tests/ui/open_window.h"

#include <QApplication>
#include <QMenu>
#include <QPointer>
#include <QSpinBox>

namespace posiscope::ui {
namespace {

class ExportMenu : public OpenWindow {
 protected:
  ExportMenu() {
    auto* exporter = window->findChild<Exporter*>();
    exporter->openMenu(0, window->mapToGlobal(QPoint(200, 200)));
    menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    EXPECT_NE(menu, nullptr);
  }

  /// The field that has the focus; null when that is not one.
  QSpinBox* field() const { return qobject_cast<QSpinBox*>(menu->focusWidget()); }

  void press(Qt::Key key) { QTest::keyClick(menu->focusWidget() ? menu->focusWidget() : menu.data(), key); }

  /// As often as the menu has entries.
  bool comeToFields(Qt::Key key) {
    for (qsizetype n = 0; n < menu->actions().size() && !field(); ++n) press(key);
    return field() != nullptr;
  }

  QPointer<QMenu> menu;
};

TEST_F(ExportMenu, theTabKeyGoesThroughTheFieldsOfTheSize) {
  ASSERT_TRUE(comeToFields(Qt::Key_Tab));
  QStringList names;
  for (int n = 0; n < 3 && field(); ++n) {
    names.append(field()->accessibleName());
    press(Qt::Key_Tab);
  }
  EXPECT_EQ(names.join(QLatin1Char('\n')),
            QStringLiteral("Width in pixels of 1/96 inch\nHeight in pixels of 1/96 inch\n"
                           "Resolution of PNG in dots per inch"));
  EXPECT_EQ(field(), nullptr);  // and on to the first entry
  ASSERT_FALSE(menu.isNull());
  EXPECT_TRUE(menu->isVisible());
}

TEST_F(ExportMenu, goesBackThroughTheFields) {
  ASSERT_TRUE(comeToFields(Qt::Key_Down));
  press(Qt::Key_Tab);
  ASSERT_NE(field(), nullptr);
  EXPECT_EQ(field()->accessibleName(), QStringLiteral("Height in pixels of 1/96 inch"));
  press(Qt::Key_Backtab);
  ASSERT_NE(field(), nullptr);
  EXPECT_EQ(field()->accessibleName(), QStringLiteral("Width in pixels of 1/96 inch"));
  press(Qt::Key_Backtab);
  EXPECT_EQ(field(), nullptr);
}

TEST_F(ExportMenu, enterKeepsWhatWasTypedAndCloses) {
  ASSERT_TRUE(comeToFields(Qt::Key_Tab));
  field()->selectAll();
  QTest::keyClicks(field(), QStringLiteral("1234"));
  press(Qt::Key_Up);
  press(Qt::Key_Return);
  EXPECT_TRUE(menu.isNull() || !menu->isVisible());
  EXPECT_EQ(Settings().exportSize().width, 1235);
}

TEST_F(ExportMenu, escapeCloses) {
  ASSERT_TRUE(comeToFields(Qt::Key_Tab));
  press(Qt::Key_Escape);
  EXPECT_TRUE(menu.isNull() || !menu->isVisible());
}

}  // namespace
}  // namespace posiscope::ui
