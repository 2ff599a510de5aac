// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/job.h"
#include "core/train/results.h"
#include "core/train/run_loop.h"

#include <functional>
#include <string>

namespace posiscope::train {

/// Who is told what happens to the runs of a comparison, by their place in `ComparisonSpec::runs`; in the thread that
/// trains. Empty ones are not told.
struct ComparisonListener {
  std::function<void(std::size_t run, const TrainingRun&)> advanced = {};  ///< at the start and after every step
  std::function<void(std::size_t run, std::int64_t step, const Array& attention)> snapshot = {};
  std::function<void(std::size_t run, const Results&)> measured = {};
  std::function<void(std::size_t run, const Text& why)> refused = {};
  /// A checkpoint could not be written; told once, the training goes on without.
  std::function<void(const Error&)> not_kept = {};
};

struct SideBySideOptions {
  const Pause* pause = nullptr;
  std::function<void()> between_steps = {};  ///< may wait: the cores belong to others meanwhile
  /// Where each run has a folder of its own (`runFolder`) for checkpoint, model, attention and results. What is there
  /// of the same runs is gone on with. Empty = nothing is kept, and nothing is measured with shuffled positions.
  std::string folder = {};
  double checkpoint_seconds = 8;  ///< a crash loses no more than this and one step
};

/// Where the run of that place among `runs` is kept.
std::string runFolder(const std::string& folder, const RunSpec& run, std::size_t number);

/// Trains all runs of a comparison seed by seed, the encodings of a seed side by side, so that they can be compared
/// from the first steps on; the numbers are those of each run alone. Then each is measured. A run that is refused does
/// not stop the others. The job is told how far all are. Stopped, it keeps what it has, to go on with later. Errors:
/// cancelled.
Outcome trainSideBySide(const ComparisonSpec& spec, const Job& job, const SideBySideOptions& options,
                        const ComparisonListener& listener);

}  // namespace posiscope::train
