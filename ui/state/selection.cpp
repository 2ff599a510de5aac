// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/selection.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace posiscope::ui {
namespace {

bool has(const std::vector<std::string>& axes, const std::string& symbol) {
  return std::ranges::find(axes, symbol) != axes.end();
}

bool isPosition(const std::string& symbol) { return symbol == "i" || symbol == "j"; }

const std::vector<std::string>& axesOf(const TileAxes& axes, int tile) { return axes[static_cast<std::size_t>(tile)]; }

/// The zoom of a tile would hide what the selection says.
void dropZooms(Presentation& presentation, int tile, const Selection& ranges, const TileAxes& axes) {
  presentation.tiles[static_cast<std::size_t>(tile)].zoom.reset();
  for (std::size_t t = 0; t < axes.size(); ++t)
    if (std::ranges::any_of(ranges, [&](const auto& range) { return has(axes[t], range.first); }))
      presentation.tiles[t].zoom.reset();
}

}  // namespace

Presentation withSelection(Presentation presentation, int tile, Selection ranges, const TileAxes& axes) {
  const std::vector<std::string>& own = axesOf(axes, tile);
  for (const auto& [one, other] : {std::pair{"i", "j"}, std::pair{"j", "i"}})
    if (const auto range = ranges.find(one); range != ranges.end() && !has(own, other)) ranges[other] = range->second;
  dropZooms(presentation, tile, ranges, axes);
  for (const auto& [symbol, range] : ranges) presentation.selection[symbol] = range;
  return presentation;
}

Presentation withoutSelection(Presentation presentation, int tile, const TileAxes& axes) {
  const std::vector<std::string>& own = axesOf(axes, tile);
  const bool positions = std::ranges::any_of(own, isPosition);
  Selection dropped;
  for (const auto& [symbol, range] : presentation.selection)
    if (has(own, symbol) || (positions && isPosition(symbol))) dropped[symbol] = range;
  dropZooms(presentation, tile, dropped, axes);
  for (const auto& [symbol, range] : dropped) presentation.selection.erase(symbol);
  return presentation;
}

Presentation withPartsOf(Presentation presentation, const Presentation& before) {
  presentation.selection = before.selection;
  for (std::size_t t = 0; t < std::min(presentation.tiles.size(), before.tiles.size()); ++t) {
    TileState& tile = presentation.tiles[t];
    if (tile.view != before.tiles[t].view) continue;
    tile.zoom = before.tiles[t].zoom;
    tile.zoom_axes = before.tiles[t].zoom_axes;
  }
  return presentation;
}

Range wholeSteps(const Axis& axis, Range range) {
  const double step = axis.step == 0 ? 1 : std::abs(axis.step);
  // The half step more belongs to the last index: an edge exactly between two cells takes neither.
  constexpr double touch = 1e-9;
  const double first = std::floor((range.low - axis.first) / step + 0.5 + touch);
  const double last = std::max(first, std::ceil((range.high - axis.first) / step - 0.5 - touch));
  return {axis.first + (first - 0.5) * step, axis.first + (last + 0.5) * step};
}

std::optional<Range> selectedOn(const Selection& selection, const std::string& symbol, const Range& whole) {
  const auto found = selection.find(symbol);
  if (symbol.empty() || found == selection.end()) return std::nullopt;
  // A session is read as it is: what is not a range is as if not selected.
  const Range part{std::max(found->second.low, whole.low), std::min(found->second.high, whole.high)};
  if (!(part.low < part.high) || !std::isfinite(part.low) || !std::isfinite(part.high)) return std::nullopt;
  return part;
}

}  // namespace posiscope::ui
