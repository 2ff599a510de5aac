// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/quantities.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace posiscope::sweep {
namespace {

/// What is finite of a row of numbers, added one after the other.
class Extent {
 public:
  void add(double value) {
    if (!std::isfinite(value)) return;
    minimum_ = count_ == 0 ? value : std::min(minimum_, value);
    maximum_ = count_ == 0 ? value : std::max(maximum_, value);
    sum_ += value;
    ++count_;
  }
  double minimum() const { return count_ > 0 ? minimum_ : nothing; }
  double maximum() const { return count_ > 0 ? maximum_ : nothing; }
  double mean() const { return count_ > 0 ? sum_ / static_cast<double>(count_) : nothing; }

 private:
  static constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  double minimum_ = nothing, maximum_ = nothing, sum_ = 0;
  std::int64_t count_ = 0;
};

void addMap(std::vector<Quantity>& list, const Map& map, bool whole) {
  if (!whole) {
    const Field::Limits limits = map.field->limits();
    const std::string how = limits.exact ? "" : " of a sample";
    list.push_back({map.key + ".minimum" + how, limits.minimum});
    list.push_back({map.key + ".maximum" + how, limits.maximum});
    return;
  }
  Extent extent;
  for (std::int64_t r = 0; r < map.field->rows(); ++r)
    for (std::int64_t c = 0; c < map.field->cols(); ++c) extent.add(map.field->at(r, c));
  list.push_back({map.key + ".minimum", extent.minimum()});
  list.push_back({map.key + ".maximum", extent.maximum()});
  list.push_back({map.key + ".mean", extent.mean()});
}

void addCurve(std::vector<Quantity>& list, const Curve& curve) {
  Extent extent;
  for (const double y : curve.y) extent.add(y);
  list.push_back({curve.key + ".minimum", extent.minimum()});
  list.push_back({curve.key + ".maximum", extent.maximum()});
  list.push_back({curve.key + ".mean", extent.mean()});
  if (!curve.y.empty()) list.push_back({curve.key + ".last", curve.y.back()});
}

/// Two maps may have one key: the second is "cos 2".
void tellApart(std::vector<Quantity>& list) {
  std::set<std::string> seen;
  for (Quantity& q : list) {
    const std::string name = q.name;
    for (int n = 2; !seen.insert(q.name).second; ++n) q.name = name + " " + std::to_string(n);
  }
}

}  // namespace

std::vector<Quantity> quantitiesOf(const Dataset& dataset) {
  std::vector<Quantity> list;
  const bool whole = dataset.maps.empty() || checkNumbers(dataset).has_value();
  for (const Map& map : dataset.maps) addMap(list, map, whole);
  for (const Curve& curve : dataset.curves) addCurve(list, curve);
  for (const Property& p : dataset.properties) list.push_back({p.key, p.value, p.unit});
  for (const Metric& m : dataset.metrics) list.push_back({m.key, m.value, m.unit});
  tellApart(list);
  return list;
}

}  // namespace posiscope::sweep
