// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment.h"
#include "tests/app/command_line.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

namespace posiscope {
namespace {

using test::posiscope;

TEST(InspectCommand, ItNamesTheScaling) {
  const test::TemporaryFolder folder;
  const std::string file = folder.write("config.json", R"({"model_type": "llama", "hidden_size": 64,
    "num_attention_heads": 4, "rope_theta": 10000.0, "max_position_embeddings": 8192,
    "rope_scaling": {"rope_type": "linear", "factor": 4.0}})");
  const test::Ran ran = posiscope({"inspect", file});
  EXPECT_EQ(ran.code, std::optional<int>(0)) << ran.err;
  const SchemeChoice choice{"rope", {{"scaling", std::string("linear")}}, "", 0, true};
  EXPECT_NE(ran.out.find(displayName(choice).en), std::string::npos) << ran.out;
}

}  // namespace
}  // namespace posiscope
