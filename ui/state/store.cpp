// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/store.h"

#include "ui/state/scheme_pair.h"

#include <algorithm>
#include <utility>

namespace posiscope::ui {
namespace {

/// Long sessions with file arrays share their numbers, so a step costs little; still it must end somewhere.
constexpr std::size_t max_steps = 200;

/// Whether a tile names two schemes by their places or keeps them makes no difference to the work.
std::vector<TileState> tilesOf(const Presentation& presentation, const Experiment& experiment) {
  std::vector<TileState> tiles = presentation.tiles;
  for (TileState& tile : tiles) tile = withKeptPair(std::move(tile), experiment);
  return tiles;
}

std::vector<TileState> withoutZooms(std::vector<TileState> tiles) {
  for (TileState& tile : tiles) {
    tile.zoom.reset();
    tile.zoom_axes.clear();
  }
  return tiles;
}

Layout layoutOf(const Presentation& presentation, const Experiment& experiment) {
  return {presentation.tile_count, withoutZooms(tilesOf(presentation, experiment)), presentation.pinned};
}

Views viewsOf(const Presentation& presentation, const Experiment& experiment) {
  return {presentation.tile_count, tilesOf(presentation, experiment), presentation.head, presentation.pinned,
          presentation.selected};
}

/// A tile that shows the same view is zoomed as it is now, except where the step is to another shape and nothing is
/// zoomed: that of the one that is left is of no use there. What changes is on screen afterwards: a step that nobody
/// sees would be taken back again.
Presentation withViews(Presentation presentation, const Views& views, bool other_shape) {
  if (presentation.tile_count != views.tile_count) presentation.maximised = -1;
  presentation.tile_count = views.tile_count;
  presentation.head = views.head;
  presentation.pinned = views.pinned;
  for (std::size_t i = 0; i < presentation.tiles.size(); ++i) {
    TileState& tile = presentation.tiles[i];
    const TileState& wanted = views.tiles[i];
    if (tile.view == wanted.view && other_shape && !tile.zoom) {
      tile.zoom = wanted.zoom;
      tile.zoom_axes = wanted.zoom_axes;
    }
    if (tile.view == wanted.view && tile.options == wanted.options) continue;
    if (tile.view == wanted.view)
      tile.options = wanted.options;
    else
      tile = wanted;
    const int index = static_cast<int>(i);
    if (presentation.maximised != index) presentation.maximised = -1;
    if (index >= presentation.tile_count) presentation.tile_count = index < 2 ? 2 : 4;
  }
  return presentation;
}

}  // namespace

bool Views::operator==(const Views& other) const {
  return tile_count == other.tile_count && head == other.head && pinned == other.pinned &&
         withoutZooms(tiles) == withoutZooms(other.tiles);
}

Store::Store(QObject* parent) : QObject(parent), presentation_(startPresentation()) {}

Store::Step Store::now() const { return {experiment_, viewsOf(presentation_, experiment_)}; }

void Store::enter(const QString& gesture) {
  if (gesture.isEmpty() || gesture != gesture_) endGesture();
  gesture_ = gesture;
}

void Store::remember(Step step) {
  future_.clear();
  if (gesture_open_) return;
  past_.push_back(std::move(step));
  if (past_.size() > max_steps) past_.erase(past_.begin());
  gesture_open_ = !gesture_.isEmpty();
}

void Store::setExperiment(Experiment experiment, const QString& gesture) {
  enter(gesture);
  if (experiment == experiment_) return;
  remember(now());
  apply(std::move(experiment));
}

void Store::endGesture() {
  gesture_.clear();
  const bool came_back = gesture_open_ && !past_.empty() && past_.back() == now();
  gesture_open_ = false;
  if (!came_back) return;
  past_.pop_back();
  emit historyChanged();
}

void Store::setPresentation(Presentation presentation, const QString& gesture) {
  if (viewsOf(presentation, experiment_) == viewsOf(presentation_, experiment_))
    return present(std::move(presentation));
  enter(gesture);
  remember(now());
  present(std::move(presentation));
  emit historyChanged();
}

void Store::setAll(Experiment experiment, Presentation presentation) {
  enter({});
  Step before = now();
  if (experiment != experiment_) apply(std::move(experiment));
  present(std::move(presentation));
  if (before == now()) return;
  remember(std::move(before));
  emit historyChanged();
}

void Store::present(Presentation presentation) {
  const int last = std::max(0, static_cast<int>(experiment_.schemes.size()) - 1);
  presentation.selected = std::clamp(presentation.selected, 0, last);
  presentation.head = std::clamp(presentation.head, 0, std::max(0, static_cast<int>(experiment_.shape.num_heads) - 1));
  if (presentation == presentation_) return;
  const bool was_modified = modified();
  presentation_ = std::move(presentation);
  emit presentationChanged();
  if (modified() != was_modified) emit historyChanged();
}

void Store::setHover(Hover hover) {
  if (hover == hover_) return;
  hover_ = std::move(hover);
  emit hoverChanged();
}

void Store::reset(Experiment experiment, Presentation presentation) {
  past_.clear();
  future_.clear();
  gesture_.clear();
  gesture_open_ = false;
  hover_ = {};
  saved_ = {experiment, std::nullopt};
  apply(std::move(experiment));
  present(std::move(presentation));
}

void Store::undo() {
  endGesture();
  if (past_.empty()) return;
  future_.push_back(now());
  Step back = std::move(past_.back());
  past_.pop_back();
  apply(std::move(back));
  emit steppedThrough();
}

void Store::redo() {
  endGesture();
  if (future_.empty()) return;
  past_.push_back(now());
  Step next = std::move(future_.back());
  future_.pop_back();
  apply(std::move(next));
  emit steppedThrough();
}

bool Store::modified() const {
  return !(experiment_ == saved_.experiment) ||
         (saved_.layout && !(layoutOf(presentation_, experiment_) == *saved_.layout));
}

void Store::markSaved() { setSaved({experiment_, layoutOf(presentation_, experiment_)}); }

void Store::markOpened() { setSaved({experiment_, std::nullopt}); }

void Store::setSaved(Saved saved) {
  saved_ = std::move(saved);
  emit historyChanged();
}

void Store::apply(Experiment experiment) {
  Presentation presentation = presentation_;
  if (!sameList(experiment, experiment_))
    for (TileState& tile : presentation.tiles) tile = withKeptPair(std::move(tile), experiment_);
  experiment_ = std::move(experiment);
  present(std::move(presentation));  // keeps the selection and the head inside the new lists
  emit experimentChanged();
  emit historyChanged();
}

void Store::apply(Step step) {
  const bool other_question = step.experiment != experiment_;
  const bool other_shape = step.experiment.shape != experiment_.shape;
  const bool other_list = !sameList(step.experiment, experiment_);
  if (other_question) apply(std::move(step.experiment));
  Presentation shown = withViews(presentation_, step.views, other_shape);
  // In another list the same place is another scheme; in the same one what was selected since stays selected.
  if (other_list) shown.selected = step.views.selected;
  present(std::move(shown));
  if (!other_question) emit historyChanged();
}

}  // namespace posiscope::ui

#include "moc_store.cpp"
