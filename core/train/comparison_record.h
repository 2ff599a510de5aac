// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/array.h"
#include "core/train/results.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace posiscope::train {

/// What is known of one run of a comparison so far.
struct RunRecord {
  RunSpec spec;
  std::int64_t parameters = 0;           ///< 0 before it starts
  std::int64_t position_parameters = 0;  ///< learned ones of the encoding
  History history;
  /// Attention of evaluation example 0 by step, [layers, heads, length, length].
  std::map<std::int64_t, Array> attention;
  std::optional<Results> results;  ///< of a run that reached its end
  Text refused;                    ///< why it could not be trained or measured

  std::int64_t steps() const { return static_cast<std::int64_t>(history.steps.size()); }
};

/// A comparison with its runs in the order of `ComparisonSpec::runs`.
struct ComparisonRecord {
  ComparisonSpec spec;
  std::vector<RunRecord> runs;
  std::string version = {};  ///< of the program that trained it; empty where that is not known
  std::string date = {};     ///< when it was trained, "2026-11-30"

  /// Run of an encoding and a seed, both by their place in the spec.
  const RunRecord& run(std::size_t position, std::size_t seed) const {
    return runs[position * spec.seeds.size() + seed];
  }
};

/// Before the first step.
ComparisonRecord emptyRecord(ComparisonSpec spec);

/// `compact` is for files that are passed on: histories and results with four digits, the attention of the first seed
/// alone at the first and the last few steps that keep it (five, of long sequences fewer), in parts of 1/255, and all
/// of it deflated.
enum class RecordForm { whole, compact };

/// One .safetensors file: the attention as tensors "run.attention.step", everything else as JSON text in the tensor
/// "posiscope.comparison" (compact: "posiscope.comparison.deflated"). Atomic. Error: file_write.
Outcome writeRecord(const ComparisonRecord& record, const std::string& path, RecordForm form = RecordForm::whole);
/// Errors: those of reading; file_format for a file that holds no comparison, or one that is not as it was written.
Expected<ComparisonRecord> readRecord(const std::string& path);

/// Where `train` leaves the comparison among what it writes into a folder.
std::string recordPath(const std::string& folder);
/// The file of a comparison at this path: the file itself, or that of a folder which is no model beside it; empty where
/// there is none. Only the file's header is looked at.
std::string comparisonAt(const std::string& path);

/// All runs as a table with the columns of `summary_columns`; a run that is not measured yet has empty cells.
std::string summaryCsv(const ComparisonRecord& record);

}  // namespace posiscope::train
