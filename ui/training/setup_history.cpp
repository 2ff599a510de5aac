// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/setup_history.h"

#include <utility>

namespace posiscope::ui {
namespace {

constexpr std::size_t most_steps = 200;

}  // namespace

void SetupHistory::follow(const train::ComparisonSpec& changed, const QString& gesture) {
  if (gesture.isEmpty() || gesture != gesture_) endGesture();
  gesture_ = gesture;
  if (changed == now_) return;
  future_.clear();
  if (!gesture_open_) {
    past_.push_back(std::move(now_));
    if (past_.size() > most_steps) past_.erase(past_.begin());
    gesture_open_ = !gesture.isEmpty();
  }
  now_ = changed;
}

void SetupHistory::endGesture() {
  const bool came_back = gesture_open_ && past_.back() == now_;
  if (came_back) past_.pop_back();
  gesture_.clear();
  gesture_open_ = false;
}

std::optional<train::ComparisonSpec> SetupHistory::undo() {
  endGesture();
  return go(past_, future_);
}

std::optional<train::ComparisonSpec> SetupHistory::redo() {
  endGesture();
  return go(future_, past_);
}

std::optional<train::ComparisonSpec> SetupHistory::go(Steps& from, Steps& to) {
  if (from.empty()) return std::nullopt;
  to.push_back(std::exchange(now_, std::move(from.back())));
  from.pop_back();
  return now_;
}

}  // namespace posiscope::ui
