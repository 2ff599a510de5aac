// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/presentation.h"

#include <array>
#include <QByteArray>
#include <QSettings>
#include <QStringList>

namespace posiscope::ui {

/// What is remembered between runs and belongs to the person: recent files, window, theme, language, export size.
class Settings {
 public:
  static constexpr int most_recent = 10;

  QStringList recentFiles() const;
  void addRecentFile(const QString& path);
  void removeRecentFile(const QString& path);

  QByteArray geometry() const;
  void setGeometry(const QByteArray& geometry);
  QByteArray splitter() const;
  void setSplitter(const QByteArray& sizes);

  ThemeChoice theme() const;
  void setTheme(ThemeChoice theme);
  /// The language of the desktop until one is chosen.
  Language language() const;
  void setLanguage(Language language);

  /// How large everything is drawn, in percent: one of `view_scales`. It counts from the next start of the window.
  int viewScale() const;
  void setViewScale(int percent);
  static constexpr std::array<int, 6> view_scales{100, 110, 125, 150, 175, 200};
  /// The scale above (1) or below (−1) one of them; itself at the end.
  static int nextScale(int percent, int direction);

  struct ExportSize {
    int width = 960;
    int height = 600;
    int dpi = 96;
  };
  ExportSize exportSize() const;
  void setExportSize(ExportSize size);

  QString folder() const;  ///< where a file was opened or chosen last
  void setFolder(const QString& folder);

  /// The file the last session was opened from or saved to; empty when there is none.
  QString lastFile() const;
  void setLastFile(const QString& path);
  /// Where the session of the last run is kept; the folder exists.
  static QString lastSessionPath();

 private:
  QSettings store_;
};

}  // namespace posiscope::ui
