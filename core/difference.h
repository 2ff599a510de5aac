// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dataset.h"

namespace posiscope {

/// a − b, cell by cell: as large as the larger of the two each way, NaN where either has no cell or no number. Stored
/// where both are stored in the same shape and fit into `most_stored_difference` bytes, else computed when asked.
std::shared_ptr<const Field> differenceField(std::shared_ptr<const Field> a, std::shared_ptr<const Field> b);

inline constexpr double most_stored_difference = 64.0 * 1024 * 1024;

/// The maps of `a` minus those of `b`: same key (else same head, else the first of each). Indices must mean the same:
/// maps whose axes differ in symbol, first value or step are not subtracted. Curves and metrics are not part of it. Of
/// stored maps a remark says where they differ first and most, or that only the order of their columns differs.
/// Error: not_defined when nothing can be subtracted; the sentence says what the axes are.
Expected<Dataset> difference(const Dataset& a, const Dataset& b);

}  // namespace posiscope
