// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/attending.h"

#include <gtest/gtest.h>

namespace posiscope {
namespace {

template <class T>
class AttentionGolden : public testing::Test {};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(AttentionGolden, Scalars);

struct Situation {
  const char* id;
  std::int64_t heads, queries, keys, dim;
  Mask mask;
  bool output = false;
  std::int64_t kv_heads = 0;
};

Mask rules(bool causal, std::int64_t window = -1, std::vector<std::uint8_t> keys = {},
           std::vector<std::uint8_t> queries = {}) {
  Mask mask;
  mask.causal = causal;
  mask.window = window;
  mask.key_padding = std::move(keys);
  mask.query_padding = std::move(queries);
  return mask;
}

std::vector<Situation> situations() {
  return {{"raw_L1", 2, 1, 1, 4, {}},
          {"raw_L2_causal", 2, 2, 2, 4, rules(true)},
          {"raw_L8_none", 2, 8, 8, 8, {}, true},
          {"raw_L8_causal", 2, 8, 8, 8, rules(true)},
          {"raw_L8_win2", 2, 8, 8, 8, rules(false, 2)},
          {"raw_L8_causal_win2", 2, 8, 8, 8, rules(true, 2)},
          {"raw_L6_rightpad", 2, 6, 6, 8, rules(false, -1, {1, 1, 1, 1, 0, 0})},
          {"raw_L6_leftpad_causal", 2, 6, 6, 8, rules(true, -1, {0, 0, 1, 1, 1, 1}), true},
          {"raw_L5_qpad", 2, 5, 5, 8, rules(false, -1, {1, 1, 1, 0, 0}, {1, 1, 1, 0, 0})},
          {"raw_L4_allpad", 1, 4, 4, 8, rules(false, -1, {0, 0, 0, 0})},
          {"raw_cache_3x8_causal", 2, 3, 8, 8, rules(true)},
          {"raw_gqa_6of2", 6, 7, 7, 8, rules(true), false, 2},
          {"raw_L6_huge", 2, 6, 6, 8, {}}};
}

TYPED_TEST(AttentionGolden, masksPaddingCachesAndGroups) {
  using T = TypeParam;
  for (const Situation& s : situations()) {
    Shape shape;
    shape.seq_len = s.keys;
    shape.seq_len_q = s.queries;
    shape.num_heads = s.heads;
    shape.num_kv_heads = s.kv_heads;
    shape.head_dim = s.dim;
    const std::string id = s.id;
    const auto content = test::goldenContent<T>(id, "reference_bias", s.output);
    const auto found =
        test::attending(test::plainEncoding<T>(shape), content, s.mask, shape, {false, true, s.output, {}});
    test::expectGolden(found.weights, test::golden("golden/" + id + "__attn"), 2e-7, id);
    if (s.output) test::expectGolden(found.output, test::golden("golden/" + id + "__out"), 5e-7, id + " output");
  }
}

TEST(MaskGolden, allowsWhatTheReferenceAttends) {
  for (const Situation& s : situations()) {
    const std::string id = s.id;
    if (id != "raw_L8_causal" && id != "raw_L8_win2" && id != "raw_L8_causal_win2" && id != "raw_L6_leftpad_causal" &&
        id != "raw_cache_3x8_causal")
      continue;
    Shape shape;
    shape.seq_len = s.keys;
    shape.seq_len_q = s.queries;
    std::vector<double> found;
    for (std::int64_t i = 0; i < s.queries; ++i)
      for (std::int64_t j = 0; j < s.keys; ++j) found.push_back(s.mask.allows(shape, i, j) ? 1 : 0);
    test::expectClose(found, test::golden("golden/" + id + "__mask"), 0, 1e-300, id);
  }
}

struct SchemeCase {
  const char* id;
  const char* golden;
  const char* inputs;
  std::int64_t seq_len, heads, d_model;
  bool causal;
  ParamValues values;
};

TYPED_TEST(AttentionGolden, schemesOfTheCatalogueFromEmbeddings) {
  using T = TypeParam;
  const std::string half = "half";
  const std::vector<SchemeCase> cases{{"none", "attn_c_nope", "attn_c_nope", 12, 4, 32, true, {}},
                                      {"sinusoidal", "attn_c_sinusoidal", "attn_c_nope", 12, 4, 32, true, {}},
                                      {"rope", "attn_c_rope_interleaved", "attn_c_nope", 12, 4, 32, true, {}},
                                      {"rope", "attn_c_rope_half", "attn_c_nope", 12, 4, 32, true, {{"pairing", half}}},
                                      {"rope",
                                       "attn_n_rope_partial",
                                       "attn_n_rope_partial",
                                       10,
                                       2,
                                       16,
                                       false,
                                       {{"pairing", half}, {"rotary_dim", 4.0}}},
                                      {"alibi", "attn_c_alibi", "attn_c_nope", 12, 4, 32, true, {}}};
  for (const SchemeCase& c : cases) {
    Shape shape;
    shape.seq_len = c.seq_len;
    shape.num_heads = c.heads;
    shape.head_dim = 8;
    shape.d_model = c.d_model;
    const auto encoding = test::encodingOf<T>(c.id, c.values, shape);
    const auto found = test::attending(encoding, test::goldenEmbeddings<T>(c.inputs), rules(c.causal), shape);
    test::expectGolden(found.weights, test::golden("golden/" + std::string(c.golden) + "__attn"), 2e-7, c.golden);
  }
}

}  // namespace
}  // namespace posiscope
