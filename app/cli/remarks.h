// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dataset.h"
#include "core/experiment.h"

#include <cstdint>
#include <string>

namespace posiscope::cli {

/// "attention: 40 of 80 rows hold NaN" on stderr, where some are `damaged`: among numbers in a file it is overlooked.
/// `holds`: "rows hold NaN".
void noteDamaged(const std::string& command, std::int64_t damaged, std::int64_t all, const std::string& holds);

/// "attention: 16 of 16 queries may look at no key; …" on stderr, where some may not: a script sees no picture.
void noteEmptyRows(const std::string& command, std::int64_t empty, std::int64_t queries, const std::string& therefore);

/// Whose the remarks are: the scheme's, or stored attention's, in which no scheme plays a part.
std::string remarkOwner(const Experiment& experiment, const std::string& scheme);

/// "rope: the base grows only …" on stderr: what the window would say beside the numbers, with `tells_all` not the
/// warnings alone.
void printRemarks(const std::string& scheme, const Dataset& dataset, bool tells_all);

}  // namespace posiscope::cli
