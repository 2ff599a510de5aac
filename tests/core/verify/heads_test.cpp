// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Cases about heads and lengths that have no answer, and forms the reference data do not show.
#include "core/files/reader.h"
#include "core/verify.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <cmath>

namespace posiscope {
namespace {

class VerifyHeads : public testing::Test {
 protected:
  verify::State stateOf(const std::string& fields) {
    const std::string manifest =
        folder_.write("manifest.json", R"({"cases": [{"id": "c", "quantity": "q", )" + fields + "}]}");
    const auto report = verify::run(manifest, {}, Job{});
    if (!report || report->cases.size() != 1) {
      ADD_FAILURE() << (report ? "not one case" : report.error().message.en);
      return verify::State::unsupported;
    }
    note_ = report->cases.front().note;
    return report->cases.front().state;
  }
  /// A case whose right answer is a refusal.
  verify::State refusal(const std::string& fields) { return stateOf(fields + R"(, "expect": {"error": "refused"})"); }
  verify::State answered(const std::string& fields, const Array& right) {
    EXPECT_TRUE(files::writeNpy(folder_.file("right.npy"), right));
    return stateOf(fields + R"(, "file": "right.npy", "tol": {"f64": {"rtol": 1e-10, "atol": 1e-12},
      "f32": {"rtol": 3e-7, "atol": 1e-9}, "f32_naive": {"rtol": 1e-5, "atol": 1e-6}})");
  }
  void writeMap(std::int64_t rows, std::int64_t cols, std::vector<double> values, bool heads = false) {
    std::vector<std::int64_t> shape{rows, cols};
    if (heads) shape.insert(shape.begin(), 1);
    EXPECT_TRUE(files::writeNpy(folder_.file("attn.npy"), makeArray(shape, std::move(values))));
  }

  test::TemporaryFolder folder_;
  std::string note_;
};

const std::string map = R"(, "inputs": {"attn": "attn.npy"})";

TEST_F(VerifyHeads, scoresNeedCausalMapsOfTheirTokens) {
  const std::string score = R"("scheme": "head_score", "output": "score", )";
  writeMap(2, 2, {1, 0, 0.5, 0.5}, true);
  EXPECT_EQ(refusal(score + R"("params": {"tokens": [1, 2, 3], "kind": "previous"})" + map), verify::State::passed);
  EXPECT_EQ(refusal(score + R"("params": {"tokens": [1, 2], "kind": "next"})" + map), verify::State::passed);
  EXPECT_EQ(refusal(score + R"("params": {"tokens": [], "kind": "previous"})" + map), verify::State::passed);
  EXPECT_EQ(refusal(score + R"("params": {"tokens": [1, 2], "kind": "previous"})" + map), verify::State::failed);
  writeMap(2, 2, {0.5, 0.5, 0.5, 0.5}, true);
  EXPECT_EQ(refusal(score + R"("params": {"tokens": [1, 2], "kind": "previous"})" + map), verify::State::passed);
  EXPECT_NE(note_.find("query 0 looks at key 1"), std::string::npos) << note_;
}

TEST_F(VerifyHeads, mapsMustHaveTheSizeTheyNameAndThresholdsTheirLimits) {
  writeMap(2, 2, {1, 0, 0.5, 0.5});
  const std::string metrics = R"("scheme": "head_metrics", "output": "metrics", )";
  EXPECT_EQ(refusal(metrics + R"("params": {"seq_len": 3})" + map), verify::State::passed);
  EXPECT_EQ(refusal(metrics + R"("params": {"seq_len": 2, "key_padding": [1, 1, 0]})" + map), verify::State::passed);
  EXPECT_EQ(refusal(metrics + R"("params": {"seq_len": 2, "local_mass": 2})" + map), verify::State::passed);
  EXPECT_EQ(refusal(metrics + R"("params": {"seq_len": 2})" + map), verify::State::failed);
}

TEST_F(VerifyHeads, cachedQueriesAndMovedThresholdsAreRead) {
  std::vector<double> values(8 * 16, 1.0 / 16);
  writeMap(8, 16, values);
  const std::string label = R"("scheme": "head_classification", "output": "label", "mode": "exact", )";
  EXPECT_EQ(answered(label + R"("params": {"seq_len_q": 8, "seq_len_k": 16})" + map, makeArray({1}, {2.0})),
            verify::State::passed)
      << note_;
  EXPECT_EQ(
      answered(label + R"("params": {"seq_len_q": 8, "seq_len_k": 16, "min_len": 9})" + map, makeArray({1}, {0.0})),
      verify::State::passed)
      << note_;
}

TEST_F(VerifyHeads, anySlopeIsALength) {
  const std::string table = R"("scheme": "length_metrics", "output": "table", )";
  for (const double slope : {0.1, 1.5}) {  // the second is more than ALiBi's heads can have
    double sum = 0, entropy = 0, distance = 0;
    for (int d = 0; d < 3; ++d) sum += std::exp(-slope * d);
    for (int d = 0; d < 3; ++d) {
      const double a = std::exp(-slope * d) / sum;
      entropy -= a * std::log(a);
      distance += d * a;
    }
    const double range = slope > 1 ? 1 : 2;
    EXPECT_EQ(answered(table + join(R"("params": {"scheme": "alibi", "slope": )", slope, R"(, "lengths": [3]})"),
                       makeArray({1, 5}, {entropy, entropy / std::log(3), std::exp(entropy), distance, range})),
              verify::State::passed)
        << note_;
  }
  EXPECT_EQ(refusal(table + R"("params": {"scheme": "nope", "lengths": [0]})"), verify::State::passed);
  EXPECT_EQ(refusal(table + R"("params": {"scheme": "nope", "lengths": [8], "p": 1.5})"), verify::State::passed);
  EXPECT_EQ(refusal(table + R"("params": {"scheme": "rope", "lengths": [8]})"), verify::State::unsupported);
}

TEST_F(VerifyHeads, aFallIsReadInItsWrittenForms) {
  const std::string fall = R"("scheme": "length_metrics", "output": "distance", "mode": "exact", )";
  EXPECT_EQ(
      answered(
          fall + R"("params": {"tau": 2, "L_max": 64, "rows": ["alibi 0.25", "kerple_power r1=1 r2=0.5", "nope"]})",
          makeArray({3}, {8.0, 4.0, -1.0})),
      verify::State::passed)
      << note_;
  EXPECT_EQ(refusal(fall + R"("params": {"tau": 2, "L_max": 64, "rows": ["alibi steep"]})"),
            verify::State::unsupported);
}

}  // namespace
}  // namespace posiscope
