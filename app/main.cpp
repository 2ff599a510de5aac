// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cli.h"
#include "core/buffers.h"
#include "ui/controls/theme.h"
#include "ui/main_window.h"
#include "ui/state/settings.h"
#include "ui/window/document.h"
#include "ui/window/trained_examples.h"

#include <QApplication>
#include <QFont>
#include <QTimer>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

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
  std::optional<posiscope::Language> language;
  std::optional<ThemeChoice> theme;
  if (!request.language.empty())
    language = request.language == "zh" ? posiscope::Language::chinese : posiscope::Language::english;
  if (!request.theme.empty())
    theme = request.theme == "dark"    ? ThemeChoice::dark
            : request.theme == "light" ? ThemeChoice::light
                                       : ThemeChoice::system;
  window.setLookOfThisRun(language, theme);
  QStringList paths;
  if (!request.session.empty()) paths.append(QString::fromStdString(request.session));
  for (const std::string& file : request.files) paths.append(QString::fromStdString(file));
  // A picture without files shows the start session, not what somebody did last.
  if (request.screenshot.empty() || !paths.isEmpty()) window.start(paths);
}

constexpr const char* scale_variable = "QT_SCALE_FACTOR";

/// On top of the scale that the desktop's environment asks for. Before the QApplication, which reads it.
void setViewScale(int percent) {
  bool given = false;
  const double desktop = qgetenv(scale_variable).toDouble(&given);
  if (percent != 100) qputenv(scale_variable, QByteArray::number((given ? desktop : 1) * percent / 100));
}

/// What cannot be opened is told where the program was started, too: a strip in the window is not seen by a script.
/// True once it happened.
std::shared_ptr<bool> tellFailures(const posiscope::ui::MainWindow& window, const posiscope::ui::Document& document) {
  auto failed = std::make_shared<bool>(false);
  QObject::connect(&document, &posiscope::ui::Document::openingFailed, &window, [failed](const QString& sentence) {
    std::cerr << "posiscope: " << sentence.toStdString() << '\n';
    *failed = true;
  });
  return failed;
}

/// Shows the window until nothing is computed any more, and saves what it shows. Exit code 1 when it cannot be written.
int saveScreenshot(posiscope::ui::MainWindow& window, const QString& path) {
  window.resize(1440, 900);
  window.show();
  QTimer poll;
  int quiet = 0;
  QObject::connect(&poll, &QTimer::timeout, &window, [&] {
    quiet = window.service().busy() ? 0 : quiet + 1;
    if (quiet < 10) return;  // a result still has to be painted
    if (window.grab().save(path, "PNG")) return QCoreApplication::exit(0);
    std::cerr << "posiscope: " << path.toStdString() << " cannot be written\n";
    QCoreApplication::exit(1);
  });
  poll.start(100);
  return QApplication::exec();
}

/// Where nobody answers at the display Qt gives advice about its plugins and aborts: one sentence and an exit code do.
void tellDeadDisplay(QtMsgType type, const QMessageLogContext& /*context*/, const QString& message) {
  if (type != QtFatalMsg) {
    if (!message.contains(QLatin1String("display")) && !message.contains(QLatin1String("platform plugin")))
      std::cerr << message.toStdString() << '\n';
    return;
  }
  const QByteArray display = qgetenv(qEnvironmentVariableIsEmpty("DISPLAY") ? "WAYLAND_DISPLAY" : "DISPLAY");
  std::cerr
      << "posiscope: the window cannot be opened at the display '" << display.toStdString()
      << "'; draw into a file instead with 'posiscope figure VIEW --out F.png' or 'posiscope --screenshot F.png'\n"
      << std::flush;
  std::_Exit(posiscope::cli::exit_wrong_use);
}

/// The window until it is closed; the exit code.
int showWindow(int argc, char** argv, const posiscope::cli::WindowRequest& request) {
  const QtMessageHandler usual = qInstallMessageHandler(tellDeadDisplay);
  QApplication app(argc, argv);
  qInstallMessageHandler(usual);
  QGuiApplication::setApplicationDisplayName(QStringLiteral("Posiscope"));
  QGuiApplication::setDesktopFileName(QStringLiteral("io.github.posiscope.Posiscope"));
  setFont();
  posiscope::ui::MainWindow window;
  const std::shared_ptr<bool> failed = tellFailures(window, window.document());
  applyRequest(request, window);
  if (!request.screenshot.empty()) {
    window.document().waitForOpening();
    if (*failed) return posiscope::cli::exit_wrong_use;  // it would be the picture of something else
    return saveScreenshot(window, QString::fromStdString(request.screenshot));
  }
  window.show();
  return QApplication::exec();
}

}  // namespace

int main(int argc, char** argv) {
  posiscope::keepFreedPages();
  // Before the commands: they find the program's own data by these names.
  QCoreApplication::setOrganizationName(QStringLiteral("posiscope"));
  QCoreApplication::setApplicationName(QStringLiteral("posiscope"));
  QCoreApplication::setApplicationVersion(QStringLiteral(POSISCOPE_VERSION));
  posiscope::ui::carryTrainedExamples();
  posiscope::cli::WindowRequest request;
  if (const std::optional<int> done = posiscope::cli::runCommand(argc, argv, request)) return *done;
  if (const posiscope::Outcome ok = posiscope::cli::checkDisplay(request); !ok) {
    std::cerr << "posiscope: " << ok.error().message.en << '\n';
    return posiscope::cli::exit_wrong_use;
  }
  const bool picture = !request.screenshot.empty();
  if (picture && qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY"))
    qputenv("QT_QPA_PLATFORM", "offscreen");
  if (!picture) setViewScale(posiscope::ui::Settings().viewScale());
  return showWindow(argc, argv, request);
}
