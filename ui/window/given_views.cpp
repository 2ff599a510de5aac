// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/given_views.h"

#include "ui/views/list.h"

#include <algorithm>
#include <string>
#include <vector>

namespace posiscope::ui {
namespace {

using Kinds = std::vector<const ViewKind*>;

/// The views that can draw it, the best first.
Kinds givenViews() {
  Kinds kinds;
  for (const ViewKind& kind : viewCatalogue())
    if (kind.given_place > 0) kinds.push_back(&kind);
  std::ranges::sort(kinds, {}, &ViewKind::given_place);
  return kinds;
}

bool contains(const Kinds& kinds, const ViewKind* kind) { return std::ranges::find(kinds, kind) != kinds.end(); }

/// A few tokens more than the tile asks for are no reason to cut what was opened.
void showAllTokens(TileState& tile, const Shape& shape) {
  const auto tokens = tile.options.find("tokens");
  if (tokens != tile.options.end() && static_cast<double>(shape.keys()) <= 2 * std::get<double>(tokens->second))
    tile.options.erase(tokens);
}

}  // namespace

Presentation withGivenAttention(Presentation presentation, const Shape& shape) {
  Presentation& p = presentation;
  const Kinds kinds = givenViews();
  const auto kindOf = [&](const TileState& tile) -> const ViewKind* {
    const auto found = std::ranges::find(kinds, tile.view, &ViewKind::id);
    return found != kinds.end() ? *found : nullptr;
  };
  Kinds taken;
  Kinds put_on_screen;
  const auto isFree = [&](const ViewKind* kind) {
    const bool repeats_another = kind->of_all_layers && shape.num_layers == 1;
    return !repeats_another && !contains(taken, kind);
  };
  for (const bool on_screen : {true, false}) {
    std::vector<TileState*> tiles;
    for (int t = 0; t < static_cast<int>(p.tiles.size()); ++t)
      if (on_screen == (p.maximised >= 0 ? t == p.maximised : t < p.tile_count))
        tiles.push_back(&p.tiles[static_cast<std::size_t>(t)]);
    const auto stays = [&](const TileState& tile) {
      return kindOf(tile) != nullptr && (on_screen || !contains(put_on_screen, kindOf(tile)));
    };
    for (TileState* tile : tiles) {
      tile->options.erase("schemes");  // no difference: the schemes that it was taken of go
      if (tile->view == kinds.front()->id) showAllTokens(*tile, shape);
      if (stays(*tile)) taken.push_back(kindOf(*tile));
    }
    for (TileState* tile : tiles) {
      if (stays(*tile)) continue;
      taken.push_back(*std::ranges::find_if(kinds, isFree));
      if (on_screen) put_on_screen.push_back(taken.back());
      *tile = {taken.back()->id, {}, {}};
    }
  }
  return presentation;
}

}  // namespace posiscope::ui
