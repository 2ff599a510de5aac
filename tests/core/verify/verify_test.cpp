// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Verification itself: it must notice what is wrong, and say what it cannot judge.
#include "core/verify.h"

#include "core/files/reader.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <cmath>
#include <limits>

namespace posiscope {
namespace {

constexpr const char* lines = R"("tol": {"f64": {"rtol": 1e-12, "atol": 1e-12}, "f32": {"rtol": 3e-7, "atol": 2e-7},
  "f32_naive": {"rtol": 1e-5, "atol": 1e-5}})";

class VerifyTest : public testing::Test {
 protected:
  /// The only case of a manifest made of `fields`; its reference is `reference`.
  verify::CaseReport check(const std::string& fields, const Array& reference,
                           verify::Precision precision = verify::Precision::single) {
    EXPECT_TRUE(files::writeNpy(folder_.file("right.npy"), reference));
    const std::string manifest = folder_.write(
        "manifest.json", R"({"cases": [{"id": "c", )" + fields + R"(, "file": "right.npy", )" + lines + "}]}");
    const auto report = verify::run(manifest, {{}, precision}, Job{});
    if (!report || report->cases.size() != 1) {
      ADD_FAILURE() << (report ? "not one case" : report.error().message.en);
      return {};
    }
    return report->cases.front();
  }
  verify::State stateOf(const std::string& fields, const Array& reference) { return check(fields, reference).state; }

  /// Why this is no manifest.
  std::string refusalOf(const std::string& text) {
    const auto report = verify::run(folder_.write("broken.json", text), {}, Job{});
    return report ? "" : report.error().message.en;
  }
  /// Why the first case of this manifest failed.
  std::string failureOf(const std::string& text) {
    const auto report = verify::run(folder_.write("broken.json", text), {}, Job{});
    if (!report) return report.error().message.en;
    const bool failed = report->failed == 1 && report->cases.front().state == verify::State::failed;
    return failed ? report->cases.front().note : "not one failed case";
  }

  test::TemporaryFolder folder_;
};

const std::string table = R"("scheme": "sinusoidal", "quantity": "table")";

/// sin and cos of the position, d = 2.
Array unitTable(const std::vector<double>& positions) {
  std::vector<double> values;
  for (const double p : positions) values.insert(values.end(), {std::sin(p), std::cos(p)});
  return makeArray({static_cast<std::int64_t>(positions.size()), 2}, values);
}

TEST_F(VerifyTest, TakesEveryNameOfAScheme) {
  for (const char* name : {"txl", "transformer_xl"}) {
    EXPECT_TRUE(verify::isMeant(name, "transformer_xl")) << name;
    EXPECT_TRUE(verify::isMeant(name, "txl")) << name;
    EXPECT_FALSE(verify::isMeant(name, "t5")) << name;
  }
  EXPECT_TRUE(verify::isMeant("cpe", "peg"));
  EXPECT_TRUE(verify::isMeant("rope", "rope_half"));
  EXPECT_FALSE(verify::isMeant("rope_half", "rope_scaled")) << "a form, not the scheme";
  EXPECT_TRUE(verify::isMeant("derived", "derived")) << "the manifest's own word";
  EXPECT_FALSE(verify::isMeant("bogus", "rope"));
  EXPECT_TRUE(verify::isChosen("peg", {"rope", "cpe"}));
  EXPECT_TRUE(verify::isChosen("peg", {}));
}

TEST_F(VerifyTest, FractionalAndNegativeStepsOfARange) {
  const std::string fields =
      table + R"(, "params": {"dim": 2}, "positions": {"kind": "range", "start": 3.5, "count": 4, "step": -1.25})";
  const auto report = check(fields, unitTable({3.5, 2.25, 1.0, -0.25}));
  EXPECT_EQ(report.state, verify::State::passed) << report.note;
  EXPECT_EQ(report.line, "f32");
  EXPECT_EQ(report.kernel, "float");
  EXPECT_EQ(check(fields, unitTable({3.5, 2.25, 1.0, -0.25}), verify::Precision::double_).line, "f64");
  EXPECT_EQ(stateOf(fields, unitTable({3.5, 2.25, 1.0, 0.25})), verify::State::failed);
}

TEST_F(VerifyTest, ReportsTheWorstElementAndItsTolerance) {
  Array right = unitTable({0, 1});
  std::vector<double> values = *right.values;
  values[3] += 0.125;
  const auto report = check(table + R"(, "params": {"dim": 2}, "positions": {"kind": "list", "values": [0, 1]})",
                            makeArray({2, 2}, values));
  EXPECT_EQ(report.state, verify::State::failed);
  EXPECT_NEAR(report.largest_error, 0.125, 1e-6);
  EXPECT_NEAR(report.tolerance, 2e-7 + 3e-7 * values[3], 1e-12);
  EXPECT_NE(report.note.find("[1, 1]"), std::string::npos) << report.note;
}

TEST_F(VerifyTest, OtherShapeFails) {
  const std::string fields = table + R"(, "params": {"dim": 2}, "positions": {"kind": "list", "values": [0, 1]})";
  EXPECT_EQ(stateOf(fields, makeArray({4}, std::vector<double>{0, 1, 0.8, 0.5})), verify::State::failed);
}

TEST_F(VerifyTest, ADeclaredShapeMustBeTheFiles) {
  const std::string fields = table + R"(, "params": {"dim": 2}, "positions": {"kind": "list", "values": [0, 1]})";
  EXPECT_EQ(stateOf(fields + R"(, "shape": [2, 2])", unitTable({0, 1})), verify::State::passed);
  for (const char* shape : {"[4]", "[2, 2, 1]", "[2, 3]", "\"2x2\"", "[2, \"2\"]"}) {
    const std::string rest = std::string(R"(, "file": "right.npy", "shape": )") + shape + ", " + lines + "}]}";
    const std::string sentence = failureOf(R"({"cases": [{"id": "c", )" + fields + rest);
    EXPECT_NE(sentence.find("'c': shape must be"), std::string::npos) << shape << " → " << sentence;
  }
}

TEST_F(VerifyTest, WhatItDoesNotKnowIsNeverIgnored) {
  const std::string at = R"("positions": {"kind": "list", "values": [0, 1]})";
  for (const std::string& fields :
       {table + R"(, "params": {"dim": 2, "twist": 1}, )" + at,
        table + R"(, "params": {"dim": 2, "layout": "sideways"}, )" + at,
        table + R"(, "params": {"dim": 2}, "inputs": {"x": "right.npy"}, )" + at,
        std::string(R"("scheme": "sinusoidal", "quantity": "smell", "params": {"dim": 2})"),
        std::string(R"("scheme": "unheard_of", "quantity": "table", "params": {"dim": 2})"),
        std::string(
            R"("scheme": "rope_scaled", "quantity": "inv_freq", "params": {"head_dim": 4, "rope_type": "longrope"})"),
        std::string(R"("scheme": "alibi", "quantity": "slopes", "params": {"num_heads": 2}, )") + at}) {
    const auto report = check(fields, unitTable({0, 1}));
    EXPECT_EQ(report.state, verify::State::unsupported) << fields << ": " << report.note;
    EXPECT_FALSE(report.note.empty());
  }
}

TEST_F(VerifyTest, ExpectedScalarsAreCompared) {
  const std::string fields =
      R"("scheme": "rope_scaled", "quantity": "attention_factor", "params": {"head_dim": 8, "base": 10000,
         "rope_type": "yarn", "factor": 1, "original_max_position": 4096}, "expected_scalars": )";
  const Array one = makeArray({1}, std::vector<double>{1});
  EXPECT_EQ(stateOf(fields + R"({"attention_factor": 1.0})", one), verify::State::passed);
  EXPECT_EQ(stateOf(fields + R"({"attention_factor": 1.00001})", one), verify::State::failed);
  EXPECT_EQ(stateOf(fields + R"({"charm": 1.0})", one), verify::State::unsupported);
}

TEST_F(VerifyTest, ARefusalMustBeARefusal) {
  const std::string head =
      R"({"cases": [{"id": "c", "scheme": "rope", "quantity": "inv_freq", "params": {"head_dim": )";
  const std::string tail = R"(}, "file": null, "expect": {"error": "odd"}}]})";
  const auto stateAt = [&](const char* width) {
    return verify::run(folder_.write("r.json", head + width + tail), {}, Job{})->cases.front().state;
  };
  EXPECT_EQ(stateAt("7"), verify::State::passed);
  EXPECT_EQ(stateAt("8"), verify::State::failed);
}

TEST_F(VerifyTest, MissingReferenceOrInputFails) {
  const std::string manifest = folder_.write("m.json", std::string(R"({"cases": [
        {"id": "a", "scheme": "alibi", "quantity": "slopes", "params": {"num_heads": 2}, "file": "gone.npy", )") +
                                                           lines + R"(},
        {"id": "b", "scheme": "learned", "quantity": "lookup", "params": {"dim": 2},
         "positions": {"kind": "list", "values": [99]}, "inputs": {"table": "gone.npy"}, "file": null,
         "expect": {"error": "position_out_of_range"}}]})");
  const auto report = verify::run(manifest, {}, Job{});
  ASSERT_TRUE(report) << report.error().message.en;
  EXPECT_EQ(report->failed, 2);  // a file that cannot be read is no refusal of the question
}

TEST_F(VerifyTest, SchemesCanBeChosenByEitherName) {
  const std::string manifest = folder_.write("m.json", std::string(R"({"cases": [
        {"id": "a", "scheme": "rope_half", "quantity": "inv_freq", "params": {"head_dim": 4}, "file": "x.npy", )") +
                                                           lines + R"(},
        {"id": "b", "scheme": "alibi", "quantity": "slopes", "params": {"num_heads": 2}, "file": "x.npy", )" +
                                                           lines + "}]}");
  for (const char* name : {"rope", "rope_half", "alibi"})
    EXPECT_EQ(verify::run(manifest, {{name}, verify::Precision::single}, Job{})->cases.size(), 1u) << name;
  EXPECT_EQ(verify::run(manifest, {{"fire"}, verify::Precision::single}, Job{})->cases.size(), 0u);
}

TEST_F(VerifyTest, WhatIsNoManifestGivesASentence) {
  for (const auto& [text, culprit] :
       std::vector<std::pair<std::string, std::string>>{{"", "JSON"},
                                                        {"{\"cases\": [", "JSON"},
                                                        {"[]", "cases"},
                                                        {"{\"cases\": 3}", "cases"},
                                                        {std::string(300, '['), "JSON"}}) {
    const std::string sentence = refusalOf(text);
    EXPECT_NE(sentence.find(culprit), std::string::npos) << text << " → " << sentence;
    EXPECT_NE(sentence.find("broken.json"), std::string::npos) << sentence;
  }
}

TEST_F(VerifyTest, AMalformedCaseFailsWithASentence) {
  const std::string c = R"({"cases": [{"id": "c1", "scheme": "alibi", "quantity": "slopes", "file": "x.npy")";
  for (const auto& [text, sentence] : std::vector<std::pair<std::string, std::string>>{
           {"{\"cases\": [7]}", "case 0: the case must be an object, got 7"},
           {R"({"cases": [{"scheme": "alibi"}]})", "case 0: id must be a name, got nothing"},
           {c + R"(, "tol": 3}]})", "case 0 'c1': tol must be an object with f64 and f32, got 3"},
           {c + R"(, "tol": {"f64": {}, "f32": {"rtol": -1, "atol": 0}}}]})",
            "case 0 'c1': tol.f32 must be two numbers that are not negative, got rtol -1, atol 0"},
           {c + R"(, "tol": {"f64": {}}}]})", "case 0 'c1': tol.f32 must be given, got nothing"},
           {c + R"(, "params": []}]})", "case 0 'c1': params must be an object, got a list of 0"},
           {c + R"(, "positions": {"kind": "range", "count": 1e15}}]})",
            "'c1': positions.count must be a whole number up"},
           {c + R"(, "positions": {"kind": "list", "values": ["a"]}}]})",
            "'c1': positions.values must be a list of numbers, got a list of 1"},
           {c + R"(, "positions": {"kind": "spiral"}}]})", "positions.kind must be list or range, got 'spiral'"},
           {c + R"(, "inputs": {"q": 3}}]})", "'c1': inputs.q must be the name of a .npy file, got 3"},
           {c + R"(, "mode": "roughly"}]})", "'c1': mode must be exact, abs or rel, got 'roughly'"},
           {c + R"(, "mode": "exact", "expected_scalars": {"a": "b"}}]})",
            "'c1': expected_scalars.a must be a number, got 'b'"}}) {
    const std::string found = failureOf(text);
    EXPECT_NE(found.find(sentence), std::string::npos) << text << " → " << found;
    EXPECT_TRUE(found.starts_with(folder_.file("broken.json") + ": case 0")) << found;
  }
}

TEST_F(VerifyTest, AMalformedCaseStopsNoneOfTheOthers) {
  ASSERT_TRUE(files::writeNpy(folder_.file("right.npy"), unitTable({0, 1})));
  const std::string good =
      R"({"id": "good", )" + table +
      R"(, "params": {"dim": 2}, "positions": {"kind": "list", "values": [0, 1]}, "file": "right.npy", )" + lines + "}";
  const std::string bad = R"({"id": "bad", "scheme": "alibi", "quantity": "slopes", "file": 3})";
  const auto report =
      verify::run(folder_.write("m.json", "{\"cases\": [" + bad + ", " + good + ", [], " + good + "]}"), {}, Job{});
  ASSERT_TRUE(report) << report.error().message.en;
  EXPECT_EQ(report->passed, 2);
  EXPECT_EQ(report->failed, 2);
  EXPECT_EQ(report->cases.at(0).id, "bad");
  EXPECT_EQ(report->cases.at(0).scheme, "alibi");
  EXPECT_NE(report->cases.at(2).note.find("case 2: the case must be an object, got a list of 0"), std::string::npos);
}

TEST_F(VerifyTest, TellsHowFarItIsAndStopsWhenAsked) {
  const std::string c =
      R"({"id": "c", "scheme": "alibi", "quantity": "slopes", "params": {"num_heads": 7}, "file": null,
                            "expect": {"error": "any"}})";
  const std::string manifest = folder_.write("m.json", "{\"cases\": [" + c + ", " + c + ", " + c + ", " + c + "]}");
  const Job job;
  std::vector<double> progress;
  ASSERT_TRUE(verify::run(manifest, {}, job, [&](const verify::CaseReport&) { progress.push_back(job.progress()); }));
  EXPECT_EQ(progress, (std::vector<double>{0.25, 0.5, 0.75, 1}));
  int seen = 0;
  const auto stopped = verify::run(manifest, {}, job, [&](const verify::CaseReport&) {
    if (++seen == 2) job.stop();
  });
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::cancelled);
  EXPECT_EQ(seen, 2);
}

TEST_F(VerifyTest, HostileSizesFailBeforeTheyAreAllocated) {
  for (const char* fields :
       {R"("scheme": "mask", "quantity": "mask", "params": {"seq_len": 16777216, "num_heads": 1})",
        R"("scheme": "alibi", "quantity": "slopes", "params": {"num_heads": 1e18})",
        R"("scheme": "alibi", "quantity": "bias", "params": {"num_heads": 1024, "seq_len": 16777216})",
        R"("scheme": "rope", "quantity": "inv_freq", "params": {"head_dim": 2.5})",
        R"("scheme": "derived", "quantity": "min_distance", "params": {"dim": 2, "count": 1e12})"}) {
    const auto report = check(fields, unitTable({0}));
    EXPECT_EQ(report.state, verify::State::failed) << fields;
    EXPECT_FALSE(report.note.empty()) << fields;
  }
}

}  // namespace
}  // namespace posiscope
