// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/run_spec_json.h"

#include "tests/core/train/small_run.h"

namespace posiscope::train {
namespace {

using nlohmann::json;

TEST(ComparisonJson, ComesBackAsItWas) {
  ComparisonSpec spec;
  spec.run = smallRun();
  spec.run.model.position = {};
  spec.run.optimiser.kind = OptimiserKind::sgd;
  spec.run.optimiser.momentum = 0.5;
  spec.positions = {{"rope", {{"pairing", std::string("half")}, {"base", 500.0}}}, {"none", {}}};
  spec.seeds = {1, 9007199254740991};
  const auto back = comparisonFromJson(json::parse(toJson(spec).dump()));
  ASSERT_TRUE(back) << back.error().message.en;
  EXPECT_EQ(*back, spec);
  const std::vector<RunSpec> runs = back->runs();
  ASSERT_EQ(runs.size(), 4u);
  EXPECT_EQ(runs[1].model.position.scheme, "rope");
  EXPECT_EQ(runs[1].seed, 9007199254740991u);
  EXPECT_EQ(runs[1].data_seed, runs[1].seed);
  EXPECT_EQ(runs[2].model.position.scheme, "none");
  for (const RunSpec& run : runs) {
    const auto one = runFromJson(json::parse(toJson(run).dump()));
    ASSERT_TRUE(one) << one.error().message.en;
    EXPECT_EQ(*one, run);
  }
}

TEST(ComparisonJson, HasDefaultsForWhatIsNotGiven) {
  const auto spec = comparisonFromJson(json::object());
  ASSERT_TRUE(spec);
  EXPECT_EQ(spec->run, RunSpec{});
  EXPECT_EQ(spec->positions, std::vector<PositionSpec>{{}});
  EXPECT_EQ(spec->seeds, std::vector<std::uint64_t>{1});
}

TEST(ComparisonJson, RefusesWhatNobodyKnows) {
  const auto codeOf = [](const char* text) {
    const auto spec = comparisonFromJson(json::parse(text));
    return spec ? ErrorCode::cancelled : spec.error().code;
  };
  EXPECT_EQ(codeOf("[]"), ErrorCode::bad_value);
  EXPECT_EQ(codeOf(R"({"modle": {}})"), ErrorCode::unknown_name);
  EXPECT_EQ(codeOf(R"({"model": {"width": 3}})"), ErrorCode::unknown_name);
  EXPECT_EQ(codeOf(R"({"model": {"d_model": "wide"}})"), ErrorCode::bad_value);
  EXPECT_EQ(codeOf(R"({"model": {"d_model": 99999}})"), ErrorCode::out_of_range);
  EXPECT_EQ(codeOf(R"({"model": 3})"), ErrorCode::bad_value);
  EXPECT_EQ(codeOf(R"({"task": {"name": "chess"}})"), ErrorCode::bad_value);
  EXPECT_EQ(codeOf(R"({"positions": []})"), ErrorCode::bad_value);
  EXPECT_EQ(codeOf(R"({"positions": [{"base": 3}]})"), ErrorCode::bad_value);
  EXPECT_EQ(codeOf(R"({"positions": [{"scheme": 3}]})"), ErrorCode::bad_value);
  EXPECT_EQ(codeOf(R"({"positions": [3]})"), ErrorCode::bad_value);
  EXPECT_EQ(codeOf(R"({"seeds": [-1]})"), ErrorCode::bad_value);
  EXPECT_EQ(codeOf(R"({"seeds": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]})"), ErrorCode::bad_value);
  EXPECT_EQ(codeOf(R"({"schedule": {"steps": [1]}})"), ErrorCode::bad_value);
}

TEST(ParameterTables, HaveBothLanguages) {
  std::vector<std::vector<ParamSpec>> all{modelTable().specs(), scheduleTable().specs(), taskTable().specs(),
                                          optimiserTable().specs()};
  for (const std::vector<ParamSpec>& specs : all)
    for (const ParamSpec& p : specs) {
      EXPECT_FALSE(p.label.en.empty() || p.label.zh.empty()) << p.key;
      EXPECT_FALSE(p.help.en.empty() || p.help.zh.empty()) << p.key;
    }
}

}  // namespace
}  // namespace posiscope::train
