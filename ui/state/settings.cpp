// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/settings.h"

#include <algorithm>
#include <cstddef>
#include <QDir>
#include <QFileInfo>
#include <QLocale>
#include <QStandardPaths>

namespace posiscope::ui {

QStringList Settings::recentFiles() const { return store_.value(QStringLiteral("files/recent")).toStringList(); }

void Settings::addRecentFile(const QString& path) {
  const QString full = QFileInfo(path).absoluteFilePath();
  QStringList files = recentFiles();
  files.removeAll(full);
  files.prepend(full);
  store_.setValue(QStringLiteral("files/recent"), files.mid(0, most_recent));
  setFolder(QFileInfo(full).absolutePath());
}

void Settings::removeRecentFile(const QString& path) {
  QStringList files = recentFiles();
  files.removeAll(QFileInfo(path).absoluteFilePath());
  store_.setValue(QStringLiteral("files/recent"), files);
}

QByteArray Settings::geometry() const { return store_.value(QStringLiteral("window/geometry")).toByteArray(); }
void Settings::setGeometry(const QByteArray& geometry) { store_.setValue(QStringLiteral("window/geometry"), geometry); }
QByteArray Settings::splitter() const { return store_.value(QStringLiteral("window/splitter")).toByteArray(); }
void Settings::setSplitter(const QByteArray& sizes) { store_.setValue(QStringLiteral("window/splitter"), sizes); }

ThemeChoice Settings::theme() const {
  const QString name = store_.value(QStringLiteral("look/theme")).toString();
  if (name == QLatin1String("light")) return ThemeChoice::light;
  return name == QLatin1String("dark") ? ThemeChoice::dark : ThemeChoice::system;
}

void Settings::setTheme(ThemeChoice theme) {
  const char* name = theme == ThemeChoice::light ? "light" : theme == ThemeChoice::dark ? "dark" : "system";
  store_.setValue(QStringLiteral("look/theme"), QString::fromLatin1(name));
}

Language Settings::language() const {
  const QString name = store_.value(QStringLiteral("look/language")).toString();
  if (name.isEmpty()) return QLocale::system().language() == QLocale::Chinese ? Language::chinese : Language::english;
  return name == QLatin1String("zh") ? Language::chinese : Language::english;
}

void Settings::setLanguage(Language language) {
  store_.setValue(QStringLiteral("look/language"),
                  language == Language::chinese ? QStringLiteral("zh") : QStringLiteral("en"));
}

int Settings::viewScale() const {
  const int percent = store_.value(QStringLiteral("look/scale"), 100).toInt();
  return std::ranges::find(view_scales, percent) == view_scales.end() ? 100 : percent;
}

int Settings::nextScale(int percent, int direction) {
  const auto here = std::ranges::find(view_scales, percent);
  const auto last = std::ssize(view_scales) - 1;
  return view_scales[static_cast<std::size_t>(
      std::clamp(here - view_scales.begin() + direction, std::ptrdiff_t{0}, last))];
}

void Settings::setViewScale(int percent) { store_.setValue(QStringLiteral("look/scale"), percent); }

Settings::ExportSize Settings::exportSize() const {
  const ExportSize start;
  const auto read = [this](const QString& key, int fallback, int minimum, int maximum) {
    return std::clamp(store_.value(key, fallback).toInt(), minimum, maximum);
  };
  return {read(QStringLiteral("export/width"), start.width, 100, 10000),
          read(QStringLiteral("export/height"), start.height, 100, 10000),
          read(QStringLiteral("export/dpi"), start.dpi, 36, 1200)};
}

void Settings::setExportSize(ExportSize size) {
  store_.setValue(QStringLiteral("export/width"), size.width);
  store_.setValue(QStringLiteral("export/height"), size.height);
  store_.setValue(QStringLiteral("export/dpi"), size.dpi);
}

QString Settings::folder() const { return store_.value(QStringLiteral("files/folder"), QDir::homePath()).toString(); }
void Settings::setFolder(const QString& folder) { store_.setValue(QStringLiteral("files/folder"), folder); }

QString Settings::lastFile() const { return store_.value(QStringLiteral("files/last")).toString(); }
void Settings::setLastFile(const QString& path) {
  store_.setValue(QStringLiteral("files/last"), path.isEmpty() ? QString() : QFileInfo(path).absoluteFilePath());
}

QString Settings::lastSessionPath() {
  const QString folder = QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation);
  QDir().mkpath(folder);
  return folder + QStringLiteral("/last_session.json");
}

}  // namespace posiscope::ui
