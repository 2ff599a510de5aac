// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/results.h"

#include <string>

namespace posiscope::train {

// The tables of one run for a spreadsheet: a line of names, then a line for each row. Where there is no number the cell
// is empty. The columns are those of results.json.

/// Every step: loss of its batch, norms of the gradients, learning rate.
std::string stepsCsv(const History& history);
std::string evaluationsCsv(const History& history);
/// What every head does at the steps whose attention is kept.
std::string headsCsv(const History& history);
/// The losses beyond the trained length.
std::string lengthsCsv(const Results& results);
std::string fineTuneCsv(const Results& results);

/// steps.csv, evaluations.csv, heads.csv, lengths.csv and, where there was one, fine_tune.csv, each atomically. Error:
/// file_write.
Outcome writeTables(const TrainingRun& run, const Results& results, const std::string& folder);

}  // namespace posiscope::train
