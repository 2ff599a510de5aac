// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/open_window.h"

#include "ui/controls/value_field.h"
#include "ui/controls/value_slider.h"
#include "ui/tiles/tile_grid.h"
#include "ui/views/view.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QSet>

namespace posiscope::ui {
namespace {

using Keyboard = OpenWindow;

/// Everything that a pointer can change.
QList<QWidget*> controlsOf(const QWidget& window) {
  QList<QWidget*> controls;
  for (QWidget* widget : window.findChildren<QWidget*>()) {
    const bool interactive = qobject_cast<QAbstractButton*>(widget) || qobject_cast<QLineEdit*>(widget) ||
                             qobject_cast<QComboBox*>(widget) || qobject_cast<QAbstractItemView*>(widget) ||
                             qobject_cast<ValueSlider*>(widget) || qobject_cast<View*>(widget);
    if (interactive && widget->isVisibleTo(&window) && widget->isEnabled()) controls.append(widget);
  }
  return controls;
}

std::string nameOf(const QWidget* widget) {
  return std::string(widget->metaObject()->className()) + " '" + widget->accessibleName().toStdString() + "'";
}

TEST_F(Keyboard, theTabKeyComesToEveryControl) {
  ASSERT_TRUE(settled());
  const QList<QWidget*> controls = controlsOf(*window);
  EXPECT_GT(controls.size(), 40);
  QSet<QWidget*> reached;
  for (qsizetype press = 0; press < 3 * controls.size(); ++press) {
    QWidget* at = QApplication::focusWidget();
    QTest::keyClick(at ? at : window.get(), Qt::Key_Tab);
    reached.insert(QApplication::focusWidget());
  }
  for (QWidget* control : controls) EXPECT_TRUE(reached.contains(control)) << nameOf(control);
}

TEST_F(Keyboard, theFocusIsScrolledIntoSight) {
  ASSERT_TRUE(settled());
  window->resize(1024, 700);
  QTest::qWait(20);
  QSet<QWidget*> seen;
  const qsizetype presses = controlsOf(*window).size() + 10;
  for (qsizetype press = 0; press < presses; ++press) {
    QWidget* before = QApplication::focusWidget();
    QTest::keyClick(before ? before : window.get(), Qt::Key_Tab);
    QTest::qWait(1);
    QWidget* at = QApplication::focusWidget();
    ASSERT_NE(at, nullptr);
    if (seen.contains(at)) continue;
    seen.insert(at);
    EXPECT_FALSE(at->visibleRegion().isEmpty()) << nameOf(at);
  }
  EXPECT_GT(seen.size(), 40);
}

TEST_F(Keyboard, theSpaceBarPressesTheButtonThatHasTheFocus) {
  const int before = window->store().presentation().tile_count;
  for (QWidget* control : controlsOf(*window))
    if (auto* button = qobject_cast<QAbstractButton*>(control);
        button && button->accessibleName() == QStringLiteral("One tile")) {
      button->setFocus(Qt::TabFocusReason);
      QTest::keyClick(button, Qt::Key_Space);
    }
  EXPECT_EQ(before, 4);
  EXPECT_EQ(window->store().presentation().tile_count, 1);
}

class Escape : public Keyboard {
 protected:
  /// Another question, which is being computed.
  void ask() {
    Experiment e = window->store().experiment();
    e.shape.seq_len += 16;
    window->store().setExperiment(e);
    ASSERT_TRUE(window->service().busy());
  }
};

TEST_F(Escape, stopsTheComputation) {
  ASSERT_TRUE(settled());
  ask();
  QTest::keyClick(window.get(), Qt::Key_Escape);
  EXPECT_FALSE(window->service().busy());
  EXPECT_TRUE(window->grid().context(0).stopped);
}

TEST_F(Escape, closesWhatIsMaximisedFirst) {
  ASSERT_TRUE(settled());
  Presentation p = window->store().presentation();
  p.maximised = 1;
  window->store().setPresentation(p);
  ASSERT_TRUE(settled());
  ask();
  QTest::keyClick(window.get(), Qt::Key_Escape);
  EXPECT_EQ(window->store().presentation().maximised, -1);
  EXPECT_TRUE(window->service().busy());
}

TEST_F(Escape, givesUpWhatIsTypedFirst) {
  ASSERT_TRUE(settled());
  auto* field = window->findChild<ValueField*>();
  ASSERT_NE(field, nullptr);
  field->setFocus();
  ask();
  field->setText(QStringLiteral("7"));
  QTest::keyClick(field, Qt::Key_Escape);
  EXPECT_TRUE(window->service().busy()) << "the key was the field's";
  EXPECT_NE(field->text(), QStringLiteral("7"));
  QTest::keyClick(field, Qt::Key_Escape);
  EXPECT_FALSE(window->service().busy());
}

}  // namespace
}  // namespace posiscope::ui
