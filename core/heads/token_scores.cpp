// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/heads/token_scores.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace posiscope::heads {
namespace {

bool leavesOut(Exclusion exclusion, std::int64_t i, std::int64_t j) {
  const bool first = exclusion == Exclusion::first || exclusion == Exclusion::both;
  const bool self = exclusion == Exclusion::self || exclusion == Exclusion::both;
  return (first && j == 0) || (self && i == j);
}

}  // namespace

std::string_view patternId(Pattern pattern) {
  if (pattern == Pattern::previous) return "previous";
  return pattern == Pattern::duplicate ? "duplicate" : "induction";
}

bool matches(Pattern pattern, std::span<const std::int64_t> tokens, std::int64_t i, std::int64_t j) {
  const auto token = [&](std::int64_t place) { return tokens[static_cast<std::size_t>(place)]; };
  if (pattern == Pattern::previous) return j == i - 1;
  if (pattern == Pattern::duplicate) return j < i && token(j) == token(i);
  return 1 <= j && j <= i && token(j - 1) == token(i);
}

template <class T>
PatternScores patternScores(Rows<T> weights, Pattern pattern, std::span<const std::int64_t> tokens) {
  assert(weights.rows == weights.cols && weights.rows == static_cast<std::int64_t>(tokens.size()));
  PatternScores scores;
  for (std::size_t e = 0; e < scores.mul.size(); ++e) {
    double matched = 0, whole = 0, apart = 0;
    std::int64_t rows = 0;
    for (std::int64_t i = 0; i < weights.rows; ++i) {
      if (std::ranges::any_of(weights.row(i), [](T a) { return std::isnan(a); })) continue;
      ++rows;
      for (std::int64_t j = 0; j < weights.cols; ++j) {
        if (leavesOut(static_cast<Exclusion>(e), i, j)) continue;
        const auto a = static_cast<double>(weights.row(i)[static_cast<std::size_t>(j)]);
        const double p = matches(pattern, tokens, i, j) ? 1 : 0;
        matched += a * p;
        whole += a;
        apart += std::abs(a - p);
      }
    }
    scores.mul[e] = whole > 0 ? matched / whole : 0;
    scores.abs[e] = rows > 0 ? 1 - apart / static_cast<double>(rows) : 0;
  }
  return scores;
}

template PatternScores patternScores(Rows<float>, Pattern, std::span<const std::int64_t>);
template PatternScores patternScores(Rows<double>, Pattern, std::span<const std::int64_t>);

}  // namespace posiscope::heads
