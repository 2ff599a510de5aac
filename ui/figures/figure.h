// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "core/job.h"
#include "ui/views/view.h"

#include <memory>
#include <QImage>
#include <QString>
#include <QStringList>
#include <vector>

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

/// Can there be an image of this size? Errors: out_of_range, too_large.
Outcome checkImage(const FigureOptions& options);
/// Of options that `checkImage` allows.
QImage figureImage(const ViewKind& view, const ViewContext& context, const FigureOptions& options);

/// The numbers behind a view and where each of them goes: all that is needed to write them, on any thread.
struct NumberFiles {
  QStringList paths;
  std::vector<std::shared_ptr<const Dataset>> datasets;  ///< one for each path
  std::vector<std::string> comments;                     ///< one for each path: whose numbers they are, where several
};

/// The numbers of what the tile shows: of the selected scheme, of the difference, or of all schemes. `path` ends in
/// .csv or .npy; several schemes give one file each (F.1.npy, F.2.npy, …). Everything that can be refused before
/// writing is refused here.
Expected<NumberFiles> numberFiles(const ViewContext& context, const QString& path);
/// Answers the files written, each as a whole: fewer than asked when the job was stopped.
Expected<QStringList> writeNumbers(const NumberFiles& files, const Job& job);
/// Both at once.
Expected<QStringList> exportNumbers(const ViewContext& context, const QString& path);

}  // namespace posiscope::ui
