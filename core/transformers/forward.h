// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/attention.h"
#include "core/transformers/model.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace posiscope::transformers {

/// What a model is given.
struct Prompt {
  std::vector<std::int64_t> tokens;
  std::vector<std::int64_t> segments;        ///< of each token; empty = all 0
  std::vector<std::uint8_t> attention_mask;  ///< 1 = real token, 0 = padding that is never looked at; empty = all real
  /// Tokens of the sequence that these are the first of, for encodings that depend on the length; 0 = no others follow.
  std::int64_t length = 0;
};

/// What is kept of a run; only that is computed and stored.
struct Wanted {
  std::vector<std::int64_t> layers = {};  ///< of which layers, for the five below; empty = all
  std::vector<std::int64_t> heads = {};   ///< of attention; empty = all
  bool projections = false;               ///< q, k and v
  bool attention_logits = false;
  bool attention_weights = false;
  bool hidden = false;  ///< of all layers
  bool embedding_norms = false;
  bool logits = false;
  bool losses = false;
};

/// What one layer did. q, k and v are as projected: the position has reached them only through the input, so with the
/// layer's encoding they give its attention.
template <class T>
struct LayerTrace {
  std::int64_t layer = 0;
  std::vector<T> q;                   ///< [heads, tokens, head_dim]
  std::vector<T> k;                   ///< [kv heads, tokens, head_dim]
  std::vector<T> v;                   ///< [kv heads, tokens, head_dim]
  attention::Attention<T> attention;  ///< [heads, tokens, tokens]
};

template <class T>
struct Trace {
  std::vector<LayerTrace<T>> layers;
  std::vector<Table<T>>
      hidden;  ///< [tokens, d_model] after the embeddings, then after each layer, before the final norm
  /// Euclidean norms [kinds, tokens] of what the input is the sum of: word, position (0 where none is added), and
  /// segment where the model has some.
  Table<double> embedding_norms;
  Table<T> logits;             ///< [tokens, vocabulary]: of the next token
  std::vector<double> losses;  ///< [tokens − 1]: −log p of token t + 1 given tokens 0 … t, natural logarithm
};

/// Runs the model forward, exactly, as far as what is wanted needs. The encoding is the model's scheme as it stands
/// there, at positions first_position, first_position + 1, … T is float or double. Errors: bad_shape and out_of_range
/// for the prompt and the wanted layers; those of the scheme (past_table for a learned table that ends before);
/// not_supported for logits of a model without a head; too_large, before anything is allocated; cancelled.
template <class T>
Expected<Trace<T>> run(const Model& model, const Prompt& prompt, const Wanted& wanted, const Job& job = Job());

/// The same, but each wanted layer is handed over as soon as it is done and not kept, with its encoding: of a long
/// prompt the weights of one layer fill the memory. `wanted` asks for what layers have, nothing else.
template <class T>
Outcome runLayers(const Model& model, const Prompt& prompt, const Wanted& wanted,
                  const std::function<void(LayerTrace<T> layer, const Encoding<T>& encoding)>& take,
                  const Job& job = Job());

/// The shape of such a run: the model's with the prompt's tokens.
Shape shapeOf(const Model& model, const Prompt& prompt);
/// The model's mask with the prompt's padding.
Mask maskOf(const Model& model, const Prompt& prompt);

/// Do tokens, segments and padding fit the model? Errors: bad_shape, out_of_range.
Outcome checkPrompt(const Model& model, const Prompt& prompt);
/// Bytes that `run` will hold at once, with `number` bytes for a number; `layers` of them kept, −1 = as wanted.
double runBytes(const Model& model, const Prompt& prompt, const Wanted& wanted, double number,
                std::int64_t layers = -1);

}  // namespace posiscope::transformers
