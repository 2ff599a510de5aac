// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dataset.h"

#include <string>

namespace posiscope::cli {

/// "rope: the base grows only …" on stderr: what the window would say beside the numbers, with `tells_all` not the
/// warnings alone.
void printRemarks(const std::string& scheme, const Dataset& dataset, bool tells_all);

}  // namespace posiscope::cli
