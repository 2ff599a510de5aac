// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace posiscope::measures {

using EncodingPtr = std::shared_ptr<const Encoding<float>>;

/// The encoding of a scheme. The last few are remembered: several measures look at the same one. Safe from any
/// thread. Errors: unknown_name and those of the scheme.
Expected<EncodingPtr> encodingOf(const SchemeChoice& choice, const Shape& shape);
inline Expected<EncodingPtr> encodingOf(const Question& question) {
  return encodingOf(question.scheme, question.shape);
}

/// How far the layer of the shape looks. Schemes that limit no layer are not encoded to know that.
Reach reachOf(const SchemeChoice& choice, const Shape& shape);

/// The answer of a stopped measure.
tl::unexpected<Error> stopped();

/// Head `head` of a part that has `heads` of them; a part that all heads share (heads = 1) accepts any head of the
/// shape. Error: out_of_range.
Expected<std::int64_t> headOf(std::int64_t head, std::int64_t heads, const Question& question);

/// The heads shown of `count`: those asked for, or all of them, or `most` evenly spread ones, the first and the last
/// included. Error: out_of_range.
Expected<std::vector<std::int64_t>> headsShown(const std::vector<double>& asked, std::int64_t count,
                                               std::int64_t most, const Question& question);

/// Says that only these of `count` heads are drawn, with a sentence that names them and in the scope; nothing when they
/// are all.
void addScopeOfHeads(Dataset& dataset, const std::vector<std::int64_t>& heads, std::int64_t count);

/// Does the encoding change nothing at all (NoPE)?
bool isNothing(const Encoding<float>& encoding);

}  // namespace posiscope::measures
