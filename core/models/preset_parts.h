// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/models/model.h"

#include <vector>

namespace posiscope::models {

/// The sizes of a model; kv_heads 0 = as many as heads.
Shape modelShape(std::int64_t seq_len, std::int64_t d_model, std::int64_t heads, std::int64_t kv_heads,
                 std::int64_t head_dim, std::int64_t layers);

/// Half-split RoPE with this base and what else differs from the defaults.
SchemeChoice ropeChoice(double base, ParamValues more = {});

/// A causal mask; `window` counts as in Mask, −1 = none.
Mask causalMask(std::int64_t window = -1);

/// Models whose layers or parts of a head differ: two kinds of layers, decoupled rotation, several axes.
std::vector<Preset> mixedRotaryModels();

}  // namespace posiscope::models
