// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The faint "before": a question of its own, answered for whatever view shows it, and part of the session.
#include "tests/ui/open_window.h"
#include "ui/tiles/tile_grid.h"
#include "ui/window/commands.h"
#include "ui/window/document.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <QTemporaryDir>
#include <QTest>

namespace posiscope::ui {
namespace {

class PinnedCurves : public OpenWindow {
 protected:
  void SetUp() override {
    OpenWindow::SetUp();
    Presentation p = window->store().presentation();
    p.tile_count = 1;
    p.tiles[0] = {"spectrum", {}, {}};
    window->store().setPresentation(p);
    ASSERT_TRUE(settled());
  }
  void setBase(double base) {
    Experiment e = window->store().experiment();
    e.schemes[0].values["base"] = base;
    window->store().setExperiment(e);
  }
  const std::shared_ptr<const Result> pinned() const { return window->grid().context(0).pinned; }
  bool pinnedAnswers(const std::string& measure) {
    return QTest::qWaitFor([&] {
      return pinned() && std::ranges::find(pinned()->request.measures, measure, &MeasureRequest::id) !=
                             pinned()->request.measures.end();
    });
  }
};

TEST_F(PinnedCurves, stayWhatTheyWereWhileTheQuestionChanges) {
  const Experiment before = window->store().experiment();
  window->commands().pin->trigger();
  EXPECT_TRUE(window->commands().pin->isChecked());
  setBase(100);
  ASSERT_TRUE(settled());
  ASSERT_TRUE(pinnedAnswers("spectrum"));
  EXPECT_EQ(pinned()->request.experiment, before);
  window->commands().pin->trigger();
  EXPECT_FALSE(window->commands().pin->isChecked());
  EXPECT_EQ(pinned(), nullptr);
  window->commands().pin->trigger();
  ASSERT_TRUE(pinnedAnswers("spectrum"));
  EXPECT_EQ(pinned()->request.experiment, window->store().experiment()) << "not what was pinned before";
}

TEST_F(PinnedCurves, areAnsweredForAViewChosenLater) {
  window->commands().pin->trigger();
  setBase(100);
  Presentation p = window->store().presentation();
  p.tiles[0] = {"relative_decay", {}, {}};
  window->store().setPresentation(p);
  EXPECT_TRUE(pinnedAnswers("relative_decay"));
}

TEST_F(PinnedCurves, comeBackWithTheSession) {
  const QTemporaryDir folder;
  const Experiment before = window->store().experiment();
  window->commands().pin->trigger();
  setBase(100);
  const QString path = folder.filePath(QStringLiteral("pinned.json"));
  ASSERT_TRUE(window->document().saveAs(path));
  window->document().openStart();
  window->commands().pin->trigger();  // lets go
  ASSERT_EQ(pinned(), nullptr);
  window->document().open(path);
  ASSERT_TRUE(pinnedAnswers("spectrum"));
  EXPECT_EQ(pinned()->request.experiment, before);
  EXPECT_TRUE(window->commands().pin->isChecked());
}

}  // namespace
}  // namespace posiscope::ui
