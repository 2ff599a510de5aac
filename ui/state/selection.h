// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dataset.h"
#include "ui/state/presentation.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace posiscope::ui {

// The one rule of what a selected range links: axes of the same symbol show the same range. Pairs and dimensions are
// not linked with each other, because which dimensions make a pair is the scheme's choice.

/// The symbols of the axes of each of the four tiles; empty for a tile that is not on screen.
using TileAxes = std::array<std::vector<std::string>, 4>;

/// `ranges` were selected in `tile`: they join the selection, and every tile with one of these axes gives up the zoom
/// of its own. Positions selected where only one position axis is (a table's rows, the abscissa of curves) hold for
/// queries and keys alike.
Presentation withSelection(Presentation presentation, int tile, Selection ranges, const TileAxes& axes);

/// All of `tile` and of what is linked with it: the ranges on its axes are dropped, and every tile that showed one of
/// them gives up the zoom of its own.
Presentation withoutSelection(Presentation presentation, int tile, const TileAxes& axes);

/// The parts that were shown `before`: its ranges, and its zooms of the tiles that show the same view still.
Presentation withPartsOf(Presentation presentation, const Presentation& before);

/// The range grown to whole indices of the axis, each of which reaches half a step to both sides.
Range wholeSteps(const Axis& axis, Range range);

/// What is selected of an axis that reaches over `whole`; nothing when no range is selected or all of it lies outside.
std::optional<Range> selectedOn(const Selection& selection, const std::string& symbol, const Range& whole);

}  // namespace posiscope::ui
