// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/array.h"
#include "core/attention_reading.h"
#include "core/encoding.h"
#include "core/param_table.h"
#include "core/token_order.h"

#include <cstdint>
#include <string>
#include <vector>

namespace posiscope {

enum class ContentSource { ones, random, tokens, arrays, model, attention };

/// Where q, k and the embeddings come from: part of the question.
struct ContentSpec {
  ContentSource source = ContentSource::random;
  AttentionReading attention_kind = AttentionReading::recognised;  ///< of `attention`
  std::int64_t seed = 1;
  double word_std = 0.02;                      ///< of the random embeddings x; q and k are standard normal
  TokenOrder token_order = TokenOrder::plain;  ///< of `random`
  std::int64_t repeat_after = 8;               ///< tokens; of `repeated`
  /// Of `tokens`: a typed sentence (see `splitTokens`). Equal tokens have equal numbers, drawn from the seed; a
  /// sequence longer than the sentence says it again.
  std::string text = "the cat sat on the mat because the cat was tired";
  std::string model;      ///< of `model`: a folder whose weights are run
  Array token_file;       ///< ids [tokens], of `model`
  std::string token_ids;  ///< the same, typed: "1 403 407"; without either, ids are drawn from the seed
  /// Of `model`, where it has segments (BERT): which each token is of. Given as ids [tokens], else typed like them,
  /// else all tokens from `second_segment` on are of segment 1 (0 = all of segment 0).
  Array segment_file;
  std::string segment_ids;
  std::int64_t second_segment = 0;
  /// For `arrays`: q [heads, L_q, head_dim], k [kv heads, L_k, head_dim], v like k; or x [L_k, d_model] with
  /// W_Q, W_K, W_V of shape (out, in). Empty = not given.
  Array q, k, v, x, w_q, w_k, w_v;
  /// Of `attention`: weights or logits that another program has stored, 2-D to 5-D. The layer is that of the shape.
  Array attention;
  std::string attention_axes;  ///< what its dimensions are, "layer,head,query,key"; empty = the usual ones
  std::int64_t attention_batch = 0;
  std::string label_file;  ///< of `attention`: a text file with what is written for each key, a line each; may be empty

  bool operator==(const ContentSpec&) const = default;
};

const ParamTable<ContentSpec>& contentTable();

/// The arrays attention works on. Either q and k are given, or x (with or without projections).
template <class T>
struct Content {
  Table<T> x;              ///< [L_k, d_model]
  Table<T> w_q, w_k, w_v;  ///< (heads·head_dim, d_model), (kv heads·head_dim, d_model) twice
  std::vector<T> q;        ///< [heads, L_q, head_dim]
  std::vector<T> k;        ///< [kv heads, L_k, head_dim]
  std::vector<T> v;        ///< [kv heads, L_k, value_dim]; may be empty: then no output is computed
  std::int64_t value_dim = 0;
};

/// Makes the content of a shape. `ones`: q = k = 1, x = 1. `random`: q, k, v standard normal, x normal with
/// word_std, W_Q, W_K, W_V normal with std 1/√d_model, each from its own stream of the seed; the tokens then stand in
/// `token_order`.
/// When `need_embeddings` is set (a scheme adds a table to x), x and the projections are made and q, k are left
/// to them; otherwise q and k are made directly. `ones` then has the projections of `random`: equal tokens, so every
/// difference comes from position. `arrays`: q, k and x as given. Errors: bad_shape (arrays), too_large, not_supported
/// (model, attention).
template <class T>
Expected<Content<T>> makeContent(const ContentSpec& spec, const Shape& shape, bool need_embeddings);

/// The refusal of who needs queries, keys or embeddings where the attention itself is the content.
tl::unexpected<Error> onlyAttentionGiven();

/// What a person reads at each token of the sequence, [seq_len]; empty when the content has no words.
std::vector<std::string> tokenLabels(const ContentSpec& spec, const Shape& shape);

/// The embeddings x alone, [seq_len, d_model].
template <class T>
Expected<Table<T>> makeEmbeddings(const ContentSpec& spec, const Shape& shape);

}  // namespace posiscope
