// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field.h"
#include "core/measures/encoded.h"

#include <cstdint>
#include <memory>

namespace posiscope::measures {

// Products of all pairs of many rows, which are made where they are looked at: a picture of any window is one product
// of the rows and the columns it samples.

/// factor · P_i · P_j of the added table, both rows divided by their length first for a `cosine`.
std::shared_ptr<const Field> tableProducts(const EncodingPtr& encoding, bool cosine, double factor);

/// factor · R_i 1 · R_j 1 over the dimensions that turn, for a set of the rotation, whatever its positions.
std::shared_ptr<const Field> rotationProducts(const EncodingPtr& encoding, std::int64_t set, double factor);

}  // namespace posiscope::measures
