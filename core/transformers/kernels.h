// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding.h"
#include "core/job.h"
#include "core/transformers/plan.h"

#include <span>

namespace posiscope::transformers {

// The kernels of a forward pass besides attention. Rows are tokens. All stop early when the job is stopped and then
// answer `cancelled`; otherwise their errors are those of reading a tensor. Results do not depend on the number of
// threads.

/// x·W + b into `out`, [x.rows, linear.outputs]. The weights are converted a stripe at a time; a model's numbers are
/// never held as a whole.
template <class T>
Outcome apply(const Linear& linear, Rows<T> x, std::span<T> out, const Job& job);

/// Normalises each run of `width` numbers in place: a token, or a head of a token.
template <class T>
Outcome normalise(const Norm& norm, std::int64_t width, std::span<T> values, const Job& job);

/// act(gate) ⊙ up into `up`; without a gate act(up).
template <class T>
Outcome activate(Activation activation, std::span<const T> gate, std::span<T> up, const Job& job);

/// Adds the rows of a table that the tokens name: out[t] += table[ids[t]]. The ids have been checked.
template <class T>
Outcome addRows(const StoredTensor& table, std::span<const std::int64_t> ids, std::span<T> out);

/// −log p(next[t]) by the logits of each row, natural logarithm, in double.
template <class T>
void fillLosses(Rows<T> logits, std::span<const std::int64_t> next, std::span<double> out);

}  // namespace posiscope::transformers
