// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace posiscope::transformers {

/// Tokens whose inner MLP numbers are held at once: wide layers would take several times the hidden states.
inline constexpr std::int64_t mlp_tokens = 1024;
/// Tokens whose logits are held at once when only the losses are wanted.
inline constexpr std::int64_t head_tokens = 256;

}  // namespace posiscope::transformers
