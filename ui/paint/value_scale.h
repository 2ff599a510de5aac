// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dataset.h"

#include <cstdint>
#include <vector>

namespace posiscope::ui {

/// How numbers become fractions of a colour map.
struct ValueScale {
  enum class Kind { linear, logarithmic, signed_logarithmic };

  Kind kind = Kind::linear;
  double low = 0;
  double high = 1;
  bool open_above = false;  ///< some values lie above `high` and share its colour
  bool whole = false;       ///< whole numbers, each with half a step to both sides: −0.5 … count − 0.5
  bool open_below = false;  ///< some values lie below `low` and share its colour

  /// 0 at `low`, 1 at `high`; outside it goes on (or is −∞ for a logarithm of nothing).
  double fraction(double value) const;
  /// The inverse of `fraction`.
  double value(double fraction) const;
  /// Round values inside, both limits included, at most about `most`.
  std::vector<double> ticks(int most) const;

  bool operator==(const ValueScale&) const = default;
};

/// The scale that suits numbers between `minimum` and `maximum`: centred on 0 for diverging maps, a whole turn for
/// cyclic ones, starting at 0 for magnitudes that come near it. `logarithmic` is ignored for cyclic maps.
ValueScale automaticScale(MapKind kind, double minimum, double maximum, bool logarithmic);

/// Ends a linear scale of magnitudes at the 99.5th percentile of a sample of the values when the largest are far above
/// it: the first query of causal attention has one key and weight 1, and would leave all others in the dark.
void easeOutliers(ValueScale& scale, std::vector<float> sample);

/// The scale of `count` whole numbers, from `first` on.
ValueScale wholeScale(std::int64_t count, std::int64_t first = 0);

/// The scale between typed limits, open where values from `least` to `largest` lie outside; null limits or an empty
/// range give back `automatic`.
ValueScale typedScale(MapKind kind, double minimum, double maximum, bool logarithmic, const ValueScale& automatic,
                      double least, double largest);

}  // namespace posiscope::ui
