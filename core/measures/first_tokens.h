// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measures/encoded.h"

namespace posiscope::measures {

/// The start of a long sequence as a question of its own: shape, mask and given arrays cut to the first `tokens`
/// tokens. The encoding is that of the whole sequence, cut, because some depend on the length (dynamic NTK).
struct FirstTokens {
  Question question;
  EncodingPtr encoding;
  /// Tokens of the whole sequence, where the encoding is that of a longer one; 0 = it is that of these tokens.
  std::int64_t length = 0;
};
Expected<FirstTokens> firstTokens(const Question& question, std::int64_t tokens);
/// The same where `tokens` is an option of the measure: the whole question when it is 0, not shorter, or when fewer
/// positions ask than are asked.
Expected<FirstTokens> askedTokens(const Question& question, std::int64_t tokens);

/// Of so many tokens a draft computes a quarter, which is a sixteenth of their pairs; few ones it computes all.
std::int64_t draftTokens(std::int64_t tokens);

/// "first 512 of 131 072 tokens", or the same as a draft.
Text firstTokensText(std::int64_t some, std::int64_t all, bool draft);

/// Puts the maps of a draft, queries × keys of the first tokens, on the axes of all `tokens`, so that the picture keeps
/// its place: what was not computed is NaN. Curves over offsets reach as far, with NaN where nothing is known.
void spreadDraft(Dataset& dataset, std::int64_t tokens);

}  // namespace posiscope::measures
