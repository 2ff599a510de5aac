// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/manifest.h"
#include "core/verify/quantity.h"

namespace posiscope::verify {

/// The case with its parameters and inputs under the names that the quantity asks for: "rope_theta" becomes "base",
/// "dim" the width of the model, "grid" its height and width. What the quantity knows stays as it is, and so does what
/// nobody knows or what would be there twice.
Case inWordsOf(const Quantity& q, Case c);

}  // namespace posiscope::verify
