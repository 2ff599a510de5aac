// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/heads/metrics.h"
#include "core/text.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace posiscope::heads {

/// What a head mostly does. The order is that of the reference data's codes.
enum class Kind { undetermined, local, global, specific, periodic, mixed };
inline constexpr std::array all_kinds{Kind::undetermined, Kind::local,    Kind::global,
                                      Kind::specific,     Kind::periodic, Kind::mixed};

/// "specific": on the command line and in files.
std::string kindId(Kind kind);
/// "specific position", "特定位置型".
Text kindName(Kind kind);

/// One comparison on the way to a decision.
struct Condition {
  Kind kind = Kind::mixed;  ///< which it speaks for when all conditions of that kind hold
  Text what;                ///< "weight of the 4 nearest keys each way"
  double found = 0;
  double limit = 0;
  bool at_least = true;  ///< it holds when found ≥ limit; else when found < limit
  /// The limit is so many times what uniform attention has; nothing where it is a number of its own.
  std::optional<double> multiple = std::nullopt;
  bool holds() const { return at_least ? found >= limit : found < limit; }
};

/// The first kind, in the order undetermined, specific, local, periodic, global, whose conditions all hold; mixed when
/// none does. `conditions` are those that were looked at, the deciding ones last.
struct Decision {
  Kind kind = Kind::mixed;
  std::vector<Condition> conditions;
  std::int64_t damaged = 0;  ///< rows that hold NaN and were left out …
  std::int64_t rows = 0;     ///< … of so many that look at some key
};
Decision decideKind(const Metrics& metrics, const Thresholds& thresholds);

}  // namespace posiscope::heads
