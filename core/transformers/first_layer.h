// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/transformers/forward.h"

#include <cstdint>
#include <optional>

namespace posiscope::transformers {

/// What words, or positions, bring to the queries and keys of a head: [tokens, head_dim] each.
struct HeadPart {
  Table<float> query;
  Table<float> key;
};

/// The part of words and that of positions in the queries and keys of one head of the first layer. What is left of
/// these is of the biases and, where the model has them, the segments.
struct FirstLayerParts {
  HeadPart words;
  HeadPart positions;
};

/// A norm divides by a number that words and positions make together; with that number as it is, it is linear, and so
/// are the projections: the queries are a sum. `encoding` is that of the model's scheme for the prompt. Nothing where
/// no table is added before the first layer, where heads have norms of their own, or where the queries carry another
/// divisor than the scheme's. Errors: those of the prompt and of reading the weights; too_large; cancelled.
Expected<std::optional<FirstLayerParts>> firstLayerParts(const Model& model, const Prompt& prompt,
                                                         const Encoding<float>& encoding, std::int64_t head,
                                                         const Job& job);

}  // namespace posiscope::transformers
