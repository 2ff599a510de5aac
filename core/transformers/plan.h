// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/transformers/weight_source.h"

#include <cstdint>
#include <string>
#include <vector>

namespace posiscope::transformers {

/// y = x·W + b. The numbers stay in the file.
struct Linear {
  StoredTensor weight;
  StoredTensor bias;       ///< empty = none
  bool in_by_out = false;  ///< stored as (in, out), as GPT-2's Conv1D does; else (out, in)
  std::int64_t first = 0;  ///< first output taken, where one tensor holds several (q, k and v)
  std::int64_t outputs = 0;
  std::int64_t inputs = 0;

  bool empty() const { return weight.empty(); }
};

/// A normalisation of each token, or of each head of a token.
struct Norm {
  enum class Kind { layer, root_mean_square };
  Kind kind = Kind::layer;
  double epsilon = 1e-5;
  StoredTensor gain;
  StoredTensor offset;  ///< empty = none

  bool empty() const { return gain.empty(); }
};

/// The function between the two halves of an MLP. gelu_tanh is what GPT-2 calls gelu_new.
enum class Activation { gelu_tanh, gelu_erf, silu, relu };

/// One layer: attention, then MLP.
struct LayerPlan {
  Norm attention_norm;  ///< before attention; in post-norm models after its sum with the input
  Linear query, key, value, output;
  Norm query_norm, key_norm;  ///< of each head, before the rotation; empty = none
  Norm mlp_norm;
  Linear up, down;
  Linear gate;  ///< empty = down(act(up(x))); else down(act(gate(x)) ⊙ up(x))
};

/// Everything a forward pass needs of a model beside its shape: the same steps for all families, which differ in
/// the order of the norms, the MLP and where position enters (that is the scheme's part).
struct Plan {
  StoredTensor words;     ///< [vocabulary, d_model]
  double word_scale = 1;  ///< multiplies them
  /// The only token whose word counts, all others are 0: the index probe of the training bench; −1 = all count.
  std::int64_t only_word = -1;
  StoredTensor segments;  ///< [segment kinds, d_model]; empty = none
  Norm embedding_norm;    ///< empty = none
  bool post_norm = false;
  Activation activation = Activation::gelu_tanh;
  /// Scores are divided by √head_dim also under a scheme without that divisor (T5, whose own models have it in their
  /// weights); the queries then carry it.
  bool divides_by_root = false;
  std::vector<LayerPlan> layers;
  Norm final_norm;            ///< before the head; empty = none
  Linear head;                ///< to the vocabulary; empty = the model predicts nothing
  std::string missing_head;   ///< the tensor of a head that the config promises and the weights do not hold
  bool predicts_next = true;  ///< what the head names is the next token, not an answer of another kind
  bool unscaled = false;      ///< scores are q·k without the scheme's divisor; the queries then carry √head_dim

  std::int64_t vocabulary() const { return words.shape[0]; }
  /// What the word of a token is multiplied by.
  double wordFactor(std::int64_t token) const { return only_word < 0 || token == only_word ? word_scale : 0; }
};

}  // namespace posiscope::transformers
