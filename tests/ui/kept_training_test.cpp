// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is trained outlives the window: it goes on, it is removed, its models open in the views.
#include "core/models/model.h"
#include "tests/ui/open_window.h"
#include "ui/controls/flat_button.h"
#include "ui/training/attention_tab.h"
#include "ui/training/curves_tab.h"
#include "ui/training/plot_box.h"
#include "ui/training/run_strip.h"
#include "ui/training/setup_panel.h"
#include "ui/training/start_button.h"
#include "ui/training/summary_tab.h"
#include "ui/training/training_page.h"
#include "ui/window/message_strip.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <QDir>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

namespace posiscope::ui {
namespace {

constexpr int patience_ms = 180000;
constexpr std::int64_t long_steps = 6000;  ///< not done before it is seen

train::ComparisonSpec tiny(std::int64_t steps) {
  train::ComparisonSpec spec;
  spec.run.model.d_model = 16;
  spec.run.model.num_heads = 2;
  spec.run.model.num_layers = 1;
  spec.run.model.causal = false;
  spec.run.task.length = 3;
  spec.run.task.symbols = 5;
  spec.run.schedule.steps = steps;
  spec.run.schedule.batch = 8;
  spec.run.schedule.evaluate_every = 50;
  spec.run.schedule.evaluate_count = 16;
  spec.positions = {{"learned", {}}, {"rope", {}}};
  spec.seeds = {1};
  return spec;
}

const Training& newest(TrainingPage& page) { return *page.service().all().back(); }
bool idle(TrainingPage& page) {
  return QTest::qWaitFor([&] { return !page.service().busy(); }, patience_ms);
}

void start(TrainingPage& page, std::int64_t steps) {
  page.setup()->setSpec(tiny(steps));
  page.setup()->startButton()->click();
}

class KeptTraining : public ::testing::Test {
 protected:
  // Nothing of another test, before the page looks for it; and nothing is left for other tests' windows.
  KeptTraining() {
    QDir(TrainingFolder::root()).removeRecursively();
    page = std::make_unique<TrainingPage>();
  }
  ~KeptTraining() override {
    page.reset();
    QDir(TrainingFolder::root()).removeRecursively();
  }
  void reopen() {
    page.reset();
    page = std::make_unique<TrainingPage>();
    page->resize(1100, 700);
    page->show();
  }

  std::unique_ptr<TrainingPage> page;
};

TEST_F(KeptTraining, GoesOnAfterTheWindowWasClosed) {
  start(*page, long_steps);
  ASSERT_TRUE(QTest::qWaitFor([&] { return newest(*page).record.run(0, 0).steps() > 5; }, patience_ms));
  EXPECT_FALSE(TrainingFolder::isAnyInterrupted()) << "it is another window's";
  page.reset();
  EXPECT_TRUE(TrainingFolder::isAnyInterrupted());
  reopen();
  ASSERT_EQ(page->service().all().size(), 1u);
  EXPECT_EQ(newest(*page).state, Training::State::interrupted);
  EXPECT_FALSE(page->service().busy());
  page->strip()->goOnButton()->click();
  // What was trained before is there at once.
  ASSERT_TRUE(QTest::qWaitFor([&] { return newest(*page).record.run(0, 0).steps() > 0; }, patience_ms));
  EXPECT_GT(newest(*page).record.run(0, 0).steps(), 5);
  ASSERT_TRUE(idle(*page));
  EXPECT_EQ(newest(*page).state, Training::State::finished);
  for (const train::RunRecord& run : newest(*page).record.runs) {
    EXPECT_EQ(run.steps(), long_steps);
    EXPECT_TRUE(run.results);
  }
  EXPECT_FALSE(newest(*page).record.date.empty());
}

TEST_F(KeptTraining, ShowsWhatItHasFoundBeforeItGoesOn) {
  start(*page, long_steps);
  ASSERT_TRUE(QTest::qWaitFor([&] { return newest(*page).record.run(1, 0).steps() > 5; }, patience_ms));
  page.reset();
  reopen();
  const Training& training = newest(*page);
  ASSERT_TRUE(QTest::qWaitFor([&] { return training.record.run(1, 0).steps() > 5; }, patience_ms));
  EXPECT_EQ(training.state, Training::State::interrupted);
  EXPECT_FALSE(page->service().busy());
  EXPECT_FALSE(page->strip()->goOnButton()->isHidden());
  EXPECT_FALSE(training.record.run(1, 0).attention.empty());
  EXPECT_TRUE(training.chance);
  const Plot& plot = page->curves()->box(train::Quantity::evaluation_loss)->plot();
  EXPECT_EQ(plot.series.size(), 2u);
  page->showTab(1);
  EXPECT_GT(page->attention()->steps().size(), 2u);
  const std::int64_t before = training.record.run(1, 0).steps();
  page->strip()->goOnButton()->click();
  EXPECT_EQ(training.record.run(1, 0).steps(), before) << "they stay in sight while it goes on";
  ASSERT_TRUE(idle(*page));
  EXPECT_EQ(training.record.run(1, 0).steps(), long_steps) << "each step is there once";
}

/// The page may be hidden, or be made before the window shows it, while it is read.
TEST_F(KeptTraining, ShowsWhatWasReadWhileItWasHidden) {
  start(*page, long_steps);
  ASSERT_TRUE(QTest::qWaitFor([&] { return newest(*page).record.run(1, 0).steps() > 5; }, patience_ms));
  page.reset();
  page = std::make_unique<TrainingPage>();
  ASSERT_TRUE(QTest::qWaitFor([&] { return newest(*page).record.run(1, 0).steps() > 5; }, patience_ms));
  page->resize(1100, 700);
  page->show();
  EXPECT_EQ(page->curves()->box(train::Quantity::evaluation_loss)->plot().series.size(), 2u);
}

TEST_F(KeptTraining, WhatWasFinishedButNotSavedIsThereAgain) {
  start(*page, 12);
  ASSERT_TRUE(idle(*page));
  const std::string before = train::summaryCsv(newest(*page).record);
  reopen();
  ASSERT_EQ(page->service().all().size(), 1u);
  ASSERT_TRUE(idle(*page));
  EXPECT_EQ(train::summaryCsv(newest(*page).record), before);
  EXPECT_EQ(newest(*page).state, Training::State::finished);
}

TEST_F(KeptTraining, WhatWasSavedIsNotKeptTwice) {
  start(*page, 12);
  ASSERT_TRUE(idle(*page));
  QSignalSpy saved(&page->service(), &TrainingService::saved);
  const QTemporaryDir folder;
  page->service().save(0, folder.filePath(QStringLiteral("kept.safetensors")));
  ASSERT_TRUE(saved.wait(patience_ms));
  reopen();
  EXPECT_TRUE(page->service().all().empty());
}

TEST_F(KeptTraining, GoesOnAfterItWasStopped) {
  start(*page, long_steps);
  ASSERT_TRUE(QTest::qWaitFor([&] { return newest(*page).record.run(0, 0).steps() > 5; }, patience_ms));
  EXPECT_TRUE(page->strip()->goOnButton()->isHidden());
  page->strip()->stopButton()->click();
  ASSERT_TRUE(idle(*page));
  ASSERT_EQ(newest(*page).state, Training::State::stopped);
  page->strip()->goOnButton()->click();
  ASSERT_TRUE(idle(*page));
  EXPECT_EQ(newest(*page).state, Training::State::finished);
  EXPECT_EQ(newest(*page).record.run(1, 0).steps(), long_steps);
}

TEST_F(KeptTraining, IsRemovedForGood) {
  reopen();
  page->showTab(3);
  start(*page, 12);
  ASSERT_TRUE(idle(*page));
  EXPECT_EQ(page->summary()->table()->rowCount(), 2);
  page->strip()->removeButton()->click();
  EXPECT_TRUE(page->service().all().empty());
  EXPECT_EQ(page->summary()->table()->rowCount(), 0);
  EXPECT_TRUE(QDir(TrainingFolder::root()).isEmpty(QDir::Dirs | QDir::NoDotAndDotDot));
}

TEST_F(KeptTraining, OpensTheModelOfTheChosenRun) {
  reopen();
  page->showTab(3);
  start(*page, 12);
  ASSERT_TRUE(idle(*page));
  SummaryTab* tab = page->summary();
  EXPECT_FALSE(tab->openButton()->isEnabled());
  tab->table()->sortByColumn(3, Qt::DescendingOrder);  // parameters: the learned table has more
  tab->table()->selectRow(1);
  ASSERT_TRUE(tab->openButton()->isEnabled());
  QSignalSpy wanted(page.get(), &TrainingPage::modelWanted);
  tab->openButton()->click();
  ASSERT_EQ(wanted.size(), 1);
  const QString folder = wanted.front().front().toString();
  EXPECT_FALSE(folder.startsWith(TrainingFolder::root())) << "it must outlive the training";
  const auto found = models::inspect(folder.toStdString());
  ASSERT_TRUE(found) << found.error().message.en;
  EXPECT_EQ(found->model_type, "posiscope");
  EXPECT_TRUE(folder.contains(QStringLiteral("rope")));
}

class TrainingOfAWindow : public OpenWindow {
 protected:
  TrainingOfAWindow() { QDir(TrainingFolder::root()).removeRecursively(); }
  ~TrainingOfAWindow() override {
    window.reset();
    QDir(TrainingFolder::root()).removeRecursively();
  }
};

TEST_F(TrainingOfAWindow, ATrainedModelOpensWithItsAttention) {
  QTest::keyClick(window.get(), Qt::Key_T, Qt::ControlModifier);
  TrainingPage* page = window->training();
  ASSERT_NE(page, nullptr);
  page->showTab(3);
  start(*page, 12);
  ASSERT_TRUE(idle(*page));
  page->summary()->table()->selectRow(0);
  page->summary()->openButton()->click();
  EXPECT_FALSE(page->isVisible());
  EXPECT_EQ(window->store().experiment().content.source, ContentSource::model);
  EXPECT_EQ(window->store().experiment().shape.num_layers, 1);
  const Presentation& shown = window->store().presentation();
  EXPECT_TRUE(std::any_of(shown.tiles.begin(), shown.tiles.begin() + shown.tile_count,
                          [](const TileState& tile) { return tile.view == "attention_weights"; }));
  EXPECT_TRUE(settled());
}

TEST_F(TrainingOfAWindow, TellsAtTheStartThatATrainingWasCutOff) {
  const auto told = [&] { return window->messages().sentences().join(QLatin1Char(' ')); };
  window->start({});
  EXPECT_FALSE(told().contains(QStringLiteral("cut off")));
  TrainingFolder::create(QStringLiteral("cut"), tiny(12));  // and let go of at once
  window->start({});
  EXPECT_TRUE(told().contains(QStringLiteral("cut off"))) << told().toStdString();
  QTest::keyClick(window.get(), Qt::Key_T, Qt::ControlModifier);
  EXPECT_FALSE(told().contains(QStringLiteral("cut off")));
  ASSERT_EQ(window->training()->service().all().size(), 1u);
  EXPECT_TRUE(settled());
}

}  // namespace
}  // namespace posiscope::ui
