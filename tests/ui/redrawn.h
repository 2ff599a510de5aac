// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QString>
#include <QStringList>

namespace posiscope::ui {

/// Are the programs there that draw SVG and PDF files again (rsvg-convert, pdftoppm) and read their text?
bool otherProgramsAreThere();

/// The file as another program draws it, RGB32: SVG by librsvg, PDF by poppler. Null when the program refuses it.
QImage redrawn(const QString& file, int dpi);

/// What a program prints, with whitespace made single spaces; empty when it fails.
QString printed(const QString& program, const QStringList& arguments);

/// How far two pictures are from one another. Programs smooth letters and lines in their own ways, so single dots say
/// little: the mean and blocks of dots do.
struct Distance {
  double mean = 255;   ///< absolute difference of a channel, 0 to 255, over all dots
  double block = 255;  ///< the largest difference of the mean colours of two blocks of 16 x 16 dots, in one channel
};

/// Both distances are 255 when the sizes differ.
Distance distanceOf(const QImage& a, const QImage& b);

}  // namespace posiscope::ui
