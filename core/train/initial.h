// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/layout.h"

#include <cstdint>
#include <span>

namespace posiscope::train {

/// The bench's start values: one stream for each name, so that models which differ in the encoding only start with
/// identical words and weights. Rounded to float, whatever T is. `out` has `layout.size` numbers.
template <class T>
void setInitial(const Layout& layout, std::uint64_t seed, std::span<T> out);

}  // namespace posiscope::train
