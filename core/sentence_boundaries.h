// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/content.h"
#include "core/shape.h"

#include <vector>

namespace posiscope {

/// Where the sentences of a typed text end, [seq_len], 1 for the last token of each and else 0: what a
/// parameter that `takes_sentence_ends` is filled with. A sentence ends after . ! ? 。 ！ ？ (and quotes or brackets
/// that close there), at the end of a line and at the end of the text; an abbreviation ends one, too. Empty when the
/// content is no typed text.
std::vector<double> sentenceBoundaries(const ContentSpec& content, const Shape& shape);

}  // namespace posiscope
