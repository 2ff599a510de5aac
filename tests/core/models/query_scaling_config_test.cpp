// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Keys of models whose queries grow with their position.
#include "core/models/config.h"
#include "tests/core/models/read_config.h"
#include "tests/support/encoded.h"

#include <algorithm>
#include <cmath>

namespace posiscope::models {
namespace {

/// What the layer does to 40 tokens.
Encoding<double> inLayer(const Inspection& i, std::int64_t layer) {
  Shape shape = i.shape;
  shape.seq_len = 40;
  shape.layer = layer;
  return test::encoded(i.schemes.at(0).id, i.schemes.at(0).values, shape);
}

std::string llama(const std::string& more) {
  return R"({"model_type":"llama4_text","num_hidden_layers":4)" + more + "}";
}

TEST(QueryScalingConfig, llama4ScalesTheLayersWithoutRotation) {
  const Inspection i = read(llama(R"(,"floor_scale":16,"attn_scale":0.2)"));
  for (std::int64_t l = 0; l < 3; ++l) EXPECT_TRUE(inLayer(i, l).query_factor.empty()) << l;
  const Encoding<double> still = inLayer(i, 3);
  ASSERT_EQ(still.query_factor.size(), 40u);
  EXPECT_EQ(still.query_factor[14], 1);
  EXPECT_NEAR(still.query_factor[15], 1 + 0.2 * std::log(2), 1e-15);
  EXPECT_EQ(inLayer(read(llama("")), 3).query_factor[39], 1) << "the first step is at 8192";
  EXPECT_TRUE(inLayer(read(llama(R"(,"attn_temperature_tuning":false)")), 3).query_factor.empty());
}

TEST(QueryScalingConfig, ministral3ScalesEveryLayerWithItsScaledRotation) {
  const Inspection i = read(R"({"model_type":"ministral3","num_hidden_layers":2,"head_dim":128,
    "max_position_embeddings":262144,"rope_parameters":{"rope_type":"yarn","factor":16,
    "original_max_position_embeddings":16,"mscale":1,"mscale_all_dim":1,"llama_4_scaling_beta":0.2,"rope_theta":1e6}})");
  EXPECT_TRUE(std::ranges::none_of(
      i.notes, [](const Text& t) { return t.en.find("llama_4_scaling_beta") != std::string::npos; }));
  for (const std::int64_t layer : {0, 1}) {
    const Encoding<double> e = inLayer(i, layer);
    ASSERT_EQ(e.query_factor.size(), 40u);
    EXPECT_EQ(e.query_factor[15], 1);
    EXPECT_NEAR(e.query_factor[16], 1 + 0.2 * std::log(2), 1e-15);
    EXPECT_NEAR(e.query_factor[32], 1 + 0.2 * std::log(3), 1e-15);
    EXPECT_FALSE(e.reach.isLimited());
    ASSERT_TRUE(e.rotation);
    EXPECT_NEAR(e.rotation->frequency.back() * 16 * std::pow(1e6, 126.0 / 128), 1, 1e-12);
  }
}

}  // namespace
}  // namespace posiscope::models
