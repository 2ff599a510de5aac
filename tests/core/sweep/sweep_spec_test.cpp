// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/reader.h"
#include "core/sweep/sweep.h"
#include "tests/core/sweep/small_sweep.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <set>

namespace posiscope {
namespace {

using nlohmann::json;
using test::smallSweepJson;
using test::sweepOf;

TEST(SweepSpec, EveryCombinationIsOneItem) {
  const sweep::Sweep s = sweepOf(json::parse(R"({
    "schemes": [{"id": "rope", "values": {"scaling": "yarn"}, "grid": {"factor": [2, 4], "base": [1e4, 5e5]}}, "alibi"],
    "measures": [{"id": "position_table", "grid": {"head": [0, 1]}}, "relative_decay"],
    "shape": {"head_dim": 8}, "mask": {"mask": "causal"}, "train_length": 16,
    "grid": {"shape.seq_len": [8, 32], "content.seed": [1, 2, 3], "mask.prefix": [0, 2]}})"));
  EXPECT_EQ(s.axes, (std::vector<std::string>{"scheme.base", "scheme.factor", "content.seed", "mask.prefix",
                                              "shape.seq_len", "measure.head"}));
  EXPECT_EQ(s.items.size(), (4u + 1u) * 2 * 3 * 2 * 3);
  std::set<std::string> keys;
  for (const sweep::Item& item : s.items) keys.insert(item.key);
  EXPECT_EQ(keys.size(), s.items.size());
  const sweep::Item& last_of_rope = s.items[4 * 2 * 3 * 2 * 3 - 2];
  const Experiment& e = last_of_rope.experiment;
  EXPECT_EQ(e.schemes.front().values, (ParamValues{{"scaling", std::string("yarn")}, {"factor", 4.0}, {"base", 5e5}}));
  EXPECT_EQ(e.shape.seq_len, 32);
  EXPECT_EQ(e.shape.head_dim, 8);
  EXPECT_EQ(e.content.seed, 3);
  EXPECT_TRUE(e.mask.causal);
  EXPECT_EQ(e.mask.prefix, 2);
  EXPECT_EQ(e.train_length, 16);
  EXPECT_EQ(last_of_rope.measure, (MeasureRequest{"position_table", {{"head", 1.0}}}));
  EXPECT_EQ(last_of_rope.place, (std::vector<std::string>{"500000", "4", "3", "2", "32", "1"}));
  EXPECT_EQ(s.items.back().place, (std::vector<std::string>{"", "", "3", "2", "32", ""}));
}

// The same text of a scheme gives the same numbers here as on the command line.
TEST(SweepSpec, AChoiceBringsWhatIsNotGiven) {
  const auto factors = [](const char* scheme) {
    json spec = json::parse(R"({"measures": ["spectrum"]})");
    spec["schemes"] = json::array({json::parse(scheme)});
    std::string all;
    for (const sweep::Item& item : sweepOf(spec).items) {
      const ParamValues& values = item.experiment.schemes.front().values;
      for (const char* key : {"factor", "floor_scale"})
        if (values.contains(key)) all += valueText(values.at(key));
      all += ";";
    }
    return all;
  };
  EXPECT_EQ(factors(R"({"id": "rope", "values": {"scaling": "proportional", "rotary_share": 0.5}})"), "1;");
  EXPECT_EQ(factors(R"({"id": "rope", "values": {"scaling": "proportional", "factor": 4}})"), "4;");
  EXPECT_EQ(factors(R"({"id": "rope", "grid": {"scaling": ["none", "proportional", "yarn"]}})"), ";1;;");
  EXPECT_EQ(factors(R"({"id": "rope", "values": {"factor": 1}, "grid": {"scaling": ["proportional", "yarn"]}})"),
            "1;1;");
  EXPECT_EQ(factors(R"({"id": "rope_proportional", "grid": {"factor": [1, 2]}})"), "1;2;");
  EXPECT_EQ(factors(R"({"id": "rope_proportional", "grid": {"scaling": ["linear", "proportional"]}})"), ";1;");
  EXPECT_EQ(factors(R"({"id": "rope_proportional", "values": {"factor": 1, "scaling": "linear"}})"), "1;");
  EXPECT_EQ(factors(R"({"id": "query_scale", "values": {"kind": "ministral3"}})"), "16384;");
}

std::string refusalOf(const char* parts) {
  json spec = json::parse(R"({"schemes": ["rope"], "measures": ["relative_decay"]})");
  spec.update(json::parse(parts));
  const auto read = sweep::sweepFromJson(spec, "spec.json");
  return read ? "" : read.error().message.en;
}

// Such a sweep would have rows that differ in their labels only.
TEST(SweepSpec, AParameterThatNothingUsesIsRefused) {
  EXPECT_EQ(refusalOf(R"({"mask": {"mask": "causal", "window": 16}})"),
            "spec.json: mask.window is used only where mask.mask is window or both, got causal");
  EXPECT_EQ(refusalOf(R"({"mask": {"mask": "causal"}, "grid": {"mask.window": [4, 16]}})"),
            "spec.json: mask.window is used only where mask.mask is window or both, got causal");
  EXPECT_EQ(refusalOf(R"({"mask": {"window": 16}, "grid": {"mask.mask": ["causal", "window"]}})"), "");
  EXPECT_EQ(refusalOf(R"({"mask": {"mask": "both", "window": 16}})"), "");
}

TEST(SweepSpec, MorePaddingThanTokensIsRefused) {
  EXPECT_EQ(refusalOf(R"({"shape": {"seq_len": 32}, "mask": {"padding": "end", "padded_keys": 32}})"), "");
  EXPECT_EQ(refusalOf(R"({"shape": {"seq_len": 32}, "mask": {"padding": "end", "padded_keys": 40}})"),
            "spec.json: mask.padded_keys must be at most the 32 tokens of the sequence, got 40");
}

TEST(SweepSpec, TheKeyIsTheQuestions) {
  const auto keyOf = [](const char* change) {
    json spec = json::parse(R"({"schemes": ["rope"], "measures": ["relative_decay"]})");
    spec.update(json::parse(change));
    return sweepOf(spec).items.front().key;
  };
  const std::string key = keyOf("{}");
  EXPECT_EQ(keyOf(R"({"schemes": [{"id": "rotary", "values": {"rope_theta": 10000}}]})"), key);
  EXPECT_EQ(keyOf(R"({"grid": {"shape.seq_len": [512]}})"), key);
  for (const char* change :
       {R"({"schemes": [{"id": "rope", "values": {"base": 9999}}]})", R"({"measures": ["similarity"]})",
        R"({"measures": [{"id": "relative_decay", "options": {"curves": "bound"}}]})", R"({"shape": {"head_dim": 32}})",
        R"({"content": {"seed": 2}})", R"({"mask": {"mask": "causal"}})", R"({"train_length": 7})",
        R"({"arrays": "single"})"})
    EXPECT_NE(keyOf(change), key) << change;
}

TEST(SweepSpec, AnArrayIsWhatItHolds) {
  const test::TemporaryFolder folder;
  const auto keyIn = [&](const std::string& name, double value) {
    std::filesystem::create_directories(folder.file(name));
    EXPECT_TRUE(files::writeNpy(folder.file(name + "/table.npy"), makeArray({2, 4}, std::vector<double>(8, value))));
    const std::string path = folder.write(name + "/spec.json", R"({"measures": ["position_table"],
      "shape": {"seq_len": 2, "d_model": 4}, "schemes": [{"id": "learned", "values": {"table": "@table.npy"}}]})");
    const Expected<sweep::Sweep> s = sweep::readSweep(path);
    EXPECT_TRUE(s) << (s ? "" : s.error().message.en);
    return s ? s->items.front().key : "";
  };
  EXPECT_EQ(keyIn("here", 1), keyIn("there", 1));
  EXPECT_NE(keyIn("here", 1), keyIn("there", 2));
}

TEST(SweepSpec, ShardsAreDealtEvenly) {
  const sweep::Sweep s = sweepOf(smallSweepJson());
  for (const std::int64_t count : {1, 4, 18, 40}) {
    std::multiset<std::size_t> all;
    for (std::int64_t i = 1; i <= count; ++i) {
      const std::vector<std::size_t> mine = sweep::itemsOf(s, {i, count});
      EXPECT_TRUE(std::ranges::is_sorted(mine));
      EXPECT_LE(mine.size(), (18u + static_cast<std::size_t>(count) - 1) / static_cast<std::size_t>(count));
      all.insert(mine.begin(), mine.end());
    }
    EXPECT_EQ(all.size(), 18u) << count;
    EXPECT_EQ(std::set<std::size_t>(all.begin(), all.end()).size(), 18u) << count;
  }
  EXPECT_EQ(sweep::parseShard("3/8").value(), (sweep::Shard{3, 8}));
  for (const char* text : {"", "3", "/", "0/2", "3/2", "1/0", "-1/2", "1/2x", "1 /2", "1/2/3"}) {
    const auto shard = sweep::parseShard(text);
    ASSERT_FALSE(shard) << text;
    EXPECT_NE(shard.error().message.en.find(join("got '", text, "'")), std::string::npos);
  }
}

TEST(SweepSpec, SaysWhatIsWrongInOneSentence) {
  struct Case {
    const char* change;
    const char* sentence;
  };
  for (const Case& c : std::vector<Case>{
           {R"({"schemes": []})",
            "spec.json: schemes must be a list of one or more ids or objects with an id, got a list of 0"},
           {R"({"measures": "similarity"})", "spec.json: measures must be a list"},
           {R"({"schemes": [3]})", "spec.json: schemes[0] must be the id of a scheme or an object with one, got 3"},
           {R"({"schemes": ["rope", "rop"]})", "spec.json: schemes[1]: there is no scheme 'rop'; did you mean rope"},
           {R"({"schemes": [{"id": "rope", "vals": {}}]})",
            "spec.json: schemes[0]: there is no part 'vals'; did you mean values?"},
           {R"({"schemes": [{"id": "rope", "values": {"bsae": 1}}]})",
            "spec.json: schemes[0].values: there is no parameter 'bsae'; did you mean base?"},
           {R"({"schemes": [{"id": "rope", "values": {"base": 0}}]})", "spec.json: schemes[0].values: base must be "},
           {R"({"schemes": [{"id": "rope", "grid": {"base": 7}}]})",
            "spec.json: schemes[0].grid.base must be a list of one or more values, got 7"},
           {R"({"schemes": [{"id": "rope", "grid": {"base": [7, "x"]}}]})",
            "spec.json: schemes[0].grid: base must be a number, got the string \"x\""},
           {R"({"schemes": [{"id": "learned", "values": {"table": "@gone.npy"}}]})",
            "spec.json: schemes[0].values.table: gone.npy"},
           {R"({"measures": ["similarty"]})",
            "spec.json: measures[0]: there is no measure 'similarty'; did you mean similarity?"},
           {R"({"measures": [{"id": "position_table", "options": {"head": -1}}]})",
            "spec.json: measures[0].options: head must be 0 to "},
           {R"({"shape": 5})", "spec.json: shape must be an object, got 5"},
           {R"({"shape": {"seq_len": "long"}})",
            "spec.json: shape: seq_len must be a whole number, got the string \"long\""},
           {R"({"mask": {"mask": "casual"}})", "spec.json: mask: mask must be one of "},
           {R"({"grid": {"shape.seq_length": [8]}})",
            "spec.json: grid.shape: there is no parameter 'seq_length'; did you mean seq_len?"},
           {R"({"grid": {"seq_len": [8]}})",
            "spec.json: grid: there is no parameter 'seq_len'; did you mean shape.seq_len"},
           {R"({"grid": {"shape.seq_len": []}})",
            "spec.json: grid.shape.seq_len must be a list of one or more values, got a list of 0"},
           {R"({"train_length": "long"})", "train_length must be "},
           {R"({"arrays": true})", "spec.json: arrays must be 'none', 'single' or 'double', got true"},
           {R"({"scheme": ["rope"]})", "spec.json: there is no part 'scheme'; did you mean schemes"}}) {
    json spec = json::parse(R"({"schemes": ["rope"], "measures": ["relative_decay"]})");
    spec.update(json::parse(c.change));
    const auto sweep = sweep::sweepFromJson(spec, "spec.json");
    ASSERT_FALSE(sweep) << c.change;
    EXPECT_TRUE(sweep.error().message.en.find(c.sentence) == 0 ||
                (c.sentence[0] == 't' && sweep.error().message.en.find(c.sentence) != std::string::npos))
        << c.change << ": " << sweep.error().message.en;
    EXPECT_EQ(sweep.error().message.en.find('\n'), std::string::npos);
    EXPECT_FALSE(sweep.error().message.zh.empty()) << c.change;
  }
}

TEST(SweepSpec, RefusesAGridTooLarge) {
  json spec = smallSweepJson();
  spec["grid"]["content.seed"] = json::array();
  for (int n = 0; n < 6000; ++n) spec["grid"]["content.seed"].push_back(n);
  const auto sweep = sweep::sweepFromJson(spec, "spec.json");
  ASSERT_FALSE(sweep);
  EXPECT_EQ(sweep.error().code, ErrorCode::out_of_range);
}

TEST(SweepSpec, RefusesAKeyGivenTwice) {
  const test::TemporaryFolder folder;
  const auto sweep = sweep::readSweep(folder.write("s.json", R"({"schemes": ["rope"], "schemes": ["alibi"]})"));
  ASSERT_FALSE(sweep);
  EXPECT_NE(sweep.error().message.en.find("schemes must be given once"), std::string::npos);
}

}  // namespace
}  // namespace posiscope
