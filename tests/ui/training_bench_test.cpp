// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The training bench inside the window: what the keys, the bar at the top and the messages do while it is shown.
#include "tests/ui/open_window.h"
#include "ui/panels/inspector.h"
#include "ui/training/plot_box.h"
#include "ui/training/run_strip.h"
#include "ui/training/training_page.h"
#include "ui/training/training_plots.h"
#include "ui/window/commands.h"
#include "ui/window/message_strip.h"
#include "ui/window/status_strip.h"

#include <gtest/gtest.h>

#include <QDir>
#include <QLabel>
#include <QTest>

namespace posiscope::ui {
namespace {

constexpr int patience_ms = 60000;

class TrainingBench : public OpenWindow {
 protected:
  TrainingBench() {
    QDir(TrainingFolder::root()).removeRecursively();
    window->commands().training->trigger();
  }
};

TEST_F(TrainingBench, IsLeftByEscape) {
  ASSERT_TRUE(window->training()->isVisible());
  QTest::keyClick(window.get(), Qt::Key_Escape);
  EXPECT_FALSE(window->training()->isVisible());
  EXPECT_FALSE(window->commands().training->isChecked());
}

TEST_F(TrainingBench, ShowsResultsAtTheFirstVisit) {
  TrainingService& service = window->training()->service();
  ASSERT_TRUE(QTest::qWaitFor([&] { return !service.all().empty(); }, patience_ms));
  EXPECT_EQ(service.all()[0]->shipped, "order");
  EXPECT_EQ(window->training()->strip()->shown(), 0);
}

TEST_F(TrainingBench, LetsTheViewsBehindItRest) {
  Commands& c = window->commands();
  for (const QAction* action : {c.layout_1, c.layout_4, c.pin, c.undo, c.inspector, c.add_scheme})
    EXPECT_FALSE(action->isEnabled()) << action->text().toStdString();
  EXPECT_TRUE(c.save->isEnabled());
  c.training->trigger();
  for (const QAction* action : {c.layout_1, c.layout_4, c.pin, c.inspector, c.add_scheme})
    EXPECT_TRUE(action->isEnabled()) << action->text().toStdString();
}

TEST_F(TrainingBench, ForgetsWhatThePointerWasOn) {
  window->commands().training->trigger();
  auto* status = window->findChild<StatusStrip*>();
  status->setNarrow(true);
  PointerReadout readout;
  readout.place = {{QStringLiteral("query i"), QStringLiteral("4711")}};
  status->setPointer(readout);
  const auto said = [&] {
    QStringList texts;
    for (const QLabel* label : status->findChildren<QLabel*>()) texts << label->text();
    return texts.join(QLatin1Char('\n'));
  };
  ASSERT_TRUE(said().contains(QStringLiteral("4711")));
  window->commands().training->trigger();
  EXPECT_FALSE(said().contains(QStringLiteral("4711"))) << said().toStdString();
  // A result that arrives now has the place read anew.
  auto* inspector = window->findChild<Inspector*>();
  ASSERT_NE(inspector, nullptr);
  emit inspector->pointerRead(readout);
  EXPECT_FALSE(said().contains(QStringLiteral("4711"))) << said().toStdString();
  window->commands().training->trigger();
  emit inspector->pointerRead(readout);
  status->setNarrow(true);
  EXPECT_TRUE(said().contains(QStringLiteral("4711")));
}

TEST_F(TrainingBench, ShowsTheMessagesOfTheWindow) {
  window->messages().show(MessageKind::note, QStringLiteral("said meanwhile"));
  EXPECT_TRUE(QTest::qWaitFor([&] { return window->messages().isVisible(); }, patience_ms));
  window->commands().training->trigger();
  EXPECT_TRUE(QTest::qWaitFor([&] { return window->messages().isVisible(); }, patience_ms));
}

TEST(TrainingPlots, BeginAtStepZero) {
  Training training;
  train::ComparisonSpec spec;
  spec.positions = {{"none", {}}};
  spec.seeds = {1};
  spec.run.schedule.evaluate_every = 20;
  training.record = train::emptyRecord(spec);
  training.record.runs[0].history.evaluations.push_back({});
  const Plot plot = quantityPlot(training, train::Quantity::evaluation_loss, {}, makeStyle(false, Language::english));
  EXPECT_DOUBLE_EQ(plot.x.scale.low, 0);
  EXPECT_DOUBLE_EQ(plot.x.scale.high, 20);
}

}  // namespace
}  // namespace posiscope::ui
