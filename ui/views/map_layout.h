// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/paint/axes.h"
#include "ui/views/map_scene.h"

#include <QRectF>
#include <QStringList>
#include <vector>

namespace posiscope::ui {

inline constexpr int note_pixels = 10;  ///< type size of the note below the maps

/// Where the parts of one panel stand.
struct PanelPlace {
  QRectF caption;  ///< empty = none
  QRectF plot;
  QRectF bar;             ///< its own colour bar; empty = none
  QRectF right_profile;   ///< values of the hovered column; empty = none
  QRectF bottom_profile;  ///< values of the hovered row
  AxisScale rows;         ///< ticks and title empty where the neighbour shows them
  AxisScale cols;

  /// The plot and the profile below it: the column axis stands under both.
  QRectF columnSide() const { return bottom_profile.isEmpty() ? plot : plot.united(bottom_profile); }
};

/// Where everything stands; the drawing and the pointer use the same.
struct MapLayout {
  std::vector<QRectF> failures;  ///< strips at the top, one for each failure of the scene
  QRectF legend;
  QRectF key;                      ///< of the kinds of heads; empty = none
  std::vector<PanelPlace> panels;  ///< one for each panel of the scene
  QRectF bar;                      ///< the shared colour bar
  QRectF strip;                    ///< plot of the curves below the maps
  QRectF notes;                    ///< small text at the bottom
  QString note;                    ///< all of it
  QStringList note_lines;          ///< as it fits
};

/// `density`: samples per unit of length, which decides whether cells share pixels. `interactive`: with room for the
/// profiles of the hovered row and column.
MapLayout layoutMaps(const MapScene& scene, const QRectF& target, double density, bool interactive);

/// Else each panel is named without its explanation, so that all are named alike.
bool captionsFit(const MapScene& scene, const MapLayout& layout);

}  // namespace posiscope::ui
