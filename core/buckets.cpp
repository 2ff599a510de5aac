// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/buckets.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <numeric>

namespace posiscope {
namespace {

/// A natural number of any size, for comparing products of powers exactly.
class Natural {
 public:
  void multiplyByPower(std::uint64_t base, std::int64_t exponent) {
    for (std::int64_t e = 0; e < exponent; ++e) multiplyBy(base);
  }
  std::strong_ordering operator<=>(const Natural& other) const {
    if (digits_.size() != other.digits_.size()) return digits_.size() <=> other.digits_.size();
    return std::lexicographical_compare_three_way(digits_.rbegin(), digits_.rend(), other.digits_.rbegin(),
                                                  other.digits_.rend());
  }

 private:
  /// `factor` below 2^32.
  void multiplyBy(std::uint64_t factor) {
    std::uint64_t carry = 0;
    for (std::uint32_t& digit : digits_) {
      carry += digit * factor;
      digit = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) digits_.push_back(static_cast<std::uint32_t>(carry));
  }

  std::vector<std::uint32_t> digits_{1};  // base 2^32, lowest first
};

/// Where the logarithmic part of one side stands: `near` exact buckets, `far` steps up to max_distance.
struct LogSteps {
  std::int64_t near;
  std::int64_t far;
  std::int64_t max_distance;

  /// How many steps distance x is away, ln(x / near) / ln(max_distance / near) · far, rounded.
  double stepsTo(std::int64_t x) const {
    const double all = std::log(static_cast<double>(max_distance) / static_cast<double>(near));
    return std::log(static_cast<double>(x) / static_cast<double>(near)) / all * static_cast<double>(far);
  }
  /// Distance x beside step k, x <=> near · (max_distance / near)^(k / far). Rounded logarithms put borders such as
  /// 10, 20 and 80 of (20 buckets, 160) one bucket low, so near a border the powers are compared.
  std::strong_ordering compare(std::int64_t x, std::int64_t k) const {
    const double ahead = stepsTo(x) - static_cast<double>(k);
    if (std::abs(ahead) > 1e-6) return ahead > 0 ? std::strong_ordering::greater : std::strong_ordering::less;
    const std::int64_t common = std::gcd(far, k);
    Natural left;
    left.multiplyByPower(static_cast<std::uint64_t>(x), far / common);
    Natural right;
    right.multiplyByPower(static_cast<std::uint64_t>(max_distance), k / common);
    Natural& smaller_power = k <= far ? right : left;  // beyond max_distance k is above far
    smaller_power.multiplyByPower(static_cast<std::uint64_t>(near), std::abs(far - k) / common);
    return left <=> right;
  }
};

}  // namespace

Outcome checkBuckets(std::string_view owner, const BucketParams& p) {
  const std::int64_t fewest = p.bidirectional ? 4 : 2;
  if (p.num_buckets < fewest)
    return fail(
        ErrorCode::out_of_range,
        join(owner, ": num_buckets must be at least ", fewest, p.bidirectional ? " when bidirectional, got " : ", got ",
             p.num_buckets),
        join(owner, "：num_buckets ", p.bidirectional ? "在双向时" : "", "至少为 ", fewest, "，得到 ", p.num_buckets));
  const std::int64_t near = p.side() / 2;
  if (p.max_distance <= near)
    return fail(
        ErrorCode::out_of_range,
        join(owner, ": max_distance must be above the ", near, " distances with a bucket each, got ", p.max_distance),
        join(owner, "：max_distance 必须大于各占一个桶的 ", near, " 个近距离，得到 ", p.max_distance));
  return {};
}

std::vector<std::int64_t> bucketEdges(std::int64_t side, std::int64_t max_distance) {
  const std::int64_t near = side / 2;
  const LogSteps steps{near, side - near, max_distance};
  std::vector<std::int64_t> edges(static_cast<std::size_t>(side));
  for (std::int64_t b = 0; b < near; ++b) edges[static_cast<std::size_t>(b)] = b;
  for (std::int64_t k = 0; k < steps.far; ++k) {
    std::int64_t low = near;  // the first x that has reached step k lies in [near, max_distance]
    std::int64_t high = max_distance;
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      if (steps.compare(middle, k) >= 0)
        high = middle;
      else
        low = middle + 1;
    }
    edges[static_cast<std::size_t>(near + k)] = low;
  }
  return edges;
}

std::int64_t bucketOf(const BucketParams& p, const std::vector<std::int64_t>& edges, std::int64_t r) {
  const bool ahead = p.bidirectional && r > 0;
  const std::int64_t distance = p.bidirectional ? std::abs(r) : std::max<std::int64_t>(-r, 0);
  const auto after = std::ranges::upper_bound(edges, distance);
  return (after - edges.begin()) - 1 + (ahead ? p.side() : 0);
}

Outcome checkLogBuckets(std::string_view owner, const LogBucketParams& p) {
  if (p.position_buckets < 2)
    return fail(ErrorCode::out_of_range, join(owner, ": position_buckets must be at least 2, got ", p.position_buckets),
                join(owner, "：position_buckets 至少为 2，得到 ", p.position_buckets));
  if (p.max_distance - 1 <= p.middle())
    return fail(ErrorCode::out_of_range,
                join(owner, ": max_relative_positions must be above position_buckets / 2 + 1 = ", p.middle() + 1,
                     ", got ", p.max_distance),
                join(owner, "：max_relative_positions 必须大于 position_buckets / 2 + 1 = ", p.middle() + 1, "，得到 ",
                     p.max_distance));
  return {};
}

std::int64_t logBucketOf(const LogBucketParams& p, std::int64_t n) {
  const std::int64_t farthest = p.max_distance - 1;
  const std::int64_t distance = p.clamped ? std::min(std::abs(n), farthest) : std::abs(n);
  const std::int64_t middle = p.middle();
  if (distance <= middle) return n < 0 ? -distance : distance;
  std::int64_t step = 0;
  if (const LogSteps steps{middle, middle - 1, farthest}; steps.far > 0) {
    // Rounded up; on a border only the exact comparison knows which side it is.
    const double ahead = steps.stepsTo(distance);
    const auto nearest = static_cast<std::int64_t>(std::llround(ahead));
    const bool border = std::abs(ahead - static_cast<double>(nearest)) <= 1e-6;
    step = border ? nearest + (steps.compare(distance, nearest) > 0 ? 1 : 0)
                  : static_cast<std::int64_t>(std::ceil(ahead));
  }
  return n < 0 ? -(middle + step) : middle + step;
}

}  // namespace posiscope
