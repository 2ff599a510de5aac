// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QRectF>
#include <QString>

class QPainter;

namespace posiscope::ui {

/// Draws resources/icons/NAME.svg in one colour, sharp at any scale.
void paintIcon(QPainter& painter, const QRectF& target, const QString& name, const QColor& colour);

/// Draws any SVG resource in one colour, fitted into the target without distortion and centred. False when there is
/// no such resource.
bool paintSvg(QPainter& painter, const QRectF& target, const QString& resource, const QColor& colour);

/// The size a formula wants: 1000 units of its view box are one em of `pixels`. Empty when there is none.
QSizeF formulaSize(const QString& resource, double pixels);

}  // namespace posiscope::ui
