// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask.h"
#include "core/shape.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

namespace posiscope::test {

/// Attention by the definition, one number after the other and in double: what the blocked kernel must reproduce,
/// and what the benchmark compares it with.
struct NaiveAttention {
  std::vector<double> logits;   ///< [heads, L_q, L_k]
  std::vector<double> weights;  ///< [heads, L_q, L_k]
  std::vector<double> output;   ///< [heads, L_q, value_dim]
};

/// q [heads, L_q, d], k [kv heads, L_k, d], v [kv heads, L_k, value_dim]; `bias` may be empty.
template <class T>
NaiveAttention naiveAttention(const Shape& s, const Mask& mask, double scale, const std::vector<T>& q,
                              const std::vector<T>& k, const std::vector<T>& v, std::int64_t value_dim,
                              const std::function<double(std::int64_t, std::int64_t, std::int64_t)>& bias = {}) {
  NaiveAttention out;
  const std::int64_t rows = s.queries();
  const std::int64_t keys = s.keys();
  const auto at = [](const std::vector<T>& values, std::int64_t e) {
    return static_cast<double>(values[static_cast<std::size_t>(e)]);
  };
  for (std::int64_t h = 0; h < s.num_heads; ++h) {
    const std::int64_t key_head = h / (s.num_heads / s.kvHeads());
    for (std::int64_t i = 0; i < rows; ++i) {
      std::vector<double> row(static_cast<std::size_t>(keys));
      double top = -INFINITY;
      for (std::int64_t j = 0; j < keys; ++j) {
        double sum = 0;
        for (std::int64_t d = 0; d < s.head_dim; ++d)
          sum += at(q, (h * rows + i) * s.head_dim + d) * at(k, (key_head * keys + j) * s.head_dim + d);
        double& logit = row[static_cast<std::size_t>(j)];
        logit = scale * sum + (bias ? bias(h, i, j) : 0.0);
        if (mask.allows(s, i, j)) top = std::max(top, logit);
      }
      out.logits.insert(out.logits.end(), row.begin(), row.end());
      double total = 0;
      for (std::int64_t j = 0; j < keys; ++j) {
        double& weight = row[static_cast<std::size_t>(j)];
        weight = mask.allows(s, i, j) ? std::exp(weight - top) : 0.0;
        total += weight;
      }
      for (double& weight : row) weight = total > 0 ? weight / total : 0.0;
      out.weights.insert(out.weights.end(), row.begin(), row.end());
      for (std::int64_t d = 0; d < value_dim; ++d) {
        double sum = 0;
        for (std::int64_t j = 0; j < keys; ++j)
          sum += row[static_cast<std::size_t>(j)] * at(v, (key_head * keys + j) * value_dim + d);
        out.output.push_back(sum);
      }
    }
  }
  return out;
}

}  // namespace posiscope::test
