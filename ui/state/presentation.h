// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parameter.h"
#include "core/text.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace posiscope {
struct Experiment;
}

namespace posiscope::ui {

enum class ThemeChoice { system, light, dark };

/// A visible part of a view in the units of its axes.
struct Zoom {
  double x0 = 0, x1 = 0, y0 = 0, y1 = 0;

  bool operator==(const Zoom&) const = default;
};

/// Part of an axis, in its units.
struct Range {
  double low = 0, high = 0;

  bool operator==(const Range&) const = default;
};

/// The ranges that were selected, by the symbol of the axis they lie on: "i" and "j" positions, "n" offsets, "p" pairs,
/// "d" dimensions, "h" heads. Every view that has such an axis shows its range, until it is zoomed by itself.
using Selection = std::map<std::string, Range>;

/// One tile of the centre grid.
struct TileState {
  std::string view;     ///< view id
  ParamValues options;  ///< of the view: what differs from its defaults
  std::optional<Zoom> zoom;  ///< of this tile alone; comes before the selection
  /// The axes the zoom was made for, "p i" for pairs by positions: another map keeps its own whole. Empty = any.
  std::string zoom_axes = {};

  bool operator==(const TileState&) const = default;
};

/// What only repaints; kept apart from the `Experiment` so that a colour-map change computes nothing.
struct Presentation {
  int tile_count = 4;            ///< 1, 2 or 4 tiles are shown
  std::vector<TileState> tiles;  ///< always 4
  Selection selection;           ///< shown by all tiles with such axes
  int maximised = -1;            ///< index of the maximised tile
  int selected = 0;              ///< index of the scheme whose parameters are shown
  int head = 0;                  ///< the head shown where one is shown
  bool inspector = true;
  /// The question whose curves stay behind the present ones as a faint "before"; null = none. Never changed, so shared.
  std::shared_ptr<const Experiment> pinned;
  std::string kept;  ///< JSON object text: what a session said that this version cannot show; empty = nothing
  Language language = Language::english;
  ThemeChoice theme = ThemeChoice::system;

  bool operator==(const Presentation&) const = default;
};

Presentation startPresentation();

/// What the pointer is on, in the field's terms; the same in every view. Unset members do not apply.
struct Hover {
  std::optional<double> i;       ///< position or query
  std::optional<double> j;       ///< key
  std::optional<double> offset;  ///< i − j
  std::optional<double> pair;
  std::optional<double> dim;
  std::optional<int> head;
  std::map<std::string, double> other;  ///< on axes without a member of their own, by symbol: "r", "c" of a patch
  std::optional<int> scheme;     ///< index in the experiment
  std::optional<double> value;
  bool difference = false;       ///< `value` is that of one scheme minus that of another
  std::string view;              ///< id of the view the pointer is in; empty = nowhere

  bool operator==(const Hover&) const = default;
};

}  // namespace posiscope::ui
