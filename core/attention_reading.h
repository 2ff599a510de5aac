// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace posiscope {

/// What the numbers of stored attention are taken for: what the sums of their rows tell, or what a person says.
enum class AttentionReading { recognised, weights, logits };

}  // namespace posiscope
