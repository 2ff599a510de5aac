// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/history.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace posiscope::train {

/// What a run tells about itself over its steps.
enum class Quantity {
  loss,             ///< of the training batch
  accuracy,         ///< of the training batch
  evaluation_loss,  ///< of the evaluation split
  evaluation_accuracy,
  position_gradient,  ///< norm of the gradient of the encoding's parameters, before clipping
  word_gradient,      ///< of the word embeddings
  gradient_ratio,     ///< position / word
  row_ratio,          ///< position / word, root mean square lengths of the tables' rows
  learning_rate,
  previous_token,  ///< the strongest head's
  induction,       ///< the strongest head's
};

/// Mean, least and largest over runs that differ in their seed, wherever at least one of them has a value.
struct SeedBand {
  std::vector<double> x, mean, low, high;
  bool empty() const { return x.empty(); }
};
/// The values that the runs have at each abscissa.
SeedBand bandOf(const std::map<double, std::vector<double>>& values);

/// Each run is first smoothed: the mean over the last `window` records (fewer at the start); 1 = as it is. Empty where
/// there is no such number: the gradient of an encoding without parameters is none, not 0.
SeedBand seedBand(std::span<const History* const> runs, Quantity quantity, std::int64_t window);

/// How many heads were found to be of a kind (`heads::kindId`) at the steps whose attention is kept.
SeedBand kindBand(std::span<const History* const> runs, const std::string& kind);

}  // namespace posiscope::train
