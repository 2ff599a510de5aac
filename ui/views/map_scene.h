// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dataset.h"
#include "core/heads/kinds.h"
#include "ui/paint/heatmap.h"
#include "ui/views/map_difference.h"
#include "ui/views/map_options.h"
#include "ui/views/pair_columns.h"
#include "ui/views/view.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <QColor>
#include <QList>
#include <QString>
#include <QStringList>
#include <vector>

namespace posiscope::ui {

/// One heatmap of a view, or the reason why there is none.
struct MapPanel {
  std::shared_ptr<const Dataset> dataset;  ///< keeps `map` alive
  const Map* map = nullptr;
  QString name;   ///< of the scheme
  QColor colour;  ///< of the scheme
  QString minus;  ///< of the scheme that is subtracted; empty = none is
  QColor minus_colour;
  int scheme = -1;  ///< index in the experiment; −1 for a difference
  int head = -1;
  int layer = -1;                   ///< where a view shows several: each starts a row of its own
  PairColumns pairs;                ///< of an axis of dimensions
  QString caption;                  ///< above the panel: the scheme, or the head where a legend names the schemes
  QString brief;                    ///< of the caption, where it is too long; empty = as names are shortened
  QString sentence;                 ///< shown instead of a map; of a map, what its tooltip says
  std::optional<heads::Kind> kind;  ///< of its head: colours caption and frame
  bool outlined = false;            ///< of the chosen head
  /// What stood here before a draft: shown, paler, where the draft has nothing. Null = there is no draft, or nothing.
  const Map* former = nullptr;
  std::shared_ptr<const Dataset> former_dataset;  ///< keeps `former` alive
  HeatmapLook look;
};

/// A curve below the maps.
struct StripCurve {
  std::shared_ptr<const Dataset> dataset;
  const Curve* curve = nullptr;
  int scheme_colour = 0;
  QList<qreal> dashes;  ///< tells the schemes apart in grey print
  bool pinned = false;  ///< of the "before": faint, behind the others
};

/// A cell that options of the view name: a patch.
struct ChosenCell {
  std::string row_option;  ///< which option has its row
  std::string col_option;
  std::int64_t row = 0;
  std::int64_t col = 0;
};

/// A view made of heatmaps, complete: what a drawing of it depends on.
struct MapScene {
  std::vector<MapPanel> panels;
  std::vector<QString> failures;  ///< one sentence for each scheme that has no answer; strips above the maps
  std::vector<StripCurve> strip;  ///< the pinned ones last
  QString nothing;                ///< the one sentence when there is no panel at all
  QString scope;
  QStringList findings;  ///< what a difference says about its two schemes
  QStringList drawn;     ///< names of the schemes whose values are drawn from a seed; one empty name of a single scheme
  bool stale = false;
  bool square = false;               ///< cells as high as wide (position × position)
  double aspect = 1;                 ///< width of a square plot by its height: a grid of patches has its own
  std::optional<ChosenCell> chosen;  ///< outlined; a click chooses another
  bool captioned = false;            ///< a lone panel has its caption too
  bool legend = false;               ///< captions are heads: a line at the top names the schemes
  std::vector<heads::Kind> kinds;    ///< those of the panels, which a key at the top names
  bool lone = false;                 ///< one scheme is compared: nothing needs to say which
  bool one_scale = true;             ///< one colour bar serves all panels
  bool profiles = false;             ///< leave room for the curves of the hovered row and column
  Reduction reduction = Reduction::mean;
  std::optional<Zoom> zoom;
  Style style;

  /// The first panel that has a map; null when none has.
  const MapPanel* first() const;
  /// What the one scale of all panels measures: "cos of the angle", or "… × attention factor" where that is part of
  /// some of them (it is 1 in the others).
  QString valueTitle() const;
};

/// What a view wants from the datasets.
struct MapChoice {
  std::vector<int> schemes;  ///< indices in the experiment; empty = all
  std::string part;          ///< key of the map to take; empty or unknown = the first
  int head = -1;             ///< −1 = not by head
  bool all_heads = false;
  bool all_parts = false;                ///< every map of a scheme, each with its own label
  std::optional<SchemePair> difference;  ///< instead of the schemes themselves
  bool mask = false;                     ///< zeros that the mask explains get a colour of their own
};

/// The panels, failures and sentences of a context, with colours and limits decided.
MapScene makeMapScene(const ViewContext& context, const MapChoice& choice);

/// Square cells on plots with the sides of the first map, at most four times as long one way as the other.
void keepSides(MapScene& scene);

/// The cells of a panel that are visible with this zoom, which is in the units of the first panel's axes; panels of
/// another size show the same share.
FieldWindow visibleWindow(const MapScene& scene, const Map& map);
/// The whole map as a zoom: a cell reaches half a step to both sides of its index.
Zoom wholeZoom(const Map& map);
/// What is selected of a map's axes; nothing when that is all of it.
std::optional<Zoom> selectedZoom(const Selection& selection, const Map& map);
/// The zoom moved, and where it is too large cut, into the whole; nothing when that is all of it.
std::optional<Zoom> keptInside(Zoom zoom, const Zoom& whole);

}  // namespace posiscope::ui
