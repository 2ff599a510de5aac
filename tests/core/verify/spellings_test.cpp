// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What else a manifest may say of absolute tables and rotations, and what is then computed.
#include "core/files/reader.h"
#include "core/verify.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <cmath>

namespace posiscope {
namespace {

constexpr const char* lines = R"("tol": {"f64": {"rtol": 1e-12, "atol": 1e-12}, "f32": {"rtol": 3e-7, "atol": 2e-7},
  "f32_naive": {"rtol": 1e-5, "atol": 1e-5}})";

class SpellingsTest : public testing::Test {
 protected:
  void give(const std::string& name, const Array& array) { EXPECT_TRUE(files::writeNpy(folder_.file(name), array)); }

  /// Empty when the case made of `fields` gives `right`, else why not.
  std::string problemOf(const std::string& fields, const Array& right) {
    give("right.npy", right);
    return noteOf(fields + R"(, "file": "right.npy", )" + lines);
  }
  /// Empty when the case is refused.
  std::string acceptedOf(const std::string& fields) { return noteOf(fields + R"(, "expect": {"error": "so"})"); }

  test::TemporaryFolder folder_;

 private:
  std::string noteOf(const std::string& fields) {
    const std::string manifest = folder_.write("m.json", R"({"cases": [{"id": "c", )" + fields + "}]}");
    const auto report = verify::run(manifest, {{}, verify::Precision::double_}, Job{});
    if (!report || report->cases.size() != 1) return "no case";
    const verify::CaseReport& c = report->cases.front();
    return c.state == verify::State::passed ? "" : "not passed: " + c.note;
  }
};

/// [rows, 2]: 1 and the slow frequency of a head of 4.
Array twoPairs(const std::vector<double>& slow) {
  std::vector<double> values;
  for (const double w : slow) values.insert(values.end(), {1, w});
  return makeArray({static_cast<std::int64_t>(slow.size()), 2}, values);
}

TEST_F(SpellingsTest, scoresTurnAsLongSequencesDo) {
  give("one.npy", makeArray({2, 4}, std::vector<double>(8, 1.0)));
  const std::string fields = R"("scheme": "rope_scaled", "quantity": "scores",
    "params": {"head_dim": 4, "rope_type": "dynamic", "factor": 2, "max_position": 2, "seq_len": 8, "base": 100},
    "positions": {"kind": "list", "values": [0, 1]}, "inputs": {"q": "one.npy", "k": "one.npy"})";
  const double slow = 1 / std::sqrt(100.0 * 7 * 7);  // b·(s·l/M − (s − 1))^(d/(d − 2))
  const double apart = 2 * std::cos(1.0) + 2 * std::cos(slow);
  EXPECT_EQ(problemOf(fields, makeArray({2, 2}, {4, apart, apart, 4})), "");
}

TEST_F(SpellingsTest, everyDivisorOfASimilarityGivesOneForAPositionWithItself) {
  for (const std::string quantity : {"similarity_curve", "rope_decay_ones"})
    for (const std::string divisor : {"mean", "per_dim", "cosine"})
      EXPECT_EQ(problemOf(R"("scheme": "derived", "quantity": ")" + quantity +
                              R"(", "params": {"dim": 4, "base": 100, "normalize": ")" + divisor +
                              R"("}, "positions": {"kind": "list", "values": [0, 2]})",
                          makeArray({2}, {1, (std::cos(2) + std::cos(0.2)) / 2})),
                "")
          << quantity << " " << divisor;
  EXPECT_EQ(
      problemOf(R"("scheme": "derived", "quantity": "similarity_matrix", "params": {"dim": 4, "base": 100,
    "normalize": "per_dim", "freq": "endpoint"}, "positions": {"kind": "list", "values": [0, 2]})",
                makeArray({2, 2}, {1, (std::cos(2) + std::cos(0.02)) / 2, (std::cos(2) + std::cos(0.02)) / 2, 1})),
      "");
}

TEST_F(SpellingsTest, twoKindsOfLayersMayScaleOnTheirOwn) {
  const std::string head = R"("scheme": "rope_dual", "quantity": "inv_freq", "params": {"head_dim": 4, )";
  EXPECT_EQ(
      problemOf(head + R"("local": {"rope_theta": 100}, "global": {"rope_theta": 10000}})", twoPairs({0.1, 0.01})), "");
  EXPECT_EQ(
      problemOf(head + R"("local": {"base": 100, "rope_type": "linear", "factor": 2}, "global": {"base": 10000}})",
                makeArray({2, 2}, {0.5, 0.05, 1, 0.01})),
      "");
  EXPECT_EQ(problemOf(head + R"("local": {"base": 100},
    "global": {"base": 100, "rope_type": "dynamic", "factor": 2, "max_position": 2, "seq_len": 8}})",
                      twoPairs({0.1, 1 / std::sqrt(4900.0)})),
            "");
  const std::string decay = R"("scheme": "rope_dual", "quantity": "decay", "params": {"head_dim": 4,
    "local": {"base": 100}, "global": {"base": 100, "rope_type": "yarn", "factor": 1, "original_max_position": 8,
    "attention_factor": 2}}, "positions": {"kind": "list", "values": [0]})";
  EXPECT_EQ(problemOf(decay, makeArray({2, 1}, {4, 16})), "");
  EXPECT_EQ(problemOf(head + R"("rotary_pct": 0.5, "local": {"base": 100}, "global": {"base": 100}})",
                      makeArray({2, 1}, {1, 1})),
            "");
}

TEST_F(SpellingsTest, basesByLayerAndALinearStretch) {
  EXPECT_EQ(problemOf(R"("scheme": "rope_multi", "output": "inv_freq",
    "params": {"head_dim": 4, "bases": [100, 10000], "bases_by": "layer", "rope_type": "linear", "factor": 2})",
                      makeArray({2, 2}, {0.5, 0.05, 0.5, 0.005})),
            "");
}

TEST_F(SpellingsTest, layersAndPositionsAsModelsListThem) {
  EXPECT_EQ(problemOf(R"("scheme": "layer_pattern", "output": "layer_kinds", "params": {"num_layers": 3, "pattern": 2,
    "layer_types": ["full_attention", "sliding_attention", "chunked_attention"]}, "mode": "exact")",
                      makeArray({3}, {0, 1, 1})),
            "");
  EXPECT_EQ(problemOf(R"("scheme": "rope_dual", "quantity": "layer_types", "mode": "exact",
    "params": {"num_layers": 4, "period": 2, "global_at": 0})",
                      makeArray({4}, {1, 0, 1, 0})),
            "");
  EXPECT_EQ(problemOf(R"("scheme": "position_ids", "output": "ids", "params": {"rule": "offset", "seq_len": 2,
    "past_length": 5})",
                      makeArray({2}, {5, 6})),
            "");
  EXPECT_NE(acceptedOf(R"("scheme": "position_ids", "output": "ids", "params": {"rule": "sorted_sample",
    "draw": [3, 1], "max_positions": 4})"),
            "");
  EXPECT_EQ(acceptedOf(R"("scheme": "position_ids", "output": "ids", "params": {"rule": "sorted_sample",
    "draw": [3, 1], "max_positions": 3})"),
            "");
}

TEST_F(SpellingsTest, ministralsStepIsItsOwn) {
  EXPECT_EQ(problemOf(R"("scheme": "query_scale", "output": "scale", "params": {"kind": "ministral3",
    "positions": [16383, 16384]})",
                      makeArray({2}, {1, 1 + 0.1 * std::log(2)})),
            "");
}

TEST_F(SpellingsTest, tablesWithRowsInFrontOfThem) {
  give("table.npy", makeArray({4, 1}, {10, 11, 12, 13}));
  const std::string lookup = R"("scheme": "learned", "quantity": "lookup", "inputs": {"table": "table.npy"},
    "params": {"dim": 1, "position_offset": 2}, "positions": {"kind": "list", "values": [)";
  EXPECT_EQ(problemOf(lookup + R"(1]}, "mode": "exact")", makeArray({1, 1}, {13})), "");
  EXPECT_EQ(acceptedOf(lookup + "2]}"), "");
  EXPECT_EQ(problemOf(R"("scheme": "sincos2d", "quantity": "table",
    "params": {"h": 1, "w": 1, "dim": 4, "scale": 3, "prefix_tokens": 1})",
                      makeArray({2, 4}, {0, 0, 0, 0, 0, 3, 0, 3})),
            "");
  give("mask.npy", makeArray({1, 2}, {0, 1}));
  EXPECT_EQ(problemOf(R"("scheme": "sincos2d", "quantity": "table", "inputs": {"mask": "mask.npy"},
    "params": {"h": 1, "w": 2, "dim": 4, "first_axis": "x"})",
                      makeArray({2, 4}, {std::sin(-1), std::cos(-1), std::sin(-1), std::cos(-1), 0, 1, 0, 1})),
            "");
  EXPECT_EQ(acceptedOf(R"("scheme": "sinusoidal", "quantity": "table", "params": {"dim": 3, "layout": "concat",
    "scale": "rsqrt_d"}, "positions": {"kind": "list", "values": [1]})"),
            "");
}

TEST_F(SpellingsTest, rotationsInOtherWords) {
  give("x.npy", makeArray({1, 4}, {1, 2, 3, 4}));
  const double c = std::cos(1), s = std::sin(1), c2 = std::cos(0.1), s2 = std::sin(0.1);
  EXPECT_EQ(problemOf(R"("scheme": "rope", "quantity": "rotated", "inputs": {"x": "x.npy"},
    "params": {"head_dim": 4, "base": 100, "rope_interleaved": false}, "positions": {"kind": "list", "values": [1]})",
                      makeArray({1, 4}, {c - 3 * s, 2 * c2 - 4 * s2, s + 3 * c, 2 * s2 + 4 * c2})),
            "");
  give("q.npy", makeArray({1, 2, 4}, std::vector<double>(8, 0.0)));
  EXPECT_EQ(problemOf(R"("scheme": "rope_mixed", "output": "attn", "inputs": {"Q": "q.npy", "K": "q.npy"},
    "params": {"num_heads": 1, "height": 1, "width": 1, "head_dim": 4, "cls_token": true})",
                      makeArray({1, 2, 2}, {0.5, 0.5, 0.5, 0.5})),
            "");
  EXPECT_EQ(problemOf(R"("scheme": "rope_decoupled", "output": "inv_freq", "params": {"num_heads": 1,
    "qk_nope_head_dim": 4, "qk_rope_head_dim": 4, "base": 100, "rope_type": "linear", "factor": 2})",
                      makeArray({2}, {0.5, 0.05})),
            "");
  EXPECT_EQ(problemOf(R"("scheme": "mrope", "quantity": "cos", "params": {"head_dim": 4, "rotary_pct": 0.5,
    "sections": [1, 0, 0], "segments": [["text", 2]]})",
                      makeArray({2, 1}, {1, std::cos(1)})),
            "");
}

TEST_F(SpellingsTest, fusionWithAllSinesFirst) {
  give("x.npy", makeArray({1, 4}, {0, 0, 0, 0}));
  EXPECT_EQ(problemOf(R"("scheme": "fusion", "output": "out", "inputs": {"x": "x.npy"}, "params": {"mode": "add",
    "seq_len": 1, "d_model": 4, "base": 100, "table": "sinusoidal, concatenated", "position_start": 1})",
                      makeArray({1, 4}, {std::sin(1), std::sin(0.1), std::cos(1), std::cos(0.1)})),
            "");
}

}  // namespace
}  // namespace posiscope
