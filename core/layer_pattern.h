// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace posiscope {

/// Does the layer rotate under the rule "every `interval`-th layer has no position"? (Llama 4, SmolLM3: layers 3, 7, 11
/// … have none for 4.) None rotates with interval 1, all do when it is above the number of layers.
inline bool rotatesByInterval(std::int64_t layer, std::int64_t interval) { return (layer + 1) % interval != 0; }

/// Does the layer look at everything under the rule "every `pattern`-th layer is full", the last one forced where said?
inline bool isFullByPattern(std::int64_t layer, std::int64_t num_layers, std::int64_t pattern, bool last_full) {
  return (layer + 1) % pattern == 0 || (last_full && layer == num_layers - 1);
}

}  // namespace posiscope
