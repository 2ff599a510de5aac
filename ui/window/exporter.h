// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/job.h"
#include "ui/figures/figure.h"
#include "ui/state/settings.h"

#include <QObject>
#include <QPoint>
#include <QStringList>
#include <QThreadPool>
#include <QTimer>

namespace posiscope::ui {

class TileGrid;

/// Exports a tile's view as a figure or its numbers, and puts its picture on the clipboard. The numbers of a large map
/// take many seconds: they are written on a thread of their own, one export after the other.
class Exporter : public QObject {
  Q_OBJECT

 public:
  enum class Format { svg, pdf, png, csv, npy };

  Exporter(TileGrid& grid, Settings& settings, QWidget* window);
  ~Exporter() override;  ///< stops what is being written; no unfinished file stays

  /// The menu of one tile: formats, size, resolution, copy.
  void openMenu(int tile, const QPoint& corner);
  void askAndExport(int tile, Format format);
  /// The ending of the path decides the format; what was there is replaced.
  void exportTo(int tile, const QString& path);
  void copyImage(int tile);
  bool writing() const { return !unfinished_.isEmpty(); }
  /// Drops all numbers that are not yet written.
  void stopWriting();

 signals:
  void problemFound(const posiscope::Error& error);
  void exported(const QStringList& files);
  void writingStarted(const QString& sentence);  ///< and again while it goes on, with how far it is
  void writingEnded();  ///< all of it, or it was stopped

 private:
  QWidget* makeSizeRow(QWidget* parent);
  /// Asks before it replaces files that the dialog cannot know of: F.1.csv, F.2.csv, …
  void askAndWrite(const NumberFiles& files);
  void write(const NumberFiles& files);
  void finish(const Expected<QStringList>& written);
  void tellProgress();

  TileGrid& grid_;
  Settings& settings_;
  QWidget* window_;
  Job job_;  ///< of all that is being written or waits for it
  QStringList unfinished_;  ///< names of the files, an entry for each export; the first is being written
  QTimer progress_;
  QThreadPool thread_;
};

}  // namespace posiscope::ui
