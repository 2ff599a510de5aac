// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/attention.h"
#include "core/measures/first_tokens.h"
#include "core/measures/given_attention.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace posiscope::measures {

/// The rotation with every token at one position, so that nothing turns: what is left is the factor on the pairs that
/// would have turned, or nothing at all.
std::optional<RotationPart> standingStill(const std::optional<RotationPart>& rotation);

/// What a question attends with. In the first layer of a model with an added table content and position are what its
/// words, and its positions, bring to the queries and keys.
enum class AttentionPart {
  both,
  content,   ///< the products of queries and keys alone: nothing added, nothing turned, no bias
  position,  ///< every token the same: q = k = 1, or x = 0 where a table is added to it
};

struct ExactLayer;

/// Everything that attention needs, made once.
struct Attended {
  Question question;
  EncodingPtr encoding;
  Content<float> content;
  Mask mask;         ///< with what the scheme itself leaves out
  std::string note;  ///< for terms: what stands in place of the content (", x = 0"); may be empty
  Text nothing;      ///< why this part of the attention does not exist; else empty
  /// Where the attention itself is the content; then there are no queries and keys, and the encoding plays no part.
  std::shared_ptr<const GivenAttention> given = nullptr;
  bool content_is_product = true;  ///< where the content alone is asked for: it is scale·q·k
  /// The queries and keys of a model in double precision, for both parts together: then the maps are made of these.
  std::shared_ptr<const ExactLayer> exact = nullptr;
  std::vector<Remark> remarks = {};  ///< what must be known of the part that is asked for

  const Shape& shape() const { return question.shape; }
};
/// Refuses what is too large before anything is made: `maps` maps of all queries and keys will be asked for at once.
/// Errors: those of the content, too_large.
Expected<Attended> attendedBy(FirstTokens part, AttentionPart which, double maps, const Job& job);
/// The same with no content made, for who makes the numbers of a drawn content where they are looked at.
Expected<Attended> attendedUnmade(FirstTokens part, AttentionPart which);

/// What must be said beside the numbers; nothing where they are computed.
std::vector<Remark> remarksOn(const Attended& attended);

Expected<attention::Attention<float>> attend(const Attended& attended, const attention::Wanted& wanted, const Job& job);

/// Calls `visit` with the weights of each of these heads, several at a time from several threads, without keeping those
/// of all; `place` counts from 0.
using HeadVisit = std::function<void(std::size_t place, std::int64_t head, Rows<float> weights)>;
Outcome eachHead(const Attended& attended, const std::vector<std::int64_t>& heads, const Job& job,
                 const HeadVisit& visit);
/// Of all heads.
Outcome eachHead(const Attended& attended, const Job& job, const HeadVisit& visit);

/// Says how many of the queries may look at no key, with a warning where some are.
void addEmptyRows(Dataset& dataset, std::int64_t empty, std::int64_t queries);

}  // namespace posiscope::measures
