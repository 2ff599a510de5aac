// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text.h"

#include <cstdint>
#include <string_view>

namespace posiscope::models {

/// What differs from layer to layer when the file does not say it itself.
enum class LayerRule {
  alike,
  gemma3,       ///< every 6th layer has the long base and no window
  gemma4,       ///< the same, and the last layer too; a quarter of the pairs turns there (proportional scaling)
  modernbert,   ///< layers 0, 3, 6 … have the long base and no window
  alternating,  ///< every 2nd layer looks at everything; all rotate
  llama4,       ///< every 4th layer has no rotation and looks at everything, the others in chunks
  smollm3,      ///< every 4th layer has no rotation; a window, when there is one, is theirs
  cohere2,      ///< every 4th layer looks at everything and has no rotation
  qwen,         ///< layers from max_window_layers on have the window, when it is switched on
};

enum class PositionKind { learned, rotary, rotary_patches, alibi, t5, windows };
Text positionKindName(PositionKind kind);

/// What a model_type means before any key is read: decided first, because tools write keys such as
/// position_embedding_type and max_position_embeddings also where they mean nothing.
struct ModelFamily {
  std::string_view type;
  PositionKind kind;
  bool causal = true;
  bool half_split = true;        ///< rotary: pairs (p, p + r/2) in the Hugging Face layout of this family
  double base = 10000;           ///< rotary: when the file names none
  double share = 1;              ///< rotary: when the file names none
  bool windowed = false;         ///< sliding_window holds in every layer
  std::int64_t unused_rows = 0;  ///< learned: rows counted in max_position_embeddings that no token uses
  std::int64_t row_offset = 0;   ///< learned: the row of the first token
  std::string_view alibi_form = "symmetric";
  LayerRule layers = LayerRule::alike;
};

/// What the params.json of the first Llama and Mistral releases means: they have no model_type, and their Q and K rows
/// are not yet permuted to half-split pairs.
const ModelFamily& originalRelease();

/// Null for a model_type we do not know.
const ModelFamily* findFamily(std::string_view model_type);

}  // namespace posiscope::models
