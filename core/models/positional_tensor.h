// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/files/reader.h"
#include "core/text.h"

#include <string_view>

namespace posiscope::models {

/// What a tensor's name says about position.
enum class TensorRole {
  learned_table,  ///< [positions, width], added to the embeddings
  bucket_bias,    ///< [buckets, heads], added to the logits
  window_bias,    ///< [offsets of a window, heads], added to the logits
  other,          ///< carries position, not shown as a scheme
};

/// One pattern: the tail of a tensor's name, whatever wrappers ("model.", "bert.", …) come before it.
struct PositionalTensor {
  std::string_view tail;
  TensorRole role;
  Text meaning;
};

/// Null when the name does not carry position.
const PositionalTensor* findPositional(std::string_view tensor_name);

}  // namespace posiscope::models
