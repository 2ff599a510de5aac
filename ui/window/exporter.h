// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/settings.h"

#include <QObject>
#include <QPoint>

namespace posiscope::ui {

class TileGrid;

/// Exports a tile's view as a figure or its numbers, and puts its picture on the clipboard.
class Exporter : public QObject {
  Q_OBJECT

 public:
  enum class Format { svg, pdf, png, csv, npy };

  Exporter(TileGrid& grid, Settings& settings, QWidget* window);

  /// The menu of one tile: formats, size, resolution, copy.
  void openMenu(int tile, const QPoint& corner);
  void askAndExport(int tile, Format format);
  /// The ending of the path decides the format.
  void exportTo(int tile, const QString& path);
  void copyImage(int tile);

 signals:
  void problemFound(const posiscope::Error& error);
  void exported(const QStringList& files);

 private:
  QWidget* makeSizeRow(QWidget* parent);

  TileGrid& grid_;
  Settings& settings_;
  QWidget* window_;
};

}  // namespace posiscope::ui
