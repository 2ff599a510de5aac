// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Manifests in other words: the same cases under other names of the same schemes and parameters.
#include "core/verify.h"
#include "core/verify/manifest.h"
#include "tests/support/shared.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

namespace posiscope {
namespace {

using nlohmann::json;
using Names = std::map<std::string, std::string>;

struct Wording {
  const char* name;
  const char* folder;
  std::set<std::string> schemes;  ///< of the manifest
  Names scheme_names;
  Names params;
};

const std::set<std::string> rotary{"rope", "rope_scaled", "rope_half", "rope_interleaved", "rope_partial"};
const Names config_names{{"base", "rope_theta"},
                         {"rope_type", "type"},
                         {"rotary_pct", "partial_rotary_factor"},
                         {"original_max_position", "original_max_position_embeddings"},
                         {"max_position", "max_position_embeddings"},
                         {"layout", "pair_layout"},
                         {"num_heads", "heads"}};
const Names our_names{{"rope_type", "scaling"},
                      {"rotary_pct", "rotary_share"},
                      {"original_max_position", "original_length"},
                      {"max_position", "max_length"},
                      {"layout", "pairing"}};

class NamesTest : public testing::TestWithParam<Wording> {
 protected:
  /// The wanted cases, with every file named by its full path.
  static json casesOf(const Wording& w) {
    const std::filesystem::path folder = test::dataPath(w.folder);
    const json all = json::parse(std::ifstream(folder / "manifest.json"));
    json cases = json::array();
    for (json c : all["cases"]) {
      if (!w.schemes.contains(c["scheme"].get<std::string>())) continue;
      if (c["file"].is_string()) c["file"] = (folder / c["file"].get<std::string>()).string();
      if (c.contains("inputs"))
        for (auto& [name, input] : c["inputs"].items()) {
          json& file = input.is_object() ? input["file"] : input;
          file = (folder / file.get<std::string>()).string();
        }
      cases.push_back(c);
    }
    return cases;
  }

  /// How many keys and schemes were renamed.
  static int rename(json& cases, const Wording& w) {
    int renamed = 0;
    for (json& c : cases) {
      if (const auto other = w.scheme_names.find(c["scheme"]); other != w.scheme_names.end()) {
        c["scheme"] = other->second;
        ++renamed;
      }
      for (const auto& [theirs, other] : w.params)
        if (c.contains("params") && c["params"].contains(theirs)) {
          c["params"][other] = c["params"][theirs];
          c["params"].erase(theirs);
          ++renamed;
        }
    }
    return renamed;
  }

  verify::Report reportOf(const json& cases) {
    const auto report = verify::run(folder_.write("manifest.json", json{{"cases", cases}}.dump()), {}, Job{});
    if (!report) ADD_FAILURE() << report.error().message.en;
    return report.value_or(verify::Report{});
  }

  test::TemporaryFolder folder_;
};

TEST_P(NamesTest, GiveTheSameResults) {
  json cases = casesOf(GetParam());
  const verify::Report before = reportOf(cases);
  ASSERT_GT(rename(cases, GetParam()), 0);
  const verify::Report after = reportOf(cases);
  ASSERT_EQ(after.cases.size(), before.cases.size());
  EXPECT_GT(after.passed, 0);
  for (std::size_t i = 0; i < after.cases.size(); ++i) {
    EXPECT_EQ(after.cases[i].state, before.cases[i].state) << after.cases[i].id << ": " << after.cases[i].note;
    EXPECT_EQ(after.cases[i].largest_error, before.cases[i].largest_error) << after.cases[i].id;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Manifests, NamesTest,
    testing::Values(Wording{"config", "reference", rotary, {{"rope", "rotary"}}, config_names},
                    Wording{"ours", "reference", rotary, {}, our_names},
                    Wording{"sin",
                            "reference",
                            {"sinusoidal"},
                            {{"sinusoidal", "sin"}},
                            {{"layout", "columns"}, {"freq", "frequencies"}, {"base", "temperature"}}},
                    Wording{"absolute", "reference", {"learned"}, {{"learned", "absolute"}}, {}},
                    Wording{"attention", "reference_bias", rotary, {}, config_names},
                    Wording{"heads", "reference_bias", {"alibi", "attention", "mask"}, {}, {{"num_heads", "heads"}}},
                    Wording{"t5",
                            "reference_bias",
                            {"t5_log"},
                            {{"t5_log", "t5"}},
                            {{"num_buckets", "relative_attention_num_buckets"},
                             {"max_distance", "relative_attention_max_distance"}}},
                    Wording{"hybrid", "reference_bias", {"hybrid"}, {}, {{"d_model", "dim"}}},
                    Wording{"patches",
                            "reference_bias",
                            {"peg", "cpe", "conditional"},
                            {},
                            {{"grid_h", "height"}, {"grid_w", "width"}, {"channels", "d_model"}}},
                    Wording{"tables",
                            "reference",
                            {"sincos2d", "sincos_nd"},
                            {},
                            {{"h", "grid_height"}, {"w", "grid_width"}, {"dim", "d_model"}}},
                    Wording{"turned", "reference", {"rope2d"}, {}, {{"h", "grid_h"}, {"w", "grid_w"}}},
                    Wording{"derived", "reference", {"derived"}, {}, {{"dim", "head_dim"}}},
                    Wording{"mixed", "reference_more", {"rope_mixed"}, {}, {{"height", "h"}, {"width", "w"}}},
                    Wording{"decoupled", "reference_more", {"rope_decoupled"}, {}, {{"seq_len_k", "seq_len"}}},
                    Wording{"grids", "reference_more", {"grid_bias"}, {}, {{"height", "grid_h"}, {"width", "grid_w"}}}),
    [](const testing::TestParamInfo<Wording>& p) { return std::string(p.param.name); });

TEST(Names, AParameterGivenUnderTwoNamesIsNotChosenFrom) {
  const test::TemporaryFolder folder;
  const auto noteOf = [&](const std::string& params) {
    const std::string text = R"({"cases": [{"id": "c", "scheme": "rope", "quantity": "inv_freq", "params": {)" +
                             params + R"(}, "file": null, "expect": {"error": "odd"}}]})";
    return verify::run(folder.write("m.json", text), {}, Job{})->cases.front().note;
  };
  EXPECT_EQ(noteOf(R"("head_dim": 8, "base": 10, "rope_theta": 20)"), "the parameter 'rope_theta' is not supported");
  EXPECT_EQ(noteOf(R"("head_dim": 8, "theta": 10, "rope_theta": 20)"), "the parameter 'rope_theta' is not supported");
}

TEST(Names, ANameThatSaysMoreThanTheSchemeIsNotTheScheme) {
  const test::TemporaryFolder folder;
  const std::string text = R"({"cases": [{"id": "c", "scheme": "rope_unheard_of", "quantity": "inv_freq",
    "params": {"head_dim": 8, "share": 0.5}, "file": null, "expect": {"error": "odd"}}]})";
  EXPECT_EQ(verify::run(folder.write("m.json", text), {}, Job{})->cases.front().state, verify::State::unsupported);
}

}  // namespace
}  // namespace posiscope
