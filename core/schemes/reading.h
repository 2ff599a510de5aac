// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/param_table.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace posiscope::schemes {

/// How a bias by distance reads keys ahead of the query, which its causal paper never looks at.
enum class Reading {
  symmetric,  ///< |n|
  causal,     ///< max(n, 0): what the published code computes before the mask hides it
};

/// The distance of offset n = p_i − j.
inline std::int64_t distanceOf(Reading reading, std::int64_t n) {
  return reading == Reading::symmetric ? std::abs(n) : std::max<std::int64_t>(n, 0);
}

/// The parameter `reading`.
template <class P>
void addReading(ParamTable<P>& table) {
  table.choice("reading", &P::reading, {{"symmetric", {"|n|", "|n|"}}, {"causal", {"max(n, 0)", "max(n, 0)"}}},
               {{"keys ahead", "查询之后的键"},
                {"Whether keys after the query count by their distance or as distance 0; a causal mask hides both.",
                 "查询之后的键按距离计算，还是一律当作距离 0；因果掩码下两者无别。"}});
}

}  // namespace posiscope::schemes
