// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/array.h"
#include "core/job.h"
#include "core/text.h"

#include <vector>

namespace posiscope::files {

/// What an array is for: numbers to calculate with, or ids, which are whole.
enum class Numbers { real, ids };

/// What should be known of an array from a file before its numbers are drawn, a sentence each: how many are NaN or
/// infinite, that they are integers where real numbers are meant, that the file goes on behind them. Of an array without its numbers (a file that
/// was only described) they are counted where they take at most 64 MiB. Nothing for an array that comes from no file.
std::vector<Text> notesOn(const Array& array, const Job& job = Job(), Numbers meant = Numbers::real);

}  // namespace posiscope::files
