// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding.h"

#include <cstdint>
#include <optional>

namespace posiscope {

/// What the encoding of a longer sequence does to its first `tokens` tokens: not the same as the encoding of so many
/// tokens, where frequencies depend on the length (dynamic NTK). Nothing where a part is a function that knows the
/// shape it was made for.
template <class T>
std::optional<Encoding<T>> startOf(const Encoding<T>& encoding, std::int64_t tokens);

}  // namespace posiscope
