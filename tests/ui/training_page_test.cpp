// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/training_page.h"

#include "core/train/ready_experiments.h"
#include "tests/ui/open_window.h"
#include "ui/controls/flat_button.h"
#include "ui/training/attention_maps.h"
#include "ui/training/attention_tab.h"
#include "ui/training/curves_tab.h"
#include "ui/training/encoding_list.h"
#include "ui/training/encoding_names.h"
#include "ui/training/length_tab.h"
#include "ui/training/plot_box.h"
#include "ui/training/run_strip.h"
#include "ui/training/setup_panel.h"
#include "ui/training/start_button.h"
#include "ui/training/summary_tab.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

namespace posiscope::ui {
namespace {

constexpr int patience_ms = 60000;

/// Copy of three symbols by tiny models: a second or two.
train::ComparisonSpec tiny(std::int64_t steps = 24) {
  train::ComparisonSpec spec;
  spec.run.model.d_model = 16;
  spec.run.model.num_heads = 2;
  spec.run.model.num_layers = 2;
  spec.run.model.causal = false;
  spec.run.task.length = 3;
  spec.run.task.symbols = 5;
  spec.run.schedule.steps = steps;
  spec.run.schedule.batch = 8;
  spec.run.schedule.evaluate_every = 6;
  spec.run.schedule.evaluate_count = 16;
  spec.positions = {{"none", {}}, {"learned", {}}, {"rope", {}}};
  spec.seeds = {1, 2};
  return spec;
}

class TrainingPageTest : public ::testing::Test {
 protected:
  TrainingPageTest() {
    page.resize(1100, 700);
    page.show();
  }
  void train(const train::ComparisonSpec& spec) {
    page.setup()->setSpec(spec);
    page.setup()->startButton()->click();
    EXPECT_TRUE(QTest::qWaitFor([&] { return !page.service().busy(); }, patience_ms));
  }
  const Training& shown() { return *page.service().all()[static_cast<std::size_t>(page.strip()->shown())]; }

  TrainingPage page;
};

TEST_F(TrainingPageTest, OneButtonTrainsAllEncodingsWithAllSeeds) {
  train(tiny());
  ASSERT_EQ(page.service().all().size(), 1u);
  EXPECT_EQ(shown().state, Training::State::finished);
  ASSERT_EQ(shown().record.runs.size(), 6u);
  for (const train::RunRecord& run : shown().record.runs) {
    EXPECT_EQ(run.steps(), 24);
    EXPECT_TRUE(run.results);
    EXPECT_TRUE(run.results && run.results->shuffled_positions);
  }
}

TEST_F(TrainingPageTest, CurvesHaveABandForEveryEncodingAndTheChanceLine) {
  train(tiny());
  const Plot& plot = page.curves()->box(train::Quantity::evaluation_accuracy)->plot();
  EXPECT_EQ(plot.series.size(), 3u);
  EXPECT_EQ(plot.bands.size(), 3u);
  ASSERT_EQ(plot.marks.size(), 2u);  // chance, order-blind
  EXPECT_DOUBLE_EQ(plot.marks[0].from, 0.2);
  EXPECT_GT(plot.marks[1].from, 0.2);
  // Only the learned table has parameters of position; the others are named, not drawn as 0.
  const Plot& gradient = page.curves()->box(train::Quantity::position_gradient)->plot();
  EXPECT_EQ(gradient.series.size(), 1u);
  ASSERT_FALSE(gradient.notices.empty());
  EXPECT_TRUE(gradient.notices.back().text.contains(QStringLiteral("RoPE")));
}

TEST_F(TrainingPageTest, AttentionGoesThroughTheSnapshots) {
  page.showTab(1);
  train(tiny());
  AttentionTab* tab = page.attention();
  EXPECT_EQ(tab->steps(), (std::vector<std::int64_t>{0, 1, 2, 4, 8, 16, 24}));
  ASSERT_EQ(tab->maps()->panels().size(), 3u);
  tab->setPlace(0);
  const float before = tab->maps()->panels()[1].weights->at(4, 1);
  tab->setPlace(6);
  EXPECT_NE(tab->maps()->panels()[1].weights->at(4, 1), before);
  EXPECT_FALSE(tab->maps()->panels()[1].facts.isEmpty());
  tab->play(true);
  EXPECT_TRUE(QTest::qWaitFor([&] { return tab->place() == 2; }, patience_ms));
  tab->play(false);
  EXPECT_EQ(tab->scores()->plot().series.size(), 3u);
}

TEST_F(TrainingPageTest, BeyondTheLengthShowsTheScalingsOfARotation) {
  page.showTab(2);
  train(tiny());
  const Plot& plot = page.lengths()->byLength()->plot();
  ASSERT_EQ(plot.groups.size(), 6u);  // none, learned, RoPE and its three scalings
  EXPECT_TRUE(plot.groups[5].name.contains(QStringLiteral("YaRN")));
  for (const PlotSeries& series : plot.series) EXPECT_EQ(series.curve->x.front(), 1);
  EXPECT_EQ(plot.series[0].curve->x.back(), 8);
}

TEST_F(TrainingPageTest, AFineTuneHasItsOwnCurves) {
  page.showTab(2);
  train(tiny(6));
  EXPECT_FALSE(page.lengths()->fineTune()->isVisible());
  train::ComparisonSpec spec = tiny(6);
  spec.run.fine_tune.steps = 10;
  spec.run.fine_tune.factor = 2;
  train(spec);
  ASSERT_TRUE(page.lengths()->fineTune()->isVisible());
  EXPECT_EQ(page.lengths()->fineTune()->plot().groups.size(), 6u);
}

TEST_F(TrainingPageTest, TheTableSortsByNumbers) {
  page.showTab(3);
  train(tiny());
  QTableWidget* table = page.summary()->table();
  ASSERT_EQ(table->rowCount(), 6);
  constexpr int parameters = 3;
  table->sortByColumn(parameters, Qt::DescendingOrder);
  EXPECT_TRUE(table->item(0, 0)->text().contains(QStringLiteral("Learned"), Qt::CaseInsensitive));
  EXPECT_TRUE(page.summary()->checklist().contains(QStringLiteral("2 seeds")));
}

TEST_F(TrainingPageTest, PausesAndStops) {
  page.setup()->setSpec(tiny(100000));
  page.setup()->startButton()->click();
  TrainingService& service = page.service();
  ASSERT_TRUE(QTest::qWaitFor([&] { return shown().record.run(0, 0).steps() > 5; }, patience_ms));
  page.strip()->pauseButton()->click();
  EXPECT_TRUE(service.paused());
  QTest::qWait(600);  // the step under way ends
  const std::int64_t before = shown().record.run(0, 0).steps() + shown().record.run(1, 0).steps();
  QTest::qWait(400);
  EXPECT_EQ(shown().record.run(0, 0).steps() + shown().record.run(1, 0).steps(), before);
  page.strip()->pauseButton()->click();
  EXPECT_TRUE(QTest::qWaitFor(
      [&] { return shown().record.run(0, 0).steps() + shown().record.run(1, 0).steps() > before; }, patience_ms));
  page.strip()->stopButton()->click();
  ASSERT_TRUE(QTest::qWaitFor([&] { return !service.busy(); }, patience_ms));
  EXPECT_EQ(shown().state, Training::State::stopped);
  EXPECT_GT(shown().record.run(0, 0).steps(), 5);
}

TEST_F(TrainingPageTest, QueuesWhatIsStartedMeanwhile) {
  page.setup()->setSpec(tiny(12));
  page.setup()->startButton()->click();
  page.setup()->startButton()->click();
  ASSERT_EQ(page.service().all().size(), 2u);
  EXPECT_EQ(page.service().all()[1]->state, Training::State::waiting);
  ASSERT_TRUE(QTest::qWaitFor([&] { return !page.service().busy(); }, patience_ms));
  EXPECT_EQ(page.service().all()[1]->state, Training::State::finished);
}

TEST_F(TrainingPageTest, SavesOneFileThatOpensAgain) {
  train(tiny(12));
  const QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("tiny.safetensors"));
  QSignalSpy saved(&page.service(), &TrainingService::saved);
  page.service().save(0, path);
  ASSERT_TRUE(saved.wait(patience_ms));
  page.service().open(path);
  ASSERT_TRUE(QTest::qWaitFor([&] { return page.service().all().size() == 2; }, patience_ms));
  EXPECT_EQ(page.strip()->shown(), 1);
  EXPECT_EQ(train::summaryCsv(shown().record), train::summaryCsv(page.service().all()[0]->record));
  EXPECT_TRUE(shown().chance);
}

TEST_F(TrainingPageTest, TellsTheCostOrWhyItCannotStart) {
  SetupPanel* setup = page.setup();
  setup->setSpec(tiny());
  EXPECT_TRUE(QTest::qWaitFor([&] { return setup->verdict().contains(QStringLiteral("6 runs")); }, patience_ms));
  setup->encodings()->add("conditional");
  EXPECT_TRUE(QTest::qWaitFor([&] { return setup->verdict().contains(QStringLiteral("conditional")); }, patience_ms));
}

TEST_F(TrainingPageTest, TakesOneToEightEncodings) {
  EncodingList* list = page.setup()->encodings();
  list->setPositions({{"none", {}}});
  list->remove(0);
  EXPECT_EQ(list->positions().size(), 1u);
  for (int i = 0; i < 9; ++i) list->add("rope");
  EXPECT_EQ(list->positions().size(), 8u);
}

TEST(TrainingPlots, EightEncodingsCanBeToldApart) {
  const Style style = makeStyle(false, Language::english);
  for (std::size_t a = 0; a < 8; ++a)
    for (std::size_t b = 0; b < a; ++b) {
      EXPECT_NE(encodingColour(a, style), encodingColour(b, style));
      EXPECT_NE(encodingDashes(a), encodingDashes(b));
    }
}

using TrainingWindow = OpenWindow;

TEST_F(TrainingWindow, OpensByItsShortcutAndKeepsTheViews) {
  EXPECT_EQ(window->training(), nullptr);
  QTest::keyClick(window.get(), Qt::Key_T, Qt::ControlModifier);
  ASSERT_NE(window->training(), nullptr);
  EXPECT_TRUE(window->training()->isVisible());
  QTest::keyClick(window.get(), Qt::Key_T, Qt::ControlModifier);
  EXPECT_FALSE(window->training()->isVisible());
  EXPECT_TRUE(settled());
}

}  // namespace
}  // namespace posiscope::ui
