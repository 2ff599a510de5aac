// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/views/map_scene.h"

#include <QRectF>

class QPainter;

namespace posiscope::ui {

/// Is part of the scene a draft of an answer that is still computed?
bool isDraft(const MapScene& scene);

/// Lets the panels of a draft stand over those of the former answer where both have the same axes. The colours keep the
/// former scale, so that nothing but the numbers changes until the whole answer is there.
void layOver(MapScene& draft, const MapScene& former);

/// The part of a draft's map that is known, in the plot of its panel: the start of both axes. Empty when it is not in
/// the window.
QRectF knownPart(const Map& map, const QRectF& plot, const FieldWindow& window);

/// Says over the lower right corner of a plot that its numbers are estimates, which are being worked out. Over it, not
/// beside it: the plot must not change its size when they are.
void drawEstimateTag(QPainter& painter, const QRectF& plot, const Style& style);

/// The former map, pale, and over it in a frame what the draft knows.
void drawDraft(QPainter& painter, const QRectF& plot, const MapPanel& panel, const FieldWindow& window,
               const Style& style, HeatmapSampler& sampler);

}  // namespace posiscope::ui
