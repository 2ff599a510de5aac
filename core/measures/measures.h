// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure.h"

namespace posiscope::measures {

// One file each; what a measure answers stands in its `how_to_read` and `shape_help`.
#define MEASURE(name) Measure name();
#include "core/measures/list.def"
#undef MEASURE

}  // namespace posiscope::measures
