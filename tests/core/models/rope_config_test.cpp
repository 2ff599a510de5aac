// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a scaling's file leaves open or says twice is told.
#include "core/models/config.h"

#include <gtest/gtest.h>

namespace posiscope::models {
namespace {

/// The notes on a Llama with these keys, one a line.
std::string notes(const std::string& more) {
  Inspection result;
  const std::string sizes = R"("hidden_size":64,"num_attention_heads":4,)";
  const Outcome ok =
      readConfig(R"({"model_type":"llama",)" + sizes + R"("rope_theta":10000)" + more + "}", "config.json", result);
  EXPECT_TRUE(ok) << (ok ? "" : ok.error().message.en);
  std::string lines;
  for (const Text& note : result.notes) {
    EXPECT_FALSE(note.zh.empty());
    lines += note.en + "\n";
  }
  return lines;
}

const std::string length = R"(,"max_position_embeddings":64)";

std::string llama3(const std::string& more) {
  return length + R"(,"rope_scaling":{"rope_type":"llama3","factor":8,"original_max_position_embeddings":16)" + more +
         "}";
}

TEST(RopeConfig, aNumberThatALlama3ScalingLacksIsTold) {
  EXPECT_EQ(notes(llama3(R"(,"low_freq_factor":1,"high_freq_factor":4)")), "");
  const std::string low = "config.json: llama3 scaling without a usable low_freq_factor; 1 is taken\n";
  const std::string high = "config.json: llama3 scaling without a usable high_freq_factor; 4 is taken\n";
  EXPECT_EQ(notes(llama3(R"(,"high_freq_factor":4)")), low);
  EXPECT_EQ(notes(llama3(R"(,"low_freq_factor":1)")), high);
  EXPECT_EQ(notes(llama3("")), low + high);
  EXPECT_NE(notes(llama3(R"(,"low_freq_factor":"1","high_freq_factor":4)")).find(low), std::string::npos);
}

TEST(RopeConfig, aLengthThatAScalingLacksIsTold) {
  const auto scaled = [](const std::string& type) {
    return notes(R"(,"rope_scaling":{"rope_type":")" + type + R"(","factor":4})");
  };
  EXPECT_EQ(scaled("linear"), "");
  EXPECT_NE(scaled("yarn").find("yarn scaling without a usable original_max_position_embeddings; "), std::string::npos);
  EXPECT_NE(scaled("dynamic").find("dynamic scaling without a usable max_position_embeddings; "), std::string::npos);
  EXPECT_EQ(notes(length + R"(,"rope_scaling":{"rope_type":"dynamic","factor":4})"), "");
}

TEST(RopeConfig, twoObjectsThatDisagreeAreTold) {
  const auto both = [](const std::string& scaling, const std::string& parameters) {
    return notes(length + R"(,"rope_scaling":{)" + scaling + R"(},"rope_parameters":{)" + parameters + "}");
  };
  EXPECT_EQ(both(R"("type":"linear","factor":2)", R"("rope_type":"default","rope_theta":10000)"),
            "config.json: rope_scaling says something else than rope_parameters (factor, type); rope_parameters is "
            "taken\n");
  EXPECT_NE(both(R"("type":"linear","factor":2)", R"("rope_type":"linear","factor":4)").find("(factor)"),
            std::string::npos);
  EXPECT_EQ(both(R"("type":"linear","factor":2.0)", R"("rope_type":"linear","factor":2,"rope_theta":10000)"), "");
  EXPECT_EQ(notes(length + R"(,"rope_scaling":null,"rope_parameters":{"rope_type":"default"})"), "");
  EXPECT_EQ(notes(length + R"(,"rope_scaling":{"type":"linear","factor":2},"rope_parameters":null)"), "");
}

}  // namespace
}  // namespace posiscope::models
