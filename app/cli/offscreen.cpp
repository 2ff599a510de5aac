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

QtMessageHandler usual_handler = nullptr;

// The offscreen platform talks about things that do not matter without a screen, on the stream that is for our errors.
void dropPlatformTalk(QtMsgType type, const QMessageLogContext& context, const QString& message) {
  const bool talk = message.startsWith(QLatin1String("QStandardPaths: XDG_RUNTIME_DIR")) ||
                    message.startsWith(QLatin1String("This plugin does not support"));
  if (!talk && usual_handler) usual_handler(type, context, message);
}

}  // namespace

Offscreen::Offscreen(Language language) {
  if (!QCoreApplication::instance()) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    usual_handler = qInstallMessageHandler(dropPlatformTalk);
    application_ = std::make_unique<QApplication>(argument_count, arguments);
    QFont font = QApplication::font();
    font.setFamilies(ui::fontFamilies());
    QApplication::setFont(font);
  }
  ui::applyLanguage(language);
}

Offscreen::~Offscreen() = default;

}  // namespace posiscope::cli
