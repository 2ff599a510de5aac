// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "ui/charts/plot.h"

#include <functional>
#include <QSize>
#include <QString>
#include <string>

class QMenu;
class QPainter;
class QWidget;

namespace posiscope::ui {

/// A figure of the training page that is to be written.
struct FigureToExport {
  QString title;
  QSize size;                                ///< logical pixels
  std::function<void(QPainter&)> draw = {};  ///< the picture of that size
  std::function<std::string()> csv = {};     ///< its numbers
};

/// The ending chooses .svg, .pdf, .png (two dots to a pixel) or .csv. As a whole or not at all. Errors: file_write;
/// not_supported for another ending.
Outcome exportFigure(const FigureToExport& what, const QString& path);

/// The numbers of a plot as they are drawn, a line for each point of each curve with its mean and, where there are
/// several seeds, the least and the largest.
std::string plotCsv(const Plot& plot);

/// A cell of a table: names of encodings may hold commas.
std::string csvCell(const QString& text);

/// Adds “Copy as image” and an entry for each ending to a menu. `what` is asked when one is chosen; dialogs and
/// problems appear over `beside`.
void addExports(QMenu* menu, QWidget* beside, const std::function<FigureToExport()>& what);

}  // namespace posiscope::ui
