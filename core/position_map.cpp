// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/position_map.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace posiscope {
namespace {

/// A branch with f(position) for queries and g(position) for keys.
template <class F, class G>
PositionMap::Branch branch(TokenRun tokens, F query, G key) {
  PositionMap::Branch result;
  for (std::int64_t t = 0; t < tokens.count; ++t) {
    const double position = tokens.first + static_cast<double>(t);
    result.query.push_back(query(position));
    result.key.push_back(key(position));
  }
  return result;
}

constexpr auto itself = [](double position) { return position; };
constexpr auto zero = [](double) { return 0.0; };

/// Branch 0 while |n| is below the window, branch 1 farther away.
auto byDistance(std::int64_t window) {
  return [window](std::int64_t i, std::int64_t j) -> std::size_t { return std::abs(i - j) < window ? 0 : 1; };
}

}  // namespace

double PositionMap::at(std::int64_t i, std::int64_t j) const {
  const Branch& b = branches[branch_of(i, j)];
  return b.query[static_cast<std::size_t>(i)] - b.key[static_cast<std::size_t>(j)];
}

PositionMap selfExtendMap(TokenRun tokens, std::int64_t group, std::int64_t window) {
  const auto size = static_cast<double>(group);
  const auto groupOf = [size](double position) { return std::floor(position / size); };
  // Distances go on where the window ends.
  const double shift = static_cast<double>(window) - groupOf(static_cast<double>(window));
  const auto farQuery = [=](double position) { return groupOf(position) + shift; };
  // Only the past has a far branch: no future token is a window or more behind.
  return {{branch(tokens, itself, itself), branch(tokens, farQuery, groupOf)},
          [window](std::int64_t i, std::int64_t j) -> std::size_t { return i - j < window ? 0 : 1; }};
}

PositionMap reropeMap(TokenRun tokens, std::int64_t window) {
  const auto always = [w = static_cast<double>(window)](double) { return w; };
  return {{branch(tokens, itself, itself), branch(tokens, always, zero)}, byDistance(window)};
}

PositionMap leakyReropeMap(TokenRun tokens, std::int64_t window, double factor) {
  const auto w = static_cast<double>(window);
  const auto farQuery = [=](double position) { return w + (position - w) / factor; };
  const auto farKey = [=](double position) { return position / factor; };
  return {{branch(tokens, itself, itself), branch(tokens, farQuery, farKey)}, byDistance(window)};
}

PositionMap dualChunkMap(TokenRun tokens, std::int64_t chunk_size, std::int64_t local_size) {
  const auto c = static_cast<double>(chunk_size);
  const auto s = static_cast<double>(chunk_size - local_size);
  const auto chunkOf = [s](double position) { return std::floor(position / s); };
  const auto within = [=](double position) { return position - s * chunkOf(position); };
  const auto next = [=](double position) { return std::min(within(position) + s, c); };
  const auto farther = [=](double) { return std::min(2 * s - 1, c); };
  return {{branch(tokens, within, within), branch(tokens, next, within), branch(tokens, farther, within)},
          [chunkOf, first = tokens.first](std::int64_t i, std::int64_t j) -> std::size_t {
            const double apart = chunkOf(first + static_cast<double>(i)) - chunkOf(first + static_cast<double>(j));
            return static_cast<std::size_t>(std::clamp(apart, 0.0, 2.0));
          }};
}

}  // namespace posiscope
