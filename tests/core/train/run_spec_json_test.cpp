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

TEST(ComparisonJson, ASchemeMayBeItsIdAlone) {
  const auto spec = comparisonFromJson(json::parse(R"({"positions": ["rope", {"scheme": "alibi"}]})"));
  ASSERT_TRUE(spec) << spec.error().message.en;
  EXPECT_EQ(spec->positions, (std::vector<PositionSpec>{{"rope", {}}, {"alibi", {}}}));
}

TEST(ComparisonJson, NamesWhatWasMeant) {
  const auto sentence = [](const char* text) {
    const auto spec = comparisonFromJson(json::parse(text));
    return spec ? Text{} : spec.error().message;
  };
  for (const auto& [text, start] :
       {std::pair{R"({"positons": []})", "the specification has no part 'positons'; did you mean positions? Known: "},
        std::pair{R"({"positions": ["roop"]})", "positions[0]: there is no scheme 'roop'; did you mean rope? Known: "},
        std::pair{R"({"positions": [{"scheme": "rope", "bse": 3}]})",
                  "positions[0]: there is no parameter 'bse'; did you mean base? Known: "},
        std::pair{R"({"model": {"d_modl": 3}})", "model: there is no parameter 'd_modl'; did you mean d_model? "},
        std::pair{R"({"model": {"d_model": "64"}})", "model: d_model must be a whole number, got the string \"64\""}}) {
    EXPECT_TRUE(sentence(text).en.starts_with(start)) << sentence(text).en;
    EXPECT_FALSE(sentence(text).zh.empty());
  }
  EXPECT_EQ(sentence(R"({"model": {"d_model": "64"}})").zh, "model：d_model 必须是整数，得到字符串“64”");
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
