// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/metrics/head_scores.h"

#include <limits>

namespace posiscope::train {
namespace {

/// Mean of a[i, i − back] over the rows from `first` on.
double meanAt(std::span<const float> weights, std::int64_t length, std::int64_t first, std::int64_t back) {
  if (first >= length) return std::numeric_limits<double>::quiet_NaN();
  double sum = 0;
  for (std::int64_t i = first; i < length; ++i)
    sum += static_cast<double>(weights[static_cast<std::size_t>(i * length + i - back)]);
  return sum / static_cast<double>(length - first);
}

}  // namespace

double previousTokenScore(std::span<const float> weights, std::int64_t length) { return meanAt(weights, length, 1, 1); }

double inductionScore(std::span<const float> weights, std::int64_t length, std::int64_t period) {
  return meanAt(weights, length, period, period - 1);
}

std::int64_t periodOf(std::span<const std::int32_t> tokens) {
  for (std::size_t t = 1; t < tokens.size(); ++t)
    if (tokens[t] == tokens[0]) return static_cast<std::int64_t>(t);
  return 0;
}

std::vector<HeadScores> headScores(const Model<float>& model, const Batch& batch) {
  std::vector<HeadScores> all;
  const auto length = static_cast<std::size_t>(batch.length);
  for (std::int64_t l = 0; l < model.spec().num_layers; ++l)
    for (std::int64_t h = 0; h < model.spec().num_heads; ++h) {
      HeadScores scores{l, h, 0, 0};
      double periodic = 0;
      for (std::int64_t b = 0; b < batch.sequences; ++b) {
        const std::span<const float> weights = model.attention(l, b, h);
        scores.previous_token += previousTokenScore(weights, batch.length) / static_cast<double>(batch.sequences);
        const std::int64_t period =
            periodOf(std::span(batch.tokens).subspan(static_cast<std::size_t>(b) * length, length));
        if (period == 0) continue;
        scores.induction += inductionScore(weights, batch.length, period);
        ++periodic;
      }
      scores.induction /= periodic;  // 0/0: NaN
      all.push_back(scores);
    }
  return all;
}

}  // namespace posiscope::train
