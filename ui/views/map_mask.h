// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dataset.h"
#include "core/measure.h"

#include <cstdint>
#include <functional>

namespace posiscope::ui {

/// Which cells of a map, query × key, the question's mask forbids; empty when it forbids none. Of weights that another
/// program computed also the rows that are all zeros: whatever its mask was, there was nothing to attend to. The
/// measure may have looked at the first tokens only.
std::function<bool(std::int64_t row, std::int64_t col)> forbidden(const Question& question, const Map& map);

/// Are these weights of a query that may look at no key? Such a row is all zeros, any other sums to 1.
bool hasNothingToAttendTo(const Map& map, std::int64_t row);
/// Which rows of a map are such; empty when none is.
std::function<bool(std::int64_t row)> nothingToAttendTo(const Map& map);

}  // namespace posiscope::ui
