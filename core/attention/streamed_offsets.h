// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/streamed_logits.h"

#include <memory>
#include <vector>

namespace posiscope::attention {

/// Logits that depend on the offset alone: O(L) memory, and a row's sum joins those of whole blocks of offsets, so that
/// any row costs O(√L). No block is subtracted from another and each has its own top: rows that see none of the large
/// logits lose nothing. `profile`: the logit at n = −(L − 1) … L − 1, n = p_i − j.
std::unique_ptr<const StreamedLogits> offsetLogits(std::vector<float> profile, const Shape& shape, Mask mask);

/// The profile of a head whose queries and keys are all the same number, `value`; empty where its logits depend on more
/// than the offset (uneven positions, factors of the query, sums that are not plain), or when the job was stopped.
std::vector<float> offsetProfile(const Encoding<float>& encoding, std::int64_t head, float value, const Shape& shape,
                                 const Job& job);

}  // namespace posiscope::attention
