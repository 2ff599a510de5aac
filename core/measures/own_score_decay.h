// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/job.h"
#include "core/measure.h"

#include <vector>

namespace posiscope::measures {

/// What is drawn of a score that the attention computes by a formula of its own.
struct OwnScoreDecay {
  bool normalise = true;      ///< 1 at offset 0
  bool negative = false;      ///< keys ahead too
  std::vector<double> heads;  ///< empty = all, or eight spread ones
};

/// Adds the score of queries and keys that are all 1, before its scale, by offset: a curve for each head, or one where
/// they agree. Nothing where the same offset gives two queries different scores or the score needs embeddings. Errors:
/// out_of_range (heads), too_large, cancelled and those of the scheme.
Outcome addOwnScore(Dataset& dataset, const Question& question, const OwnScoreDecay& wanted, const Job& job);

}  // namespace posiscope::measures
