// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/paint/style.h"
#include "ui/views/view.h"

#include <QColor>
#include <QList>
#include <QString>
#include <vector>

namespace posiscope::ui {

// The pinned "before": the same faint look in every picture with curves.

constexpr double pinned_width = 1.2;
const QList<qreal>& pinnedDashes();
/// Neutral with a tint of its scheme: legible on both grounds, and not taken for a present curve.
QColor pinnedColour(int scheme_colour, const Style& style);
QString pinnedName(const Style& style);

/// Is there a pinned curve that is none of the present ones again? Else there is nothing to explain.
bool pinnedDiffer(const std::vector<const Curve*>& pinned, const std::vector<const Curve*>& present);

/// The pinned answers to what this view shows, one for each scheme of the pinned question. Null while nothing is
/// pinned, or not answered yet, or while the present curves are the pinned ones.
const std::vector<Answer>* pinnedAnswers(const ViewContext& context);

}  // namespace posiscope::ui
