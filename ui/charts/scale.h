// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <vector>

namespace posiscope::ui {

/// How the numbers of one axis become a share of its length.
struct Scale {
  double low = 0;
  double high = 1;  ///< above `low`
  bool logarithmic = false;

  /// 0 at `low`, 1 at `high`; NaN for what the axis cannot show (≤ 0 on a logarithmic one).
  double share(double value) const;
  /// The value at a share.
  double value(double share) const;

  bool operator==(const Scale&) const = default;
};

/// `Scale::share` for many values: its logarithms of the limits are taken once.
class ScaleShare {
 public:
  explicit ScaleShare(const Scale& scale);
  double operator()(double value) const;

 private:
  bool logarithmic_;
  double offset_;
  double factor_;
};

/// What is known of the data before limits are chosen.
struct Extent {
  double low = 0;
  double high = 0;
  bool empty = true;

  void include(double value);  ///< ignores what is not finite
};

/// Limits on round numbers around the data; whole decades on a logarithmic axis. Never empty.
Scale roundScale(const Extent& data, bool logarithmic);
/// Limits exactly at the data's ends (for abscissas); a little room when there is one value only.
Scale exactScale(const Extent& data, bool logarithmic);

struct Ticks {
  std::vector<double> values;  ///< inside the scale
  QStringList labels;          ///< all different

  bool operator==(const Ticks&) const = default;
};

/// About `wanted` ticks. `indices`: the axis counts things (positions, pairs), so steps are powers of two, never
/// below one, and the last index is labelled too.
Ticks makeTicks(const Scale& scale, int wanted, bool indices);

}  // namespace posiscope::ui
