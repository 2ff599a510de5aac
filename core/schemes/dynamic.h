// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scheme.h"

namespace posiscope::schemes {

struct DynamicParams {
  std::int64_t context_window = 2;  ///< neighbours on each side, in tokens
  bool causal = false;              ///< neighbours on the left side only, so that no token reads a later one
  std::int64_t hidden = 0;          ///< 0 = d_model / 2
  Array base_table;                 ///< (at least first_position + seq_len, d_model); position t is row t
  Array w1, b1;                     ///< (hidden, (2w + 1)·d_model), (w + 1 when causal); (hidden,)
  Array w2, b2;                     ///< (d_model, hidden), (d_model,)
  std::int64_t seed = 1;
};

std::int64_t dynamicHidden(const DynamicParams& params, const Shape& shape);
/// Tokens of a window: 2w + 1, or w + 1.
std::int64_t dynamicSpan(const DynamicParams& params);

/// The tokens i − w … i + w (… i when causal) that exist, flattened; zeros fill the *end* of the row, so at the left
/// edge tokens move into the slots of earlier neighbours. [L, (2w + 1)·d_model], or [L, (w + 1)·d_model].
template <class T>
Table<T> dynamicWindows(Rows<T> x, std::int64_t context_window, bool causal = false);

/// The layers of the adjustment.
template <class T>
struct DynamicWeights {
  Table<T> base;
  Table<T> w1, w2;
  std::vector<T> b1, b2;
};
template <class T>
DynamicWeights<T> dynamicWeights(const DynamicParams& params, const Shape& shape);

/// tanh(W2·GELU(W1·window + b1) + b2), GELU in the erf form. [L, d_model], inside (−1, 1).
template <class T>
Table<T> dynamicAdjustment(const DynamicWeights<T>& weights, Rows<T> windows);

/// x + base·(1 + adjustment of the neighbourhood): a table that the content bends.
Scheme dynamic();

}  // namespace posiscope::schemes
