// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/models/config_reader.h"
#include "core/models/model.h"
#include "core/models/reason.h"

namespace posiscope::models {

/// An image model of several stages with windows (Swin): shape, training length and scheme of its first stage, whose
/// heads and width stand in lists. A note names the stages whose map is smaller than the window: there the window, and
/// with it the bias table, is smaller too.
void readWindowStages(const ConfigReader& root, Inspection& to, Reason& scheme, Reason& shape);

/// What the rows of a trained bias table tell about its window, against the window of the configuration: a reason, and
/// a note where the two differ. The first table that fits the scheme becomes its table.
void useWindowTable(const Array& table, Inspection& to);

}  // namespace posiscope::models
