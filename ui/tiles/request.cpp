// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tiles/request.h"

#include "ui/views/list.h"

#include <algorithm>

namespace posiscope::ui {
namespace {

void ask(Request& request, MeasureRequest wanted) {
  if (!wanted.id.empty() && std::ranges::find(request.measures, wanted) == request.measures.end())
    request.measures.push_back(std::move(wanted));
}

}  // namespace

std::vector<int> visibleTiles(const Presentation& presentation) {
  if (presentation.maximised >= 0) return {presentation.maximised};
  std::vector<int> tiles;
  for (int i = 0; i < presentation.tile_count; ++i) tiles.push_back(i);
  return tiles;
}

MeasureRequest tileRequest(const TileState& tile, const Presentation& presentation, const Experiment& experiment) {
  const ViewKind* view = findView(tile.view);
  if (!view) return {};
  if (!view->request) return {view->measure, {}};
  return view->request(tile, presentation, experiment);
}

Request requestOf(const Experiment& experiment, const Presentation& presentation) {
  Request request{experiment, {}};
  for (const int index : visibleTiles(presentation))
    ask(request, tileRequest(presentation.tiles[static_cast<std::size_t>(index)], presentation, experiment));
  if (presentation.inspector) ask(request, {"spectrum", {}});
  return request;
}

Request pinnedRequestOf(const Presentation& presentation) {
  Request request;
  if (!presentation.pinned) return request;
  request.experiment = *presentation.pinned;
  for (const int index : visibleTiles(presentation)) {
    const TileState& tile = presentation.tiles[static_cast<std::size_t>(index)];
    const ViewKind* view = findView(tile.view);
    if (view && view->shows_pinned) ask(request, tileRequest(tile, presentation, request.experiment));
  }
  return request;
}

int answerIndex(const Result* result, const MeasureRequest& wanted) {
  if (!result || wanted.id.empty()) return -1;
  const std::vector<MeasureRequest>& answered = result->request.measures;
  auto found = std::ranges::find(answered, wanted);
  if (found == answered.end()) found = std::ranges::find(answered, wanted.id, &MeasureRequest::id);
  return found == answered.end() ? -1 : static_cast<int>(found - answered.begin());
}

}  // namespace posiscope::ui
