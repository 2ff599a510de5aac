// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/encoded.h"

namespace posiscope {
namespace {

TEST(None, addsNothingAnywhere) {
  const Encoding<double> encoding = test::encoded("none", {}, Shape{});
  EXPECT_TRUE(encoding.input.table.empty());
  EXPECT_FALSE(encoding.input.transform);
  EXPECT_FALSE(encoding.rotation);
  EXPECT_FALSE(encoding.logits.hasBias());
  EXPECT_FALSE(encoding.logits.score.prepare);
  EXPECT_FALSE(encoding.values.add);
  EXPECT_TRUE(encoding.offset_only);
  EXPECT_EQ(encoding.logit_scale, 1.0 / 8);
}

}  // namespace
}  // namespace posiscope
