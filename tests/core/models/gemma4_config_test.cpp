// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Layers of two kinds that differ in more than their base: proportional and plain rotation, wider heads.
#include "core/models/config.h"
#include "tests/core/models/read_config.h"
#include "tests/support/encoded.h"

#include <algorithm>
#include <cmath>

namespace posiscope::models {
namespace {

const std::string gemma4 = R"({"model_type":"gemma4_text","hidden_size":2048,"num_attention_heads":8,"head_dim":256,
  "num_hidden_layers":12,"max_position_embeddings":131072,"sliding_window":512,
  "layer_types":["sliding_attention","sliding_attention","sliding_attention","sliding_attention","sliding_attention",
    "full_attention","sliding_attention","sliding_attention","sliding_attention","sliding_attention",
    "sliding_attention","full_attention"],
  "rope_parameters":{
    "full_attention":{"rope_type":"proportional","partial_rotary_factor":0.25,"rope_theta":1000000.0},
    "sliding_attention":{"rope_type":"default","rope_theta":10000.0}})";

bool says(const Inspection& i, const std::string& part) {
  return std::ranges::any_of(i.notes, [&](const Text& t) { return t.en.find(part) != std::string::npos; });
}

TEST(Gemma4, slidingLayersTurnWholeHeadsAndFullOnesAShareOfThePairs) {
  const Inspection i = read(gemma4 + "}");
  ASSERT_EQ(i.schemes.size(), 1u);
  EXPECT_FALSE(says(i, "global_head_dim"));
  Shape shape = i.shape;
  shape.seq_len = 16;
  for (shape.layer = 0; shape.layer < 12; ++shape.layer) {
    const Encoding<double> e = test::encoded(i.schemes[0].id, i.schemes[0].values, shape);
    const bool full = shape.layer % 6 == 5;
    ASSERT_TRUE(e.rotation);
    ASSERT_EQ(e.rotation->pairs(), 128) << shape.layer;
    EXPECT_EQ(e.reach.window, full ? -1 : 511);
    for (std::int64_t p = 0; p < 128; ++p) {
      const double share = -2.0 * static_cast<double>(p) / 256;
      const double wanted = !full ? std::pow(1e4, share) : p < 32 ? std::pow(1e6, share) : 0;
      ASSERT_NEAR(e.rotation->frequencyOf(0, 0, p), wanted, 1e-15) << shape.layer << ", " << p;
    }
  }
}

TEST(Gemma4, widerHeadsOfTheFullLayersAreNoted) {
  const Inspection i = read(gemma4 + R"(,"global_head_dim":512})");
  EXPECT_EQ(i.shape.head_dim, 256);
  EXPECT_TRUE(says(i,
                   "config.json: global_head_dim 512 of the full layers is not used; every layer is shown with "
                   "head_dim 256, so set it to 512 to see a full one"));
  EXPECT_FALSE(says(read(gemma4 + R"(,"global_head_dim":256})"), "global_head_dim"));
  Shape wide = i.shape;
  wide.seq_len = 16;
  wide.head_dim = 512;
  wide.layer = 5;
  const Encoding<double> e = test::encoded(i.schemes[0].id, i.schemes[0].values, wide);
  ASSERT_TRUE(e.rotation);
  EXPECT_EQ(std::ranges::count_if(e.rotation->frequency, [](double w) { return w > 0; }), 64);
}

/// Which layers are global: G, or . for a local one.
std::string kinds(const Inspection& i) {
  std::string text;
  Shape shape = i.shape;
  shape.seq_len = 16;
  for (shape.layer = 0; shape.layer < shape.num_layers; ++shape.layer)
    text += test::encoded(i.schemes.at(0).id, i.schemes.at(0).values, shape).reach.isLimited() ? '.' : 'G';
  return text;
}

TEST(Gemma4, isKnownByItsTypeAndHasTheDefaultsOfItsClass) {
  for (const char* type : {"gemma4", "gemma4_text"}) {
    const Inspection i = read(R"({"model_type":")" + std::string(type) +
                              R"(","head_dim":256,"num_hidden_layers":12,"sliding_window":512})");
    ASSERT_EQ(i.schemes.size(), 1u) << type;
    EXPECT_FALSE(says(i, "is not known")) << type;
    EXPECT_EQ(i.schemes[0].values, read(gemma4 + "}").schemes[0].values) << type;
    EXPECT_EQ(kinds(i), ".....G.....G") << type;
  }
  EXPECT_FALSE(says(read(gemma4 + "}"), "is not known"));
}

TEST(Gemma4, theLastLayerIsGlobalWhereverThePeriodPutsIt) {
  const auto layers = [](const std::string& count, const std::string& types) {
    return kinds(read(R"({"model_type":"gemma4_text","head_dim":256,"sliding_window":512,"num_hidden_layers":)" +
                      count + types + "}"));
  };
  EXPECT_EQ(layers("9", ""), ".....G..G");
  EXPECT_EQ(layers("4", ""), "...G");
  const std::string s = R"("sliding_attention",)", f = R"("full_attention",)", last = R"("sliding_attention"])";
  EXPECT_EQ(layers("5", R"(,"layer_types":[)" + s + f + s + f + last), ".G.GG");
  EXPECT_EQ(layers("5", R"(,"layer_types":[)" + s + f + s + s + last), ".G..G");
  EXPECT_EQ(layers("3", R"(,"layer_types":[)" + s + s + last), "..G");
}

}  // namespace
}  // namespace posiscope::models
