// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/near_names.h"

#include <gtest/gtest.h>

namespace posiscope {
namespace {

using Names = std::vector<std::string>;

TEST(NearNames, areThoseOneOrTwoSlipsAway) {
  const Names names{"none", "rope", "cope", "alibi", "sinusoidal", "sinusoidal_2d"};
  EXPECT_EQ(nearNames("rpoe", names), Names{"rope"}) << "two letters swapped are one slip";
  EXPECT_EQ(nearNames("ropa", names), Names{"rope"});
  EXPECT_EQ(nearNames("alby", names), Names{"alibi"});
  EXPECT_EQ(nearNames("sinusodal", names), Names{"sinusoidal"});
  EXPECT_EQ(nearNames("sinusoida", names), (Names{"sinusoidal", "sinusoidal_2d"})) << "both contain it";
  EXPECT_EQ(nearNames("zzzzzz", names), Names{});
  EXPECT_EQ(nearNames("abcd", names), Names{});
}

TEST(NearNames, ofShortWordsAreNearerThanOfLongOnes) {
  EXPECT_EQ(nearNames("sum", {"own"}), Names{});
  EXPECT_EQ(nearNames("pwn", {"own"}), Names{"own"});
  EXPECT_EQ(nearNames("xw1", {"w"}), Names{}) << "one letter in common is no resemblance";
  EXPECT_EQ(nearNames("bukket_pozitions", {"bucket_positions"}), Names{"bucket_positions"});
}

TEST(NearNames, endTheSentenceAboutAnUnknownName) {
  EXPECT_EQ(knownNames("rop", {"rope", "none"}).en, "; did you mean rope? Known: rope, none");
  EXPECT_EQ(knownNames("rop", {"rope", "none"}).zh, "；您是否要用 rope？可用：rope, none");
  EXPECT_EQ(knownNames("bloom", {"rope", "none"}).en, "; known: rope, none");
  EXPECT_EQ(knownNames("base", {}).en, "; known: none");
}

}  // namespace
}  // namespace posiscope
