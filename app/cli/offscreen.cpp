// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/offscreen.h"

#include "ui/paint/style.h"
#include "ui/window/language.h"

#include <QApplication>

namespace posiscope::cli {
namespace {

// QApplication keeps references to both.
int argument_count = 1;
char program[] = "posiscope";
char* arguments[] = {program, nullptr};

}  // namespace

Offscreen::Offscreen(Language language) {
  if (!QCoreApplication::instance()) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    application_ = std::make_unique<QApplication>(argument_count, arguments);
    QFont font = QApplication::font();
    font.setFamilies(ui::fontFamilies());
    QApplication::setFont(font);
  }
  ui::applyLanguage(language);
}

Offscreen::~Offscreen() = default;

}  // namespace posiscope::cli
