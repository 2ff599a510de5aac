// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/content.h"
#include "core/experiment.h"
#include "core/scheme.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace posiscope::measures {

/// What the tokens of a probe hold.
enum class Tokens {
  distinct,  ///< each its own random content
  equal,     ///< all the same random content, so that every difference comes from position
  neutral,   ///< nothing that prefers a direction: q = k = 1, or the rows of an added table themselves
};

struct ProbeContent {
  Tokens tokens = Tokens::equal;
  bool same_projection = false;  ///< queries and keys are the same vectors
  std::int64_t draw = 0;
  std::int64_t altered = -1;  ///< this token alone has other content; −1 = none
  std::int64_t block = 0;     ///< `neutral` with an input part: which head_dim columns q and k are
};

/// One head of a probe.
template <class T>
struct ProbedHead {
  std::int64_t head = 0;
  Table<T> x, input;          ///< embeddings before and after the input part; empty when only q and k are known
  Table<T> plain_q, plain_k;  ///< before rotation and query factor, [tokens, head_dim]
  Table<T> q, k;              ///< as they reach the score
  Table<T> w_q, w_k;          ///< the head's projections; empty when q and k did not come from x
};

/// The heads that a question is asked about.
struct AskedHeads {
  std::vector<std::int64_t> heads;
  std::vector<std::int64_t> drawn;  ///< those with content of their own; the others share that of the one before
  bool sample = false;              ///< others may differ from them
};

/// A short sequence on which a scheme is tried out: one encoding, any content, one head at a time, so that even a
/// large model's shape costs little. The causal mask is on; scores are given for all keys all the same.
template <class T>
class Probe {
 public:
  Probe(Encoding<T> encoding, const Shape& shape, const ContentSpec& content);

  const Encoding<T>& encoding() const { return encoding_; }
  const Shape& shape() const { return shape_; }
  std::int64_t tokens() const { return shape_.seq_len; }
  /// At most so many heads, evenly spread; two where each needs projections of its own.
  std::vector<std::int64_t> heads(std::int64_t most) const;
  /// Every head where heads differ and `rows` queries of all of them cost little, so that none is missed; else
  /// `heads(most)`.
  AskedHeads asked(std::int64_t most, std::int64_t rows) const;
  /// Calls `visit` with each of these heads in turn.
  template <class Visit>
  void eachHead(const AskedHeads& asked, const ProbeContent& content, const Visit& visit) const {
    ProbedHead<T> shared;
    for (const std::int64_t h : asked.heads) {
      // Before its rotation a neutral head is like every other.
      const bool same = content.tokens == Tokens::neutral && !shared.plain_q.empty();
      if (!same && std::ranges::binary_search(asked.drawn, h))
        shared = head(h, content);
      else
        turn(shared, h);
      visit(std::as_const(shared));
    }
  }
  /// The number of `block`s that together hold every column of the input once.
  std::int64_t blocks() const;

  ProbedHead<T> head(std::int64_t head, const ProbeContent& content) const;
  /// Logits of these queries over all keys, [rows, tokens].
  Table<T> logits(const ProbedHead<T>& head, const std::vector<std::int64_t>& rows) const;

 private:
  bool changesInput() const { return encoding_.input.hasTable() || encoding_.input.transform; }
  Table<T> embeddings(const ProbeContent& content) const;
  void fill(ProbedHead<T>& head, const ProbeContent& content) const;
  /// Gives plain queries and keys the rotation and factor of head `h`.
  void turn(ProbedHead<T>& head, std::int64_t h) const;

  Encoding<T> encoding_;
  Shape shape_;
  Mask mask_;
  std::uint64_t seed_;
  double word_std_;
};

/// The probe of `tokens` tokens, or of half as many, and so on, where the scheme refuses. A grid is as square as it can
/// be; where none is accepted, the shape of the question, unless it is long. Error: of the first refusal.
template <class T>
Expected<Probe<T>> probeOf(const Scheme& scheme, const ParamValues& values, const Shape& shape,
                           const ContentSpec& content, std::int64_t tokens);

/// `count` positions from the first to the last.
std::vector<std::int64_t> spreadRows(std::int64_t tokens, std::int64_t count);

}  // namespace posiscope::measures
