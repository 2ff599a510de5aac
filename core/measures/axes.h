// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dataset.h"
#include "core/shape.h"

namespace posiscope::measures {

// The axes that several measures have, so that they are called the same everywhere.

Axis positionAxis(const Shape& shape);                            ///< position i
Axis queryAxis(const Shape& shape);                               ///< query i
Axis keyAxis(const Shape& shape);                                 ///< key j
Axis dimensionAxis();                                             ///< dimension d
Axis pairAxis();                                                  ///< pair p
Axis headAxis();                                                  ///< head h
Axis patchRowAxis();                                              ///< row r of a grid of patches
Axis patchColumnAxis();                                           ///< column c
Axis rowOffsetAxis(std::int64_t first);                           ///< row offset Δr, query − key
Axis columnOffsetAxis(std::int64_t first);                        ///< column offset Δc
Axis offsetAxis(std::int64_t first, bool logarithmic);            ///< offset n = i − j
Axis valueAxis(Text name, std::string unit = {}, bool logarithmic = false);

/// "7 × 7 patches" in both languages.
Text patchesText(std::int64_t height, std::int64_t width);

/// "head 3" in both languages.
Text headText(std::int64_t head);

/// The vertical or horizontal line at the training length; nothing when it is not known.
void addTrainedMark(Dataset& dataset, double train_length, bool vertical);

/// A number for a sentence: whole ones grouped with thin spaces ("131 072"), others rounded to four digits.
std::string readable(double value);

}  // namespace posiscope::measures
