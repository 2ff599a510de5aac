// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The results of ready experiments that come with the program belong to what the program would train today.
#include "ui/training/shipped_results.h"

#include "core/train/ready_experiments.h"
#include "ui/controls/flat_button.h"
#include "ui/training/run_strip.h"
#include "ui/training/setup_panel.h"
#include "ui/training/start_button.h"
#include "ui/training/training_page.h"

#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QTest>

namespace posiscope::ui {
namespace {

constexpr int patience_ms = 60000;
constexpr qint64 most_bytes = 450'000;

class ShippedResults : public ::testing::TestWithParam<train::ReadyExperiment> {};

TEST_P(ShippedResults, AreThoseOfTheExperimentsSettings) {
  const train::ReadyExperiment& experiment = GetParam();
  ASSERT_TRUE(hasShippedResults(experiment.id));
  const Expected<train::ComparisonRecord> record = readShippedResults(experiment.id);
  ASSERT_TRUE(record) << record.error().message.en;
  EXPECT_EQ(record->spec, experiment.spec)
      << "train them anew: posiscope train " << experiment.id << " --out DIR --compact resources/experiments/"
      << experiment.id << ".safetensors";
  EXPECT_FALSE(record->version.empty());
  EXPECT_FALSE(record->date.empty());
  for (const train::RunRecord& run : record->runs) {
    EXPECT_TRUE(run.refused.en.empty()) << run.refused.en;
    EXPECT_TRUE(run.results);
    EXPECT_EQ(run.steps(), experiment.spec.run.schedule.steps);
  }
  EXPECT_FALSE(record->run(0, 0).attention.empty());
  EXPECT_LT(QFile(QStringLiteral(":/experiments/%1.safetensors").arg(QString::fromStdString(experiment.id))).size(),
            most_bytes);
}

TEST_P(ShippedResults, AreSeenWhenTheExperimentIsChosen) {
  QDir(TrainingFolder::root()).removeRecursively();
  TrainingPage page;
  page.resize(1100, 700);
  page.show();
  auto* button = page.findChild<FlatButton*>(QString::fromStdString("ready_" + GetParam().id));
  ASSERT_NE(button, nullptr);
  button->click();
  ASSERT_TRUE(QTest::qWaitFor([&] { return page.service().all().size() == 1; }, patience_ms));
  EXPECT_EQ(page.service().all()[0]->shipped, GetParam().id);
  EXPECT_EQ(page.strip()->shown(), 0);
  EXPECT_EQ(page.setup()->startButton()->text(), QStringLiteral("Train anew"));
  button->click();
  QTest::qWait(100);
  EXPECT_EQ(page.service().all().size(), 1u) << "they are read once";
}

INSTANTIATE_TEST_SUITE_P(Ready, ShippedResults, ::testing::ValuesIn(train::readyExperiments()),
                         [](const auto& one) { return one.param.id; });

/// Nothing comes with an experiment of that name: it has to be trained.
TEST(ShippedResultsOf, NoExperimentAreNone) {
  EXPECT_FALSE(hasShippedResults("no-such"));
  EXPECT_FALSE(readShippedResults("no-such"));
}

}  // namespace
}  // namespace posiscope::ui
