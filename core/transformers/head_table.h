// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/heads/kinds.h"
#include "core/heads/token_scores.h"
#include "core/transformers/forward.h"

#include <vector>

namespace posiscope::transformers {

/// What one head of a trained model does with a prompt.
struct HeadRow {
  std::int64_t layer = 0;
  std::int64_t head = 0;
  heads::Metrics metrics;
  heads::Decision decision;
  /// Share of the attention where each of `heads::all_patterns` is; empty for a model that sees what comes later, for
  /// which the patterns are not defined.
  std::vector<double> pattern_shares;
};

/// Every head of every layer, in their order. The model is run a layer's weights at a time, so that no more than those
/// of one layer are held. Errors: those of a run.
Expected<std::vector<HeadRow>> headTable(const Model& model, const Prompt& prompt, const heads::Thresholds& thresholds,
                                         const Job& job = Job());

}  // namespace posiscope::transformers
