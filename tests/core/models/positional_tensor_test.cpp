// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/positional_tensor.h"

#include <gtest/gtest.h>

namespace posiscope::models {
namespace {

TEST(PositionalTensor, isKnownWithAndWithoutTheNameOfItsModulesParameter) {
  for (const char* name : {"wpe.weight", "transformer.wpe.weight", "wpe", "transformer.wpe"}) {
    const PositionalTensor* found = findPositional(name);
    ASSERT_TRUE(found) << name;
    EXPECT_EQ(found->tail, "wpe.weight") << name;
  }
  EXPECT_FALSE(findPositional("swpe"));
  EXPECT_FALSE(findPositional("wpe.bias"));
  EXPECT_FALSE(findPositional("wte"));
}

}  // namespace
}  // namespace posiscope::models
