// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/readout.h"

#include <QString>

class QFontMetricsF;

namespace posiscope::ui {

/// What the pointer is on, in one line of a label: the place, the term, and for each scheme its square, name and value.
struct PointerLine {
  QString text;  ///< rich text
  bool whole = true;
};

/// The line in `room` pixels. The names of the schemes give way first – a square says whose a value is –, then the
/// term, then the end of the place. No number is ever cut: where even squares and values are too many, the last are
/// left out and an ellipsis says so.
PointerLine fitPointerLine(const PointerReadout& readout, double room, const QFontMetricsF& metrics);

/// All of it as rich text, one thing a line: for a tooltip.
QString pointerTooltip(const PointerReadout& readout);

}  // namespace posiscope::ui
