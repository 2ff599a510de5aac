// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

namespace posiscope::ui {

/// `share` of one colour over another, opaque: overlapping segments of a faint line show no knots, and every export
/// format can draw it.
inline QColor blend(const QColor& over, const QColor& under, double share) {
  const auto mix = [share](int a, int b) { return static_cast<int>(share * a + (1 - share) * b + 0.5); };
  return {mix(over.red(), under.red()), mix(over.green(), under.green()), mix(over.blue(), under.blue())};
}

}  // namespace posiscope::ui
