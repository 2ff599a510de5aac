// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/open_window.h"
#include "ui/state/settings.h"
#include "ui/window/commands.h"

#include <QFile>
#include <QSignalSpy>

namespace posiscope::ui {
namespace {

TEST(ViewScale, StepsFromOneScaleToTheNextAndStopsAtTheEnds) {
  EXPECT_EQ(Settings::nextScale(100, 1), 110);
  EXPECT_EQ(Settings::nextScale(150, -1), 125);
  EXPECT_EQ(Settings::nextScale(100, -1), 100);
  EXPECT_EQ(Settings::nextScale(200, 1), 200);
}

TEST(ViewScale, WhatNoScaleIsIsAsIfNotSet) {
  Settings settings;
  settings.setViewScale(33);
  EXPECT_EQ(settings.viewScale(), 100);
  settings.setViewScale(125);
  EXPECT_EQ(Settings().viewScale(), 125);
  settings.setViewScale(100);
}

TEST(ViewScale, LargerTextKeepsTheSessionAndAsksToStartAgain) {
  MainWindow window;
  QSignalSpy again(&window, &MainWindow::startAgainWanted);
  const Commands& commands = window.commands();
  EXPECT_FALSE(commands.smaller->isEnabled());
  QFile::remove(Settings::lastSessionPath());
  commands.larger->trigger();
  EXPECT_EQ(again.size(), 1);
  EXPECT_EQ(Settings().viewScale(), 110);
  EXPECT_TRUE(QFile::exists(Settings::lastSessionPath()));
  EXPECT_TRUE(commands.smaller->isEnabled());
  commands.normal_size->trigger();
  EXPECT_EQ(again.size(), 2);
  EXPECT_EQ(Settings().viewScale(), 100);
  EXPECT_FALSE(commands.normal_size->isEnabled());
  QFile::remove(Settings::lastSessionPath());
}

}  // namespace
}  // namespace posiscope::ui
