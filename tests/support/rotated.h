// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/attention.h"
#include "core/random.h"
#include "tests/support/encoded.h"

#include <numeric>

namespace posiscope::test {

/// The rotation of a scheme; an empty one and a failure of the test when it refuses or turns nothing.
inline RotationPart rotationOf(std::string_view id, const ParamValues& values, const Shape& shape) {
  const Encoding<double> encoding = encoded(id, values, shape);
  if (!encoding.rotation) ADD_FAILURE() << id << " turns nothing";
  return encoding.rotation.value_or(RotationPart{});
}

/// Standard normal numbers, the same on every run.
inline std::vector<double> normals(std::int64_t count, std::string_view name) {
  const Stream stream(5, name);
  std::vector<double> values;
  for (std::int64_t e = 0; e < count; ++e) values.push_back(stream.normal(static_cast<std::uint64_t>(e)));
  return values;
}

/// The vector as a query (or key) of this token and head, turned.
inline std::vector<double> turned(const RotationPart& r, std::vector<double> x, std::int64_t token,
                                  std::int64_t head = 0, bool key = false) {
  attention::rotate<double>(r, head, token, key, x, static_cast<std::int64_t>(x.size()));
  return x;
}

inline double dotOf(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// The score of q at token i with k at token j.
inline double scoreOf(const RotationPart& r, const std::vector<double>& q, const std::vector<double>& k, std::int64_t i,
                      std::int64_t j, std::int64_t head = 0) {
  return dotOf(turned(r, q, i, head), turned(r, k, j, head, true));
}

}  // namespace posiscope::test
