// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cli.h"
#include "ui/controls/theme.h"
#include "ui/main_window.h"

#include <QApplication>
#include <QFont>

namespace {

/// One family list for the whole process, before any widget: Latin and Chinese shapes do not depend on the locale.
void setFont() {
  QFont font;
  font.setFamilies(posiscope::ui::fontFamilies());
  font.setPixelSize(13);
  QApplication::setFont(font);
}

void applyRequest(const posiscope::cli::WindowRequest& request, posiscope::ui::MainWindow& window) {
  using posiscope::ui::ThemeChoice;
  posiscope::ui::Presentation p = window.store().presentation();
  if (!request.language.empty())
    p.language = request.language == "zh" ? posiscope::Language::chinese : posiscope::Language::english;
  if (!request.theme.empty())
    p.theme = request.theme == "dark"    ? ThemeChoice::dark
              : request.theme == "light" ? ThemeChoice::light
                                         : ThemeChoice::system;
  window.store().setPresentation(p);
  QStringList paths;
  if (!request.session.empty()) paths.append(QString::fromStdString(request.session));
  for (const std::string& file : request.files) paths.append(QString::fromStdString(file));
  window.start(paths);
}

}  // namespace

int main(int argc, char** argv) {
  posiscope::cli::WindowRequest request;
  if (const std::optional<int> done = posiscope::cli::runCommand(argc, argv, request)) return *done;
  QApplication app(argc, argv);
  QCoreApplication::setOrganizationName(QStringLiteral("posiscope"));
  QCoreApplication::setApplicationName(QStringLiteral("posiscope"));
  QGuiApplication::setApplicationDisplayName(QStringLiteral("Posiscope"));
  QGuiApplication::setDesktopFileName(QStringLiteral("io.github.posiscope.Posiscope"));
  setFont();
  posiscope::ui::MainWindow window;
  applyRequest(request, window);
  window.show();
  return QApplication::exec();
}
