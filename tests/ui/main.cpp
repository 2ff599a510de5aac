// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/paint/style.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QFont>
#include <QStandardPaths>
#include <QStyleFactory>
#include <QTemporaryDir>

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  // Settings and the autosaved session of whoever runs the tests are not touched, nor those of another run of these
  // tests at the same time: each process has a home of its own.
  const QTemporaryDir home;
  qputenv("HOME", home.path().toLocal8Bit());
  for (const char* place : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"}) qunsetenv(place);
  QStandardPaths::setTestModeEnabled(true);
  const QApplication app(argc, argv);
  QCoreApplication::setOrganizationName(QStringLiteral("posiscope-test"));
  QCoreApplication::setApplicationName(QStringLiteral("posiscope-test"));
  QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
  QFont font;
  font.setFamilies(posiscope::ui::fontFamilies());
  font.setPixelSize(13);
  QApplication::setFont(font);
  return RUN_ALL_TESTS();
}
