// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parameter.h"

#include <cstdint>
#include <string>

namespace posiscope::train {

/// Which encoding a model is trained with: a scheme of the catalogue that can be trained, and its constants.
struct PositionSpec {
  std::string scheme = "none";
  ParamValues values = {};

  bool operator==(const PositionSpec&) const = default;
};

/// A pre-norm Transformer. Only the position differs between the runs of a comparison.
struct ModelSpec {
  std::int64_t vocab = 32;   ///< tokens, from the task
  std::int64_t classes = 0;  ///< of the head, from the task; 0 = vocab
  std::int64_t d_model = 64;
  std::int64_t num_heads = 4;
  std::int64_t num_layers = 2;
  std::int64_t mlp_ratio = 4;
  bool causal = true;       ///< a decoder; an encoder has no mask
  bool tied = false;        ///< logits = x·Eᵀ, no head of its own
  bool linear_bias = true;  ///< q, k, v, o, up, down and head together
  bool zero_words = false;  ///< word embeddings count 0, except that of token 1: the index probe
  double embed_scale = 1;
  std::int64_t grid_height = 0;  ///< patches of the images; 0 = text
  std::int64_t grid_width = 0;
  PositionSpec position = {};

  std::int64_t outputs() const { return classes > 0 ? classes : vocab; }
  std::int64_t headDim() const { return d_model / num_heads; }
  std::int64_t hidden() const { return mlp_ratio * d_model; }

  bool operator==(const ModelSpec&) const = default;
};

}  // namespace posiscope::train
