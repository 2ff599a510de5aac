// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/model.h"

namespace posiscope::train {

/// How much a head looks at one place, 0 to 1; NaN where no row counts.
/// Mean over rows i ≥ 1 of a[i, i − 1].
double previousTokenScore(std::span<const float> weights, std::int64_t length);
/// Mean over rows i ≥ period of a[i, i − period + 1]: the token after the last time this one stood.
double inductionScore(std::span<const float> weights, std::int64_t length, std::int64_t period);

/// Both of one head of a layer, averaged over the sequences of a batch of the induction task.
struct HeadScores {
  std::int64_t layer = 0, head = 0;
  double previous_token = 0;
  double induction = 0;  ///< NaN where the batch has no period
};
/// Of every head, after a forward pass of `batch`.
std::vector<HeadScores> headScores(const Model<float>& model, const Batch& batch);

/// The period of a sequence of the induction task: how far its first token is from its next time; 0 = never again.
std::int64_t periodOf(std::span<const std::int32_t> tokens);

}  // namespace posiscope::train
