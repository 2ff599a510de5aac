// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/models/model.h"

#include <vector>

namespace posiscope::models {

/// The sizes of a model; kv_heads 0 = as many as heads.
Shape modelShape(std::int64_t seq_len, std::int64_t d_model, std::int64_t heads, std::int64_t kv_heads,
                 std::int64_t head_dim, std::int64_t layers);

/// The same for a square of patches behind so many class and register tokens.
Shape pictureShape(std::int64_t side, std::int64_t prefix_tokens, std::int64_t d_model, std::int64_t heads,
                   std::int64_t head_dim, std::int64_t layers);

/// A learned table of so many rows, the first `unused_rows` of which belong to no token. `initial` as in the scheme.
SchemeChoice learnedChoice(const char* initial, double rows, double unused_rows = 0);

/// Half-split RoPE with this base and what else differs from the defaults.
SchemeChoice ropeChoice(double base, ParamValues more = {});

/// A causal mask; `window` counts as in Mask, −1 = none.
Mask causalMask(std::int64_t window = -1);

// One function a file; presets.cpp puts them in order.

/// Tables added to the embeddings, biases and vectors by distance.
std::vector<Preset> tableAndBiasModels();
/// Rotation as in the paper, of the head or of a part of it.
std::vector<Preset> plainRotaryModels();
/// Rotation stretched beyond the trained length.
std::vector<Preset> scaledRotaryModels();
/// Layers or parts of a head that differ: two bases, windows, layers without rotation, decoupled rotation; queries
/// that are scaled.
std::vector<Preset> mixedRotaryModels();
/// Pictures, video and sound.
std::vector<Preset> perceptionModels();

}  // namespace posiscope::models
