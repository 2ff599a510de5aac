// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/streamed_field.h"
#include "core/measures/attended.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace posiscope::measures {

/// Attention of which no map is stored: what it is of, without drawn numbers, and a field for each head.
struct StreamedAttention {
  Attended attended;
  std::vector<std::shared_ptr<const Field>> fields;
};

/// Fields of these heads. Nothing where the logits of a row need more than the row's query and one key after the other:
/// a score of its own, a bias by pair, an input that reads the whole sequence, attention that is given.
/// Errors: those of the content, out_of_range, cancelled.
Expected<std::optional<StreamedAttention>> streamedAttention(const FirstTokens& part, AttentionPart which,
                                                             const std::vector<std::int64_t>& heads,
                                                             attention::StreamedField::Quantity quantity,
                                                             const Job& job);

/// "softmax over all 1 048 576 keys; where cells share a pixel, one row and up to 4 keys of it are sampled"
Text streamedScope(const Shape& shape, attention::StreamedField::Quantity quantity);

}  // namespace posiscope::measures
