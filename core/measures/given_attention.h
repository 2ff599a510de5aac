// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/attention.h"
#include "core/dataset.h"
#include "core/files/attention_array.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace posiscope::measures {

/// Where the attention itself is the content: which of a file's maps a question means. No scheme plays a part.
struct GivenAttention {
  std::shared_ptr<const files::AttentionArray> file;  ///< [batch, layer, head, query, key]
  std::int64_t batch = 0;
  std::int64_t layer = 0;

  /// Row `i` of the maps, [keys]: a weight of each key, or a logit.
  const double* row(std::int64_t head, std::int64_t i) const;
};

/// The maps of the shape's layer. Errors: bad_value where no array is given; file_missing; those of the axes; bad_shape
/// where heads, queries or keys are not the shape's; out_of_range for a layer or a batch entry that is not there.
Expected<std::shared_ptr<const GivenAttention>> givenAttention(const ContentSpec& content, const Shape& shape);

/// The content of the first `tokens` queries and keys of a square map, as if the sequence had been that short: what is
/// left of the weights of a row sums to 1 again, as it does after a softmax over fewer keys. Errors: the same.
Expected<ContentSpec> firstOfAttention(const ContentSpec& content, const Shape& whole, std::int64_t tokens);

/// The weights as they are, or logits through the softmax under the mask; a row of NaN, a softmax of nothing, is all
/// zeros. A NaN among weights stays, and what logits with a NaN or +∞ make of the row is NaN. Errors: not_supported
/// where logits are wanted of weights; out_of_range for a head; too_large; cancelled.
Outcome attendInto(const GivenAttention& given, const Mask& mask, const Shape& shape, const attention::Wanted& wanted,
                   const Job& job, attention::Attention<float>& out);

/// Where the numbers come from, how many rows hold no numbers, and what is wrong with the labels.
std::vector<Remark> remarksOn(const GivenAttention& given, const ContentSpec& content, const Mask& mask,
                              const Shape& shape);

}  // namespace posiscope::measures
