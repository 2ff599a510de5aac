// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/models/attention_file.h"

#include <vector>

namespace posiscope::models {

/// Logits at or below it are masked: programs add −10⁴, half the lowest number of their type, the lowest or −∞. What is
/// added to stays on top of it (−10⁴ + 0.7), so the limit lies well above −10⁴.
inline constexpr double masked_below = -5e3;

/// The mask that stored attention tells.
struct FoundMask {
  Mask mask;
  std::vector<Text> reasons;  ///< which mask that is, one sentence; none where nothing is masked
  std::vector<Text> notes;    ///< what of it one mask for all maps cannot say
};
/// Of logits, the keys that are masked in every map, whatever their pattern: causal, a window, padding, or else cell by
/// cell. Of weights only whether no query looks ahead: any other 0 may be the weight of a key that was seen.
FoundMask maskOf(const std::vector<std::int64_t>& shape, const SeenRows& seen, files::AttentionKind kind);
FoundMask maskOf(const files::AttentionArray& attention);

/// Does no query look ahead? Asked only where some key is ahead, and then zeros, or logits that a softmax makes zeros,
/// stand for each.
bool looksBack(const std::vector<std::int64_t>& shape, const SeenRows& seen, files::AttentionKind kind);

}  // namespace posiscope::models
