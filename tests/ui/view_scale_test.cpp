// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/open_window.h"
#include "ui/state/settings.h"
#include "ui/window/commands.h"
#include "ui/window/message_strip.h"

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

TEST(ViewScale, LargerTextIsForTheNextStart) {
  MainWindow window;
  const Commands& commands = window.commands();
  EXPECT_FALSE(commands.smaller->isEnabled());
  commands.larger->trigger();
  EXPECT_EQ(Settings().viewScale(), 110);
  EXPECT_TRUE(commands.smaller->isEnabled());
  const auto* strip = window.findChild<MessageStrip*>();
  ASSERT_TRUE(strip);
  EXPECT_EQ(strip->sentences().size(), 1);
  EXPECT_TRUE(strip->sentences().back().contains(QStringLiteral("110 %"))) << strip->sentences().back().toStdString();
  commands.normal_size->trigger();
  EXPECT_EQ(strip->sentences().size(), 1) << "only the newest is told";
  EXPECT_EQ(Settings().viewScale(), 100);
  EXPECT_FALSE(commands.normal_size->isEnabled());
}

}  // namespace
}  // namespace posiscope::ui
