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
Layout layoutOf(const Presentation& presentation, const Experiment& experiment) {
  Layout layout{presentation.tile_count, presentation.tiles};
  for (TileState& tile : layout.tiles) {
    tile.zoom.reset();
    tile.zoom_axes.clear();
    tile = withKeptPair(std::move(tile), experiment);
  }
  return layout;
}

}  // namespace

Store::Store(QObject* parent) : QObject(parent), presentation_(startPresentation()) {}

void Store::setExperiment(Experiment experiment, const QString& gesture) {
  const bool same_gesture = !gesture.isEmpty() && gesture == gesture_;
  if (!same_gesture) endGesture();
  gesture_ = gesture;
  if (experiment == experiment_) return;
  if (!same_gesture || !gesture_open_) {
    past_.push_back(experiment_);
    if (past_.size() > max_steps) past_.erase(past_.begin());
    gesture_open_ = !gesture.isEmpty();
  }
  future_.clear();
  apply(std::move(experiment));
}

void Store::endGesture() {
  gesture_.clear();
  const bool came_back = gesture_open_ && !past_.empty() && past_.back() == experiment_;
  gesture_open_ = false;
  if (!came_back) return;
  past_.pop_back();
  emit historyChanged();
}

void Store::setPresentation(Presentation presentation) {
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
  saved_ = experiment;
  saved_layout_.reset();
  apply(std::move(experiment));
  setPresentation(std::move(presentation));
}

void Store::undo() {
  endGesture();
  if (past_.empty()) return;
  future_.push_back(experiment_);
  Experiment back = std::move(past_.back());
  past_.pop_back();
  apply(std::move(back));
}

void Store::redo() {
  endGesture();
  if (future_.empty()) return;
  past_.push_back(experiment_);
  Experiment next = std::move(future_.back());
  future_.pop_back();
  apply(std::move(next));
}

bool Store::modified() const {
  return !(experiment_ == saved_) || (saved_layout_ && !(layoutOf(presentation_, experiment_) == *saved_layout_));
}

void Store::markSaved() {
  saved_ = experiment_;
  saved_layout_ = layoutOf(presentation_, experiment_);
  emit historyChanged();
}

void Store::apply(Experiment experiment) {
  Presentation presentation = presentation_;
  if (!sameList(experiment, experiment_))
    for (TileState& tile : presentation.tiles) tile = withKeptPair(std::move(tile), experiment_);
  experiment_ = std::move(experiment);
  setPresentation(std::move(presentation));  // keeps the selection and the head inside the new lists
  emit experimentChanged();
  emit historyChanged();
}

}  // namespace posiscope::ui

#include "moc_store.cpp"
