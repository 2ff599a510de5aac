// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text.h"

#include <QString>
#include <vector>

namespace posiscope::ui {

/// A small model that the program's own training bench has made and that comes with it.
struct TrainedExample {
  QString id;  ///< its folder's name, "trained-rope"
  Text name;
  Text about;  ///< one sentence: what it was trained on
};
const std::vector<TrainedExample>& trainedExamples();

/// The folder of the example, ready to be opened as any model's: weights are mapped from a file, so what the program
/// carries is written beside its other data once, and again when it is another version's. Empty when that cannot be.
QString placeTrainedExample(const QString& id);

/// Lets the core find the examples by the names that sessions call them by ("trained:rope"). Once, at the start.
void carryTrainedExamples();

}  // namespace posiscope::ui
