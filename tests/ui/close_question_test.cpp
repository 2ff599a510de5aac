// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/open_window.h"

#include <QAbstractButton>
#include <QApplication>
#include <QMessageBox>
#include <QTimer>

namespace posiscope::ui {
namespace {

class CloseQuestion : public OpenWindow {
 protected:
  CloseQuestion() { window->store().markSaved(); }  // what a file just opened is

  void showOneTile() {
    Presentation p = window->store().presentation();
    p.tile_count = 1;
    window->store().setPresentation(p);
  }

  /// Closes the window and answers the question, when one comes; whether the window is closed then.
  bool closeWith(QMessageBox::StandardButton answer) {
    asked = false;
    QTimer::singleShot(50, window.get(), [this, answer] {
      auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
      if (!box) return;
      asked = true;
      box->button(answer)->click();
    });
    const bool closed = window->close();
    QTest::qWait(100);
    return closed;
  }

  bool asked = false;
};

TEST_F(CloseQuestion, isNotAskedAboutWhatIsInTheFile) {
  EXPECT_FALSE(window->windowTitle().contains(QChar(0x2022)));
  EXPECT_TRUE(closeWith(QMessageBox::Cancel));
  EXPECT_FALSE(asked);
}

TEST_F(CloseQuestion, isAskedAboutTheLayout) {
  showOneTile();
  EXPECT_TRUE(window->windowTitle().contains(QChar(0x2022))) << window->windowTitle().toStdString();
  EXPECT_FALSE(closeWith(QMessageBox::Cancel));
  EXPECT_TRUE(asked);
  EXPECT_TRUE(window->isVisible());
  EXPECT_TRUE(window->store().modified());
}

TEST_F(CloseQuestion, isAskedAboutTheExperiment) {
  Experiment e = window->store().experiment();
  e.shape.seq_len = 65;
  window->store().setExperiment(e);
  EXPECT_TRUE(closeWith(QMessageBox::Discard));
  EXPECT_TRUE(asked);
  EXPECT_FALSE(window->isVisible());
}

}  // namespace
}  // namespace posiscope::ui
