// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/main_window.h"

#include <gtest/gtest.h>

#include <QSettings>
#include <QTest>
#include <memory>

namespace posiscope::ui {

/// The whole window, open, in English and light, with sizes small enough that these tests are about the window and
/// not about the numbers.
class OpenWindow : public ::testing::Test {
 protected:
  OpenWindow() {
    QSettings().clear();
    window = std::make_unique<MainWindow>();
    window->resize(1440, 900);
    Presentation p = window->store().presentation();
    p.language = Language::english;
    p.theme = ThemeChoice::light;
    window->store().setPresentation(p);
    Experiment e = window->store().experiment();
    e.shape.seq_len = 64;
    window->store().reset(e, window->store().presentation());
    window->show();
    window->activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(window.get()));  // shortcuts need it
  }

  bool settled() {
    constexpr int patience_ms = 60000;
    return QTest::qWaitFor([this] { return !window->service().busy() && window->service().result(); }, patience_ms);
  }

  std::unique_ptr<MainWindow> window;
};

}  // namespace posiscope::ui
