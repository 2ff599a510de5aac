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
};
Expected<FirstTokens> firstTokens(const Question& question, std::int64_t tokens);

}  // namespace posiscope::measures
