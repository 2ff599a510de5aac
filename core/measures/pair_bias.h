// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dataset.h"
#include "core/measures/encoded.h"

namespace posiscope::measures {

/// The bias of one head where it is one of pairs, [L_q, L_k]: stored while that is small, else made row by row when it
/// is looked at. Null when the job was stopped.
std::shared_ptr<const Field> pairBiasField(const EncodingPtr& encoding, std::int64_t head, const Shape& shape,
                                           const Job& job);

/// The same as a map, with its term. Null field as above.
Map pairBiasMap(const EncodingPtr& encoding, std::int64_t head, const Shape& shape, const Job& job);

}  // namespace posiscope::measures
