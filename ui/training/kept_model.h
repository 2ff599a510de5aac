// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace posiscope::ui {

/// A copy of a trained model among the user's data, under the name of its folder and a few digits that tell its
/// weights from others': what a session names must outlive the training. Empty when it cannot be written.
QString keptModel(const QString& folder);

}  // namespace posiscope::ui
