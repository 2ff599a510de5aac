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

TEST(NearNames, aSlipIsALetterOrTwoFromOneName) {
  const std::vector<std::string> names{"rope_theta", "hidden_size", "n_head", "dim"};
  EXPECT_EQ(slipOf("rope_teta", names), "rope_theta");
  EXPECT_EQ(slipOf("hiden_sise", names), "hidden_size");
  EXPECT_EQ(slipOf("n_haed", names), "n_head");
  for (const char* other : {"rope_theta", "rope_scaling", "my_rope_theta_x", "n_hoot", "dam"})
    EXPECT_EQ(slipOf(other, names), std::nullopt) << other;
  EXPECT_EQ(slipOf("layer_size", {"layer_sizes", "layers_size"}), std::nullopt) << "two are as near";
}

}  // namespace
}  // namespace posiscope
