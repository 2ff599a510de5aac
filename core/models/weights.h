// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/models/model.h"

namespace posiscope::models {

/// Lists the tensors of the files in `inspection` and puts the tensor that carries position in place of a drawn
/// table. A file that is refused becomes a note. True when at least one file was read.
bool addWeights(const std::vector<std::string>& files, Tables tables, Inspection& inspection, const Job& job);

/// The scheme that a table of [positions, width] is; sets the width and the length it allows.
void useTable(const Array& table, Inspection& inspection);

}  // namespace posiscope::models
