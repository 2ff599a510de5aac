// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/random.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>
#include <vector>

namespace posiscope {
namespace {

// Vectors made by an independent program.
TEST(Stream, givesTheReferenceDraws) {
  const Stream stream(11, "train/copy");
  constexpr std::array<std::uint64_t, 4> draws{0x95aa35a92b5d0d77, 0x1994c178abf2fd40, 0xc03b91cbc68b1185,
                                               0x897fbb9d659702a};
  for (std::uint64_t c = 0; c < draws.size(); ++c) EXPECT_EQ(stream.draw(5, c), draws[c]);
  EXPECT_EQ(stream.below(10, 5, 0), 5u);
  EXPECT_EQ(stream.unit(5, 0), 0.5846284425746157);
}

TEST(Stream, givesTheReferenceNormals) {
  const Stream stream(11, "init/embed.weight");
  constexpr std::array normals{0.061800247419885795, 0.625457071391655, 1.605375766685301, 0.6683062011022057,
                               -1.301093374765632};
  for (std::uint64_t e = 0; e < normals.size(); ++e) EXPECT_NEAR(stream.normal(e), normals[e], 1e-15);
}

TEST(Stream, aRunOfNormalsIsThoseOneByOne) {
  const Stream stream(3, "content/k");
  for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{12345}, std::uint64_t{1} << 40}) {
    std::vector<float> run(100003);  // no multiple of anything
    stream.normals(first, 0.5F, run);
    for (std::size_t e = 0; e < run.size(); ++e) {
      const double naive = 0.5 * stream.normal(first + e);
      ASSERT_NEAR(static_cast<double>(run[e]), naive, 4e-7 * std::abs(naive)) << first << " + " << e;
    }
    std::vector<float> part(5);
    stream.normals(first + 77, 0.5F, part);
    for (std::size_t e = 0; e < part.size(); ++e) EXPECT_EQ(part[e], run[77 + e]) << "wherever the run begins";
  }
}

TEST(Stream, seedNameExampleAndDrawAllMatter) {
  std::set<std::uint64_t> seen;
  for (const std::uint64_t seed : {0, 1})
    for (const char* name : {"a", "b", ""})
      for (std::uint64_t e = 0; e < 50; ++e)
        for (std::uint64_t c = 0; c < 4; ++c) seen.insert(Stream(seed, name).draw(e, c));
  EXPECT_EQ(seen.size(), 2u * 3u * 50u * 4u);
}

TEST(Stream, belowAndUnitStayInside) {
  const Stream stream(1, "range");
  for (std::uint64_t e = 0; e < 2000; ++e) {
    EXPECT_LT(stream.below(3, e, 0), 3u);
    EXPECT_GE(stream.unit(e, 1), 0.0);
    EXPECT_LT(stream.unit(e, 1), 1.0);
  }
}

}  // namespace
}  // namespace posiscope
