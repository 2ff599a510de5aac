// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/views/map_scene.h"

#include <QString>

class QFontMetricsF;

namespace posiscope::ui {

/// A caption without what explains its name: "c2c · 62 % of the variance" of "c2c, content to content · 62 % of …".
QString withoutExplanation(const QString& caption);

/// The caption for a place of this width. One with a brief form, "name · number", is shortened to that, then its name
/// is cut: the number is what it is there for.
QString captionText(const MapPanel& panel, bool without_explanation, double width, const QFontMetricsF& metrics);

}  // namespace posiscope::ui
