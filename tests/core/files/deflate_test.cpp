// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/deflate.h"

#include <gtest/gtest.h>

namespace posiscope::files {
namespace {

TEST(Deflate, GivesBackWhatItPacked) {
  const std::string zeros(1'000'000, '\0');
  const std::string packed = deflated(zeros);
  EXPECT_LT(packed.size(), 2000u);
  EXPECT_EQ(inflated(packed, zeros.size()), zeros);
  EXPECT_EQ(inflated(deflated(""), 10), "");
}

TEST(Deflate, UnpacksNoMoreThanItMay) { EXPECT_FALSE(inflated(deflated(std::string(1000, 'a')), 999)); }

TEST(Deflate, RefusesWhatIsNoStream) {
  EXPECT_FALSE(inflated("no zlib stream", 1000));
  std::string cut = deflated("a text that is long enough to be cut");
  cut.resize(cut.size() / 2);
  EXPECT_FALSE(inflated(cut, 1000));
}

}  // namespace
}  // namespace posiscope::files
