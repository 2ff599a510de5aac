// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/run_spec.h"

#include <optional>
#include <QString>
#include <utility>
#include <vector>

namespace posiscope::ui {

/// What was to be trained before, and can be again. As in the views, each change is one step, and so are all changes
/// of one gesture, a drag of a slider for instance. Its own, not the one of the views: what is trained is no part of
/// their question, and a step back there should not change what cannot be seen.
class SetupHistory {
 public:
  explicit SetupHistory(train::ComparisonSpec now) : now_(std::move(now)) {}

  /// A change, if it is one. Those with the same non-empty `gesture` form one step until `endGesture`.
  void follow(const train::ComparisonSpec& changed, const QString& gesture = {});
  /// A gesture that came back to its start is no step.
  void endGesture();
  bool canUndo() const { return !past_.empty(); }
  bool canRedo() const { return !future_.empty(); }
  /// The specification that holds again; nothing when there is no such step.
  std::optional<train::ComparisonSpec> undo();
  std::optional<train::ComparisonSpec> redo();

 private:
  using Steps = std::vector<train::ComparisonSpec>;
  std::optional<train::ComparisonSpec> go(Steps& from, Steps& to);

  train::ComparisonSpec now_;
  Steps past_, future_;
  QString gesture_;
  bool gesture_open_ = false;  ///< its step is there
};

}  // namespace posiscope::ui
