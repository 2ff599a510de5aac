// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "ui/views/view.h"

#include <QImage>
#include <QString>

namespace posiscope::ui {

struct FigureOptions {
  int width = 960;   ///< logical pixels (1/96 inch)
  int height = 600;
  int dpi = 96;      ///< of PNG: the image has width·dpi/96 dots
};

/// Draws the view into a file; the ending chooses SVG, PDF or PNG. Written beside and renamed, so a failure
/// never leaves half a file. The parameters go into the file's metadata.
Outcome exportFigure(const ViewKind& view, const ViewContext& context, const QString& path,
                     const FigureOptions& options);

QImage figureImage(const ViewKind& view, const ViewContext& context, const FigureOptions& options);

/// The numbers behind the view: .csv or .npy; several schemes give one file each (F.1.npy, F.2.npy, …).
/// Answers the files written.
Expected<QStringList> exportNumbers(const ViewContext& context, const QString& path);

}  // namespace posiscope::ui
