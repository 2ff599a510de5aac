// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/heads/kinds.h"
#include "ui/paint/style.h"

#include <QRectF>
#include <vector>

class QPainter;

namespace posiscope::ui {

// How the kinds of heads look, everywhere the same. A colour never stands without its word.

QColor kindColour(heads::Kind kind, const Style& style);
/// The ink that is read on an area filled with it.
QColor inkOn(const QColor& fill);

/// A rounded area in a tint of its colour with the word inside, at the left of the area; shortened where it must be.
void drawKindChip(QPainter& painter, const QRectF& area, heads::Kind kind, const Style& style);
double kindChipWidth(heads::Kind kind, const Style& style);

/// A square and the word of each kind, in as many lines as the width asks for.
void drawKindKey(QPainter& painter, const QRectF& area, const std::vector<heads::Kind>& kinds, const Style& style);
double kindKeyHeight(const std::vector<heads::Kind>& kinds, double width, const Style& style);

}  // namespace posiscope::ui
