// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/views/view.h"

#include <cstddef>
#include <QColor>
#include <QImage>

namespace posiscope::ui {

/// One curve by offset, height · cos(speed · n), and a line at the trained 64.
Dataset waving(std::size_t points, double speed, double height = 1);
/// Three of them as relative decay.
ViewContext decayContext(bool dark = false, Language language = Language::english);
/// What an export of a curve view paints, on a ground no view has.
QImage drawnCurves(const ViewKind& kind, const ViewContext& context, QSize size = {480, 320});
/// Pixels near a colour: lines are antialiased, their middles are not.
int countOf(const QImage& image, const QColor& colour);

}  // namespace posiscope::ui
