// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/paint/style.h"

#include <QRectF>
#include <QString>

class QPainter;

namespace posiscope::ui {

/// A sentence as a small room can show it: in a smaller type, at last shortened.
struct FittedSentence {
  QString text;
  int pixels = 13;
};
FittedSentence fitSentence(const QSizeF& room, const QString& sentence, const Style& style);

/// One calm sentence in the middle: why there is nothing to see. It stays inside the area.
void drawSentence(QPainter& painter, const QRectF& area, const QString& sentence, const Style& style);

/// A strip with a warning dot and a sentence: what went wrong.
void drawNotice(QPainter& painter, const QRectF& area, const QString& sentence, const Style& style);
/// The height such a strip needs.
double noticeHeight(const QString& sentence, double width, const Style& style);

/// What is under it is about to be replaced.
void drawStaleVeil(QPainter& painter, const QRectF& area, const Style& style);

/// "RoPE · YaRN" without its beginning: "YaRN".
QString shortName(const QString& name);

/// A colour square and a name; answers the width used. A name that is too long loses its
/// beginning up to the last " · " first, then its end: variants of one scheme differ at the end.
double drawKey(QPainter& painter, const QRectF& area, const QColor& colour, const QString& name, const Style& style);

/// The frame that shows where the keyboard is.
void drawFocusFrame(QPainter& painter, const QRectF& area, const Style& style);

}  // namespace posiscope::ui
