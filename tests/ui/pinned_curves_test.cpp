// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The faint "before": a question of its own, answered for whatever view shows it, and part of the session.
#include "tests/ui/open_window.h"
#include "ui/tiles/tile_grid.h"
#include "ui/views/list.h"
#include "ui/window/commands.h"
#include "ui/window/document.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <QPainter>
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

TEST_F(PinnedCurves, areDrawnBelowTheAttentionMapsToo) {
  Presentation p = window->store().presentation();
  p.tiles[0] = {"attention_weights", {}, {}};
  window->store().setPresentation(p);
  ASSERT_TRUE(settled());
  window->commands().pin->trigger();
  setBase(100);
  ASSERT_TRUE(settled());
  ASSERT_TRUE(pinnedAnswers("attention_weights"));
  const auto draw = [](const ViewContext& context) {
    QImage image(900, 500, QImage::Format_RGB32);
    image.fill(context.style.panel);
    QPainter painter(&image);
    findView("attention_weights")->draw(painter, image.rect(), context);
    return image;
  };
  ViewContext context = window->grid().context(0);
  const QImage with = draw(context);
  context.pinned = nullptr;
  const QImage without = draw(context);
  EXPECT_EQ(with.copy(0, 0, 900, 250), without.copy(0, 0, 900, 250)) << "the maps are those of now";
  EXPECT_NE(with.copy(0, 250, 900, 250), without.copy(0, 250, 900, 250));
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

TEST_F(PinnedCurves, areNotLostFromAFileWhenItsOpeningIsUndoneAndTheValuesComeBackByHand) {
  const QTemporaryDir folder;
  window->commands().pin->trigger();
  setBase(100);
  const QString path = folder.filePath(QStringLiteral("pinned.json"));
  ASSERT_TRUE(window->document().saveAs(path));
  window->document().openStart();
  setBase(2000);
  window->commands().pin->trigger();  // lets go
  window->document().open(path);
  window->document().waitForOpening();
  ASSERT_EQ(window->document().path(), path);
  const Experiment opened = window->store().experiment();
  window->store().undo();
  ASSERT_NE(window->document().path(), path);
  ASSERT_EQ(window->store().presentation().pinned, nullptr);
  window->store().setExperiment(opened);
  EXPECT_NE(window->document().path(), path) << "saving would take the pinned curves out of the file";
  window->store().undo();
  window->document().open(path);
  window->document().waitForOpening();
  window->store().undo();
  window->store().redo();
  EXPECT_EQ(window->document().path(), path) << "the way back is a step of the history";
  EXPECT_NE(window->store().presentation().pinned, nullptr);
}

}  // namespace
}  // namespace posiscope::ui
