// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding.h"
#include "core/error.h"
#include "core/job.h"

#include <cstdint>
#include <vector>

namespace posiscope::attention {

/// What the logits of an added table are made of, with W = W_QᵀW_K / √head_dim of each head: word–word, word–position,
/// position–word and position–position, [4, heads, L_q, L_k]. Without biases in the projections they sum to the logits.
/// `words` and `positions` are [L_k, d_model]; the weights (heads·head_dim, d_model) and (kv heads·head_dim, d_model),
/// or empty, where the columns are the heads. `heads`: which, in this order; empty = all.
/// The last term is free of content, but for a general W not a function of the offset, whatever the table.
/// Errors: too_large, cancelled.
template <class T>
Expected<std::vector<T>> absoluteTerms(Rows<T> words, Rows<T> positions, Rows<T> w_q, Rows<T> w_k, const Shape& shape,
                                       const Job& job, std::vector<std::int64_t> heads = {});

}  // namespace posiscope::attention
