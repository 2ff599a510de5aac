// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/content.h"
#include "core/encoding.h"
#include "core/job.h"
#include "core/mask.h"

#include <vector>

namespace posiscope::attention {

/// What is wanted of the attention; only that is computed and stored.
struct Wanted {
  bool logits = false;
  bool weights = true;
  bool output = false;              ///< needs v (or x and W_V)
  std::vector<std::int64_t> heads;  ///< which heads, in this order; empty = all
};

template <class T>
struct Attention {
  std::int64_t heads = 0;
  std::int64_t queries = 0;
  std::int64_t keys = 0;
  std::int64_t value_dim = 0;
  std::vector<T> logits;        ///< [heads, L_q, L_k], after the scheme's scale, before the mask
  std::vector<T> weights;       ///< [heads, L_q, L_k], masked entries exactly 0
  std::vector<T> output;        ///< [heads, L_q, value_dim]
  std::int64_t empty_rows = 0;  ///< queries with no allowed key (per head the same): weights 0, output 0
};

/// The only code that applies an encoding: inputs → projections → rotation → logits (scale, score or bias) →
/// mask → softmax → values. Results do not depend on the number of threads.
/// Errors: bad_shape, too_large, cancelled.
template <class T>
Expected<Attention<T>> attend(const Encoding<T>& encoding, const Content<T>& content, const Mask& mask,
                              const Shape& shape, const Wanted& wanted, const Job& job);

/// The same into `out`, whose memory is used again: for callers that ask repeatedly. After an error its contents
/// are not defined.
template <class T>
Outcome attendInto(const Encoding<T>& encoding, const Content<T>& content, const Mask& mask, const Shape& shape,
                   const Wanted& wanted, const Job& job, Attention<T>& out);

/// The embeddings after the input part, [seq_len, d_model]: the transform of x where there is one, else x + table.
template <class T>
Table<T> applyInput(const InputPart<T>& input, Rows<T> x);

/// Rotates `rows` (tokens first_token … of one head) in place. `key` picks the xPos direction. `head` picks the set.
template <class T>
void rotate(const RotationPart& rotation, std::int64_t head, std::int64_t first_token, bool key, std::span<T> rows,
            std::int64_t head_dim);

/// Softmax of each row over the allowed keys: subtracts their maximum, masked entries exactly 0, a row without
/// any allowed key is all zeros. In place. Returns false for such a row.
template <class T>
bool softmaxRow(const Mask& mask, const Shape& shape, std::int64_t i, std::span<T> row);

}  // namespace posiscope::attention
