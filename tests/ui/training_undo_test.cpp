// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The settings of the training bench have steps of their own.
#include "core/train/ready_experiments.h"
#include "tests/ui/open_window.h"
#include "ui/controls/flat_button.h"
#include "ui/controls/value_field.h"
#include "ui/controls/value_slider.h"
#include "ui/panels/param_row.h"
#include "ui/training/encoding_list.h"
#include "ui/training/setup_history.h"
#include "ui/training/setup_panel.h"
#include "ui/training/training_page.h"
#include "ui/window/commands.h"

#include <gtest/gtest.h>

#include <QDir>
#include <QLabel>
#include <QTest>

namespace posiscope::ui {
namespace {

train::ComparisonSpec withSteps(std::int64_t steps) {
  train::ComparisonSpec spec;
  spec.positions = {{"rope", {}}};
  spec.seeds = {1};
  spec.run.schedule.steps = steps;
  return spec;
}

TEST(TrainingSetupHistory, GoesBackAndForthByOneChange) {
  SetupHistory history(withSteps(1));
  EXPECT_FALSE(history.undo());
  history.follow(withSteps(2));
  history.follow(withSteps(3));
  history.follow(withSteps(3));  // no change
  EXPECT_EQ(history.undo(), withSteps(2));
  EXPECT_EQ(history.undo(), withSteps(1));
  EXPECT_FALSE(history.canUndo());
  EXPECT_EQ(history.redo(), withSteps(2));
  EXPECT_TRUE(history.canRedo());
  history.follow(withSteps(7));
  EXPECT_FALSE(history.canRedo()) << "what comes after another change is gone";
  EXPECT_EQ(history.undo(), withSteps(2));
}

TEST(TrainingSetupHistory, TakesAGestureAsOneStep) {
  SetupHistory history(withSteps(1));
  const QString drag = QStringLiteral("steps");
  for (const int steps : {2, 3, 4}) history.follow(withSteps(steps), drag);
  history.endGesture();
  for (const int steps : {5, 6}) history.follow(withSteps(steps), drag);
  EXPECT_EQ(history.undo(), withSteps(4));
  EXPECT_EQ(history.undo(), withSteps(1));
  EXPECT_FALSE(history.canUndo());
  history.follow(withSteps(9), drag);
  history.follow(withSteps(1), drag);
  history.endGesture();
  EXPECT_FALSE(history.canUndo()) << "it came back to its start";
}

class TrainingUndo : public OpenWindow {
 protected:
  TrainingUndo() {
    QDir(TrainingFolder::root()).removeRecursively();
    window->commands().training->trigger();
    page = window->training();
    setup = page->setup();
  }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::ControlModifier) {
    QWidget* focused = window->focusWidget();
    QTest::keyClick(focused ? focused : window.get(), key, modifiers);
  }
  ParamRow* row(const char* key) const {
    for (ParamRow* one : setup->settings()->findChildren<ParamRow*>())
      if (one->spec().key == key && one->isVisible()) return one;
    return nullptr;
  }
  void type(ParamRow* into, const QString& text) {
    auto* field = into->findChild<ValueField*>();
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, text);
    QTest::keyClick(field, Qt::Key_Return);
  }

  TrainingPage* page = nullptr;
  SetupPanel* setup = nullptr;
};

TEST_F(TrainingUndo, TakesBackWhatWasTypedInOneStep) {
  const train::ComparisonSpec before = setup->spec();
  ASSERT_NE(row("steps"), nullptr);
  type(row("steps"), QStringLiteral("1234"));
  const train::ComparisonSpec after = setup->spec();
  ASSERT_EQ(after.run.schedule.steps, 1234);
  press(Qt::Key_Z);
  EXPECT_EQ(setup->spec(), before);
  EXPECT_FALSE(setup->canUndo());
  EXPECT_EQ(row("steps")->findChild<ValueField*>()->text(), QString::number(before.run.schedule.steps));
  press(Qt::Key_Y);
  EXPECT_EQ(setup->spec(), after);
  press(Qt::Key_Z);
  press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_EQ(setup->spec(), after);
}

TEST_F(TrainingUndo, LeavesAFieldThatIsBeingTypedItsOwnUndo) {
  setup->encodings()->add("shaw");
  const train::ComparisonSpec before = setup->spec();
  auto* field = row("steps")->findChild<ValueField*>();
  field->setFocus();
  field->selectAll();
  QTest::keyClicks(field, QStringLiteral("77"));
  QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
  EXPECT_NE(field->text(), QStringLiteral("77"));
  EXPECT_EQ(setup->spec(), before);
}

TEST_F(TrainingUndo, TakesADragAsOneStep) {
  QCoreApplication::processEvents();  // rows of before are gone, those of now are shown
  for (FlatButton* button : setup->encodings()->findChildren<FlatButton*>())
    if (button->isVisible() && button->text() == QStringLiteral("Sinusoidal")) button->click();
  QCoreApplication::processEvents();
  ParamRow* constant = nullptr;
  for (ParamRow* one : setup->encodings()->findChildren<ParamRow*>())
    if (one->isVisible() && one->findChild<ValueSlider*>()) constant = one;
  ASSERT_NE(constant, nullptr);
  for (ParamRow* dragged : {row("steps"), constant}) {
    auto* slider = dragged->findChild<ValueSlider*>();
    std::vector<train::ComparisonSpec> states{setup->spec()};
    for (const double middle : {0.3, 0.6}) {
      for (const double place : {middle - 0.05, middle, middle + 0.05}) emit slider->dragged(place);
      emit slider->released();
      ASSERT_NE(setup->spec(), states.back());
      states.push_back(setup->spec());
    }
    press(Qt::Key_Z);
    EXPECT_EQ(setup->spec(), states[1]);
    press(Qt::Key_Z);
    EXPECT_EQ(setup->spec(), states[0]);
    EXPECT_FALSE(setup->canUndo());
  }
  EXPECT_TRUE(constant->isVisible()) << "what is changed stays in sight";
}

TEST_F(TrainingUndo, HasAStepForEachKindOfSetting) {
  std::vector<train::ComparisonSpec> states{setup->spec()};
  const auto changed = [&] {
    EXPECT_NE(setup->spec(), states.back()) << states.size();
    states.push_back(setup->spec());
  };
  setup->encodings()->add("kerple");
  changed();
  setup->encodings()->remove(0);
  changed();
  type(row("seeds"), QStringLiteral("5"));
  changed();
  type(row("length"), QStringLiteral("9"));
  changed();
  setup->choose(train::readyExperiments()[2]);
  changed();
  const auto shown = [&] {
    EXPECT_EQ(setup->encodings()->positions(), setup->spec().positions);
    EXPECT_EQ(row("seeds")->findChild<ValueField*>()->text(), QString::number(setup->spec().seeds.size()));
  };
  for (std::size_t s = states.size() - 1; s-- > 0;) {
    press(Qt::Key_Z);
    EXPECT_EQ(setup->spec(), states[s]) << s;
    shown();
  }
  EXPECT_FALSE(setup->canUndo());
  for (std::size_t s = 1; s < states.size(); ++s) {
    press(Qt::Key_Y);
    EXPECT_EQ(setup->spec(), states[s]) << s;
    shown();
  }
  EXPECT_FALSE(setup->canRedo());
}

TEST_F(TrainingUndo, IsNotThatOfTheViews) {
  setup->encodings()->add("kerple");
  const train::ComparisonSpec changed = setup->spec();
  const Experiment views = window->store().experiment();
  window->commands().training->trigger();
  Experiment longer = views;
  longer.shape.seq_len = 96;
  window->store().setExperiment(longer);
  press(Qt::Key_Z);
  EXPECT_EQ(window->store().experiment(), views);
  EXPECT_EQ(setup->spec(), changed);
  window->store().setExperiment(longer);
  window->commands().training->trigger();
  press(Qt::Key_Z);
  EXPECT_EQ(window->store().experiment(), longer);
  EXPECT_NE(setup->spec(), changed);
}

// The results that came with the program stay in sight; what is said of the settings must not.
TEST_F(TrainingUndo, ShippedResultsAreNoLongerThoseOfOtherSettings) {
  page->findChild<FlatButton*>(QStringLiteral("ready_length"))->click();
  const auto words = [this] {
    QString found;
    for (const QLabel* label : page->findChildren<QLabel*>())
      if (label->text().contains(QStringLiteral("came with the program"))) found = label->text();
    return found;
  };
  ASSERT_TRUE(QTest::qWaitFor([&] { return words().contains(QStringLiteral("exactly those at the left")); }));
  setup->undo();
  EXPECT_FALSE(words().isEmpty());
  EXPECT_FALSE(words().contains(QStringLiteral("exactly")));
  setup->redo();
  EXPECT_TRUE(words().contains(QStringLiteral("exactly")));
}

}  // namespace
}  // namespace posiscope::ui
