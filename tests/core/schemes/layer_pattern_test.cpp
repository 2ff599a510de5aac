// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layer_pattern.h"

#include "core/query_factor.h"
#include "tests/support/attending.h"
#include "tests/support/encoded.h"

#include <algorithm>
#include <cmath>

namespace posiscope {
namespace {

const std::string all = "all", pattern = "pattern", rotated = "rotated", limited = "limited", window = "window";

Shape layers(std::int64_t count, std::int64_t layer = 0) {
  Shape shape;
  shape.seq_len = 12;
  shape.head_dim = 8;
  shape.num_heads = 2;
  shape.num_layers = count;
  shape.layer = layer;
  return shape;
}

/// R = rotates, - = does not; upper case F = full, l = limited; one pair of letters a layer.
std::string kinds(const ParamValues& values, std::int64_t count) {
  std::string text;
  for (std::int64_t l = 0; l < count; ++l) {
    const Encoding<double> e = test::encoded("layer_pattern", values, layers(count, l));
    text += e.rotation ? "R" : "-";
    text += e.reach.isLimited() ? "l" : "F";
  }
  return text;
}

TEST(LayerPattern, llama4RotatesInChunksAndSeesAllWithout) {
  EXPECT_EQ(kinds({}, 8), "RlRlRl-FRlRlRl-F");
  const Encoding<double> e = test::encoded("layer_pattern", {}, layers(8));
  EXPECT_EQ(e.reach.chunk, 8192);
  EXPECT_EQ(e.reach.window, -1);
}

TEST(LayerPattern, edgesOfTheInterval) {
  EXPECT_EQ(kinds({{"interval", 1.0}}, 3), "-F-F-F");
  EXPECT_EQ(kinds({{"interval", 9.0}}, 3), "RlRlRl");
}

TEST(LayerPattern, fullAndUnrotatedAreTwoFacts) {
  EXPECT_EQ(kinds({{"rope_rule", all}, {"full_rule", pattern}, {"pattern", 3.0}}, 6), "RlRlRFRlRlRF");  // Gemma 3
  EXPECT_EQ(kinds({{"rope_rule", limited}, {"full_rule", pattern}}, 4), "RlRlRl-F");                    // Cohere2
  EXPECT_EQ(kinds({{"full_rule", rotated}}, 4), "RFRFRF-l");                                            // SmolLM3
  EXPECT_EQ(kinds({{"full_rule", all}, {"rope_rule", limited}}, 3), "-F-F-F");
  EXPECT_EQ(kinds({{"rope_rule", all}, {"full_rule", pattern}, {"pattern", 3.0}, {"last_full", true}}, 5),
            "RlRlRFRlRF");  // Gemma 4
}

TEST(LayerPattern, listsWin) {
  using List = std::vector<double>;
  EXPECT_EQ(kinds({{"rope_layers", List{0, 1, 1}}, {"layer_kinds", List{1, 0, 1}}}, 3), "-lRFRl");
  EXPECT_EQ(test::refusal("layer_pattern", {{"rope_layers", List{0, 1}}}, layers(3)),
            "layer_pattern: rope_layers must have num_layers 3 entries, got 2");
  EXPECT_EQ(test::refusal("layer_pattern", {{"layer_kinds", List{0, 2, 1}}}, layers(3)),
            "layer_pattern: the entries of layer_kinds must be 0 or 1, got 2");
}

TEST(LayerPattern, rulesMustNotFollowEachOther) {
  EXPECT_NE(test::refusal("layer_pattern", {{"rope_rule", limited}}, layers(3)), "accepted");
  EXPECT_NE(test::refusal("layer_pattern", {{"rope_rule", limited}, {"full_rule", rotated}}, layers(3)), "accepted");
}

TEST(LayerPattern, attentionStaysInsideTheChunkOrWindow) {
  const Shape shape = layers(4);
  const Content<double> content = test::randomContent<double>(shape);
  Mask causal;
  causal.causal = true;
  const auto chunked =
      test::attending(test::encoded("layer_pattern", {{"chunk_size", 5.0}}, shape), content, causal, shape);
  const auto windowed = test::attending(test::encoded("layer_pattern", {{"limit", window}, {"window", 2.0}}, shape),
                                        content, causal, shape);
  for (std::int64_t i = 0; i < 12; ++i)
    for (std::int64_t j = 0; j < 12; ++j) {
      const auto cell = static_cast<std::size_t>(i * 12 + j);
      EXPECT_EQ(chunked.weights[cell] > 0, j <= i && i / 5 == j / 5) << i << " " << j;
      EXPECT_EQ(windowed.weights[cell] > 0, j <= i && i - j <= 2) << i << " " << j;
    }
  EXPECT_EQ(chunked.weights[5 * 12 + 5], 1);  // the first token of a chunk sees only itself
}

TEST(LayerPattern, queriesAreScaledInTheLayersThatAreNamed) {
  const std::string unrotated = "unrotated", ministral = "ministral3";
  const ParamValues steps{{"floor_scale", 4.0}, {"attn_scale", 0.5}};
  for (std::int64_t l = 0; l < 8; ++l) {
    const auto factors = [&](ParamValues more) {
      more.insert(steps.begin(), steps.end());
      return test::encoded("layer_pattern", more, layers(8, l));
    };
    EXPECT_TRUE(factors({}).query_factor.empty());
    EXPECT_TRUE(factors({}).offset_only);
    const Encoding<double> llama = factors({{"scaled_queries", unrotated}});
    EXPECT_EQ(llama.rotation.has_value(), llama.query_factor.empty()) << l;
    EXPECT_EQ(llama.rotation.has_value(), llama.offset_only) << l;
    if (!llama.rotation) {
      EXPECT_EQ(llama.query_factor,
                queryFactors({.kind = QueryScaling::llama4, .floor_scale = 4, .attn_scale = 0.5}, 0, 12));
    }
    EXPECT_EQ(factors({{"scaled_queries", all}, {"kind", ministral}}).query_factor,
              queryFactors({.kind = QueryScaling::ministral3, .floor_scale = 4, .attn_scale = 0.5}, 0, 12));
  }
}

TEST(LayerPattern, scaledRowsOfAnUnrotatedLayer) {
  const Shape shape = layers(4, 3);
  const Content<double> content = test::randomContent<double>(shape);
  const ParamValues values{{"scaled_queries", std::string("unrotated")}, {"floor_scale", 5.0}, {"attn_scale", 1.0}};
  const auto scaled =
      test::attending(test::encoded("layer_pattern", values, shape), content, {}, shape, {true, false, false, {}});
  const auto plain = test::attending(test::encoded("none", {}, shape), content, {}, shape, {true, false, false, {}});
  for (std::size_t e = 0; e < plain.logits.size(); ++e) {
    const double position = static_cast<double>(e / 12 % 12);
    ASSERT_NEAR(scaled.logits[e], (1 + std::log1p(std::floor((position + 1) / 5))) * plain.logits[e], 1e-13) << e;
  }
}

TEST(LayerPattern, reachAndMaskHoldTogether) {
  Mask mask;
  mask.window = 3;
  EXPECT_EQ(narrowed(mask, {7, 0}).window, 3);
  EXPECT_EQ(narrowed(mask, {1, 4}).window, 1);
  EXPECT_EQ(narrowed(mask, {1, 4}).chunk, 4);
  EXPECT_EQ(narrowed(mask, {}), mask);
}

}  // namespace
}  // namespace posiscope
