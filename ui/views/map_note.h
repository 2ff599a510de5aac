// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/views/map_scene.h"

#include <QString>
#include <QStringList>

class QFontMetricsF;

namespace posiscope::ui {

/// What stands in small type below the maps: what was computed, and how much, what it says, whose values are drawn from
/// a seed, which part is shown, and, when cells share pixels (`reduced`), what a pixel stands for. Empty when there is
/// nothing to say.
QString mapNote(const MapScene& scene, bool reduced);

/// "first 880 of 131 072 positions": which part of the first map is shown. Empty when all of it is.
QString shownPartText(const MapScene& scene);

/// The text in lines of at most `width`, broken between words (or Chinese letters); what does not fit into `most`
/// lines is elided.
QStringList wrapped(const QString& text, double width, int most, const QFontMetricsF& metrics);

}  // namespace posiscope::ui
