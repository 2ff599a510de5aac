// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One case in several spellings: sizes, grids, scales and inputs under the names that others use.
#include "core/files/reader.h"
#include "core/heads/metrics.h"
#include "core/verify.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

namespace posiscope {
namespace {

using nlohmann::json;
using verify::State;

constexpr State passed = State::passed;
constexpr State failed = State::failed;
constexpr State unsupported = State::unsupported;

class CaseWordsTest : public testing::Test {
 protected:
  /// What becomes of the one case "scheme/output" with these parameters and inputs; `right` is its reference.
  State stateOf(const std::string& scheme, const std::string& output, const json& params, const Array& right,
                const std::map<std::string, Array>& inputs = {}) {
    EXPECT_TRUE(files::writeNpy(folder_.file("right.npy"), right));
    const json line{{"rtol", 1e-5}, {"atol", 1e-6}};
    json c{{"id", "c"}, {"scheme", scheme}, {"output", output}, {"quantity", output}, {"file", "right.npy"}};
    c["params"] = params;
    c.update(further_);
    c["tol"] = {{"f64", line}, {"f32", line}, {"f32_naive", line}};
    for (const auto& [name, array] : inputs) {
      EXPECT_TRUE(files::writeNpy(folder_.file(name + ".npy"), array));
      c["inputs"][name] = name + ".npy";
    }
    const std::string manifest = folder_.write("manifest.json", json{{"cases", {c}}}.dump());
    const auto report = verify::run(manifest, {}, Job{});
    if (!report || report->cases.size() != 1) {
      ADD_FAILURE() << (report ? "not one case" : report.error().message.en);
      return failed;
    }
    note_ = report->cases.front().note;
    return report->cases.front().state;
  }

  std::string note_;
  json further_ = json::object();  ///< fields of the case beside these

 private:
  test::TemporaryFolder folder_;
};

TEST_F(CaseWordsTest, AGridInAnyWords) {
  const Array index = makeArray({2, 2}, {1, 0, 2, 1});
  for (const char* params : {R"({"window": [1, 2]})", R"({"grid": [1, 2]})", R"({"h": 1, "w": 2})",
                             R"({"height": 1, "width": 2})", R"({"grid_h": 1, "grid_w": 2})"})
    EXPECT_EQ(stateOf("swin", "index", json::parse(params), index), passed) << params << note_;
  for (const char* params : {R"({"kind": "levit", "grid": [1, 2]})", R"({"kind": "levit", "h": 1, "w": 2})"})
    EXPECT_EQ(stateOf("grid_bias", "index", json::parse(params), makeArray({2, 2}, {0, 1, 1, 0})), passed)
        << params << note_;
}

TEST_F(CaseWordsTest, AGridThatIsThereTwiceIsNotChosenFrom) {
  const Array index = makeArray({2, 2}, {1, 0, 2, 1});
  for (const char* params : {R"({"grid": [1, 2], "h": 1, "w": 2})", R"({"window": [1, 2], "grid": [1, 2]})",
                             R"({"height": 1, "width": 2, "grid_h": 1, "grid_w": 2})", R"({"h": 1})"})
    EXPECT_EQ(stateOf("swin", "index", json::parse(params), index), unsupported) << params;
}

TEST_F(CaseWordsTest, ASquareWindowInOneNumberAndInTwo) {
  const Array index = makeArray({4, 4}, {4, 3, 1, 0, 5, 4, 2, 1, 7, 6, 4, 3, 8, 7, 5, 4});
  EXPECT_EQ(stateOf("swin", "index", {{"window", 2}}, index), passed) << note_;
  const Array open = makeArray({1, 4, 4}, std::vector<double>(16));
  EXPECT_EQ(stateOf("swin", "blocked", json::parse(R"({"grid": [2, 2], "window": [2, 2]})"), open), passed) << note_;
  EXPECT_EQ(stateOf("swin", "blocked", json::parse(R"({"grid": [2, 2], "window": [1, 2]})"), open), unsupported);
}

TEST_F(CaseWordsTest, TheWidthOfATable) {
  EXPECT_EQ(stateOf("hybrid", "pe", {{"seq_len", 1}, {"dim", 2}, {"max_distance", 0}, {"alpha", 1}, {"beta", 0}},
                    makeArray({1, 2}, {3, 4}),
                    {{"table", makeArray({1, 2}, {3, 4})}, {"rel_emb", makeArray({1, 2}, {0, 0})}}),
            passed)
      << note_;
  EXPECT_EQ(stateOf("derived", "wavelengths", {{"head_dim", 2}, {"base", 10}}, makeArray({1}, {2 * M_PI})), passed)
      << note_;
}

TEST_F(CaseWordsTest, ALearnedTableHasItsOwnWidth) {
  further_["positions"] = json::parse(R"({"kind": "list", "values": [1]})");
  EXPECT_EQ(stateOf("learned", "lookup", json::object(), makeArray({1, 3}, {4, 5, 6}),
                    {{"table", makeArray({2, 3}, {1, 2, 3, 4, 5, 6})}}),
            passed)
      << note_;
}

TEST_F(CaseWordsTest, TheScaleOfTheLogits) {
  const std::map<std::string, Array> content{{"Q", makeArray({1, 2, 1}, {1, 2})}, {"K", makeArray({1, 2, 1}, {3, 4})}};
  const Array quarter = makeArray({1, 2, 2}, {0.75, 1, 1.5, 2});
  const json sizes{{"seq_len", 2}, {"num_heads", 1}, {"head_dim", 1}};
  for (const char* name : {"scale", "attn_scale", "softmax_scale"}) {
    json params = sizes;
    params[name] = 0.25;
    EXPECT_EQ(stateOf("attention", "logits", params, quarter, content), passed) << name << note_;
    params[name] = "1/sqrt(head_dim)";
    EXPECT_EQ(stateOf("attention", "logits", params, makeArray({1, 2, 2}, {3, 4, 6, 8}), content), passed)
        << name << note_;
  }
  json words = sizes;
  words["scale"] = "whatever";
  EXPECT_EQ(stateOf("attention", "logits", words, quarter, content), unsupported);
  // Shaw's own terms have 1/√d inside.
  words["scale"] = 0.25;
  words["max_relative_position"] = 0;
  EXPECT_EQ(stateOf("shaw", "logits", words, quarter, content), unsupported);
  // TUPE's bias as well.
  words.erase("max_relative_position");
  EXPECT_EQ(stateOf("tupe", "logits", words, quarter, content), unsupported);
  EXPECT_NE(note_.find("a logit scale of 0.25"), std::string::npos) << note_;
}

TEST_F(CaseWordsTest, TheScaleOfSinusoidalAttentionIsNotTheTables) {
  // Position 0 only: the table adds (0, 1), whatever the logits are multiplied with.
  const std::map<std::string, Array> content{{"E", makeArray({1, 2}, {0, 0})},
                                             {"W_Q", makeArray({2, 2}, {1, 0, 0, 1})},
                                             {"W_K", makeArray({2, 2}, {1, 0, 0, 1})}};
  EXPECT_EQ(stateOf("sinusoidal", "logits",
                    {{"seq_len", 1}, {"num_heads", 1}, {"head_dim", 2}, {"d_model", 2}, {"scale", 0.5}},
                    makeArray({1, 1, 1}, {0.5}), content),
            passed)
      << note_;
}

TEST_F(CaseWordsTest, TruthAsANumber) {
  const Array zeros = makeArray({1, 2, 1}, {0, 0});
  const json sizes{{"seq_len", 2}, {"num_heads", 1}, {"head_dim", 1}};
  json params = sizes;
  params["causal"] = 1;
  const Array causal = makeArray({1, 2, 2}, {1, 0, 0.5, 0.5});
  EXPECT_EQ(stateOf("attention", "attn", params, causal, {{"Q", zeros}, {"K", zeros}}), passed) << note_;
  params["causal"] = 2;
  EXPECT_EQ(stateOf("attention", "attn", params, causal, {{"Q", zeros}, {"K", zeros}}), failed);
}

TEST_F(CaseWordsTest, AnInputUnderTheNameOfAFile) {
  const json params{{"seq_len", 2}, {"num_heads", 1}, {"num_buckets", 2}, {"max_distance", 2}, {"bidirectional", 0}};
  EXPECT_EQ(stateOf("t5_log", "bias", params, makeArray({1, 2, 2}, {5, 5, 7, 5}),
                    {{"relative_attention_bias", makeArray({2, 1}, {5, 7})}}),
            passed)
      << note_;
}

TEST_F(CaseWordsTest, TheFirstPosition) {
  const double whole = std::log(12.0) + 1e-6, before = std::log(11.0) + 1e-6, one = std::log(2.0);
  for (const char* name : {"position_start", "first_position"}) {
    const json params{{"seq_len", 2}, {"num_heads", 1}, {"c", 1}, {"L_threshold", 1}, {"eps", 1e-6}, {name, 10}};
    EXPECT_EQ(stateOf("fire", "x", params, makeArray({2, 2}, {0, one / before, one / whole, 0})), passed) << note_;
    EXPECT_EQ(stateOf("scaled_sinusoidal", "table", {{"seq_len", 1}, {"dim", 2}, {"scale", 2}, {name, 3}},
                      makeArray({1, 2}, {2 * std::sin(3.0), 2 * std::cos(3.0)})),
              passed)
        << note_;
    const Array zeros = makeArray({1, 2}, {0, 0});
    EXPECT_EQ(
        stateOf("fusion", "out", {{"mode", "add"}, {"seq_len", 1}, {"d_model", 2}, {"scale_words", false}, {name, 3}},
                makeArray({1, 2}, {std::sin(3.0), std::cos(3.0)}), {{"x", zeros}}),
        passed)
        << note_;
  }
}

TEST_F(CaseWordsTest, AFirstPositionBeyondAllSequencesIsRefused) {
  const json params{{"seq_len", 1}, {"dim", 2}, {"scale", 2}, {"position_start", 1e300}};
  EXPECT_EQ(stateOf("scaled_sinusoidal", "table", params, makeArray({1, 2}, {0, 1})), failed);
  EXPECT_NE(note_.find("position_start must be"), std::string::npos) << note_;
}

TEST_F(CaseWordsTest, LogGatesAreNotScaled) {
  const auto gate = [](double x) { return -std::log1p(std::exp(-x)); };
  EXPECT_EQ(
      stateOf("forget_gate", "log_gates", {{"num_heads", 1}, {"seq_len", 2}, {"d_model", 1}, {"post_log_scale", 2.0}},
              makeArray({1, 2}, {gate(0), gate(1)}),
              {{"x", makeArray({2, 1}, {0, 1})}, {"W", makeArray({1, 1}, {1})}, {"b", makeArray({1}, {0})}}),
      passed)
      << note_;
}

TEST_F(CaseWordsTest, OneSlopeHoldsInEveryHead) {
  const auto entropy = [](double slope) {
    const double other = 1 / (1 + std::exp(slope));
    return -(other * std::log(other) + (1 - other) * std::log(1 - other)) / 2;  // the first query sees itself alone
  };
  const Array q = makeArray({2, 2, 1}, {0, 0, 0, 0});
  const Array k = makeArray({1, 2, 1}, {0, 0});
  const json sizes{{"lengths", {2}}, {"num_heads", 2}, {"num_kv_heads", 1}, {"head_dim", 1}};
  for (const double slope : {0.0, 0.3, 0.5, 3.0}) {
    json params = sizes;
    params["scheme"] = "alibi";
    params["slope"] = slope;
    EXPECT_EQ(stateOf("length_metrics", "entropy", params, makeArray({1}, {entropy(slope)}), {{"Q", q}, {"K", k}}),
              passed)
        << slope << note_;
  }
  json params = sizes;
  params["scheme"] = "kerple_power";
  const Array mean = makeArray({1}, {(entropy(0.25) + entropy(2)) / 2});
  const Array r1 = makeArray({2}, {0.25, 2}), r2 = makeArray({2}, {1, 1});
  EXPECT_EQ(stateOf("length_metrics", "entropy", params, mean, {{"Q", q}, {"K", k}, {"r1", r1}, {"r2", r2}}), passed)
      << note_;
}

TEST_F(CaseWordsTest, AWindowOfZeroIsTheDiagonal) {
  const std::vector<double> weights{1, 0, 0.5, 0.5};
  Shape shape;
  shape.seq_len = 2;
  Mask mask;
  mask.causal = true;
  heads::Thresholds thresholds;
  thresholds.local_window = heads::Thresholds::diagonal_only;
  const heads::Metrics m = heads::headMetrics<double>({weights.data(), 2, 2}, mask, shape, thresholds);
  EXPECT_EQ(m.local_mass, 0.75);
  const Array right = makeArray(
      {15}, {m.entropy_mean, m.entropy_norm_mean, m.mean_distance, m.mean_distance_uniform, m.local_mass,
             m.local_mass_uniform, m.sink_mass, m.diag_score, m.prev_score, m.next_score, m.col_top2_mass,
             m.col_top2_uniform, m.periodicity.score, static_cast<double>(m.periodicity.period), m.periodicity.cv});
  const std::map<std::string, Array> inputs{{"attn", makeArray({2, 2}, weights)}};
  EXPECT_EQ(stateOf("head_metrics", "metrics", {{"causal", true}, {"local_window", 0}}, right, inputs), passed)
      << note_;
  EXPECT_EQ(stateOf("head_metrics", "metrics", {{"causal", true}}, right, inputs), failed);
}

}  // namespace
}  // namespace posiscope
