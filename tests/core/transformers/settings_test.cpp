// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The knobs of a loaded model, against the true losses of the story model far beyond its trained length.
#include "core/transformers/setting.h"
#include "tests/support/golden.h"
#include "tests/support/real_models.h"

#include <cmath>
#include <numeric>
#include <sstream>

namespace posiscope::transformers {
namespace {

using test::allWeights;
using test::idsOf;
using test::traced;

Expected<Array> noFile(const std::string& path) { return fail(ErrorCode::file_missing, path + ": no file here"); }

class Settings : public test::RealModelTest {
 protected:
  Model set(Model model, const std::string& settings) const {
    std::istringstream words(settings);
    for (std::string word; words >> word;) {
      const Outcome ok = applySetting(model, word, noFile);
      EXPECT_TRUE(ok) << word << ": " << (ok ? "" : ok.error().message.en);
    }
    return model;
  }
  Error refusal(const Model& model, const std::string& setting) const {
    Model changed = model;
    Outcome ok = applySetting(changed, setting, noFile);
    if (ok) ok = checkSettings(changed, 64);
    EXPECT_FALSE(ok) << setting;
    if (ok) return {};
    EXPECT_FALSE(ok.error().message.zh.empty() && ok.error().code != ErrorCode::file_missing) << setting;
    return ok.error();
  }
};

/// "none: every loss of 2047 agrees to 1e-3"
TEST_F(Settings, lossesFarBeyondTheTrainedLengthAreTheTrueOnes) {
  const Model model = open("stories260K");
  const std::vector<std::int64_t> tokens = idsOf(array("stories260K/long_tokens.npy"));
  const Array truth = array("stories260K/loss_by_position.npy");
  ASSERT_EQ(truth.shape, (std::vector<std::int64_t>{5, 2047}));
  const std::vector<std::string> rows{"", "rope.scaling=linear rope.factor=2", "rope.scaling=ntk rope.factor=2",
                                      "rope.scaling=ntk rope.factor=4", "rope.scaling=yarn rope.factor=4"};
  std::vector<double> last_block;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto trace = traced<float>(set(model, rows[r]), {tokens, {}, {}}, {.losses = true});
    ASSERT_EQ(trace.losses.size(), 2047u);
    const std::vector<double> wanted(truth.data() + r * 2047, truth.data() + (r + 1) * 2047);
    test::expectClose(trace.losses, makeArray({2047}, wanted), 0, 1e-3, rows[r]);
    last_block.push_back(std::accumulate(trace.losses.end() - 255, trace.losses.end(), 0.0) / 255);
  }
  // What is seen: plain rotary rises at the end, NTK keeps it low, interpolation alone hurts.
  EXPECT_GT(last_block[0], last_block[2] + 0.5);
  EXPECT_GT(last_block[1], last_block[0]);
}

TEST_F(Settings, attentionOfARealModelDoesNotSeeAShiftOfAllPositions) {
  const Model model = open("stories260K");
  const Prompt prompt{idsOf(array("stories260K/tokens.npy")), {}, {}};
  const Wanted wanted{.attention_weights = true};
  const std::vector<double> plain = allWeights(traced<double>(model, prompt, wanted));
  const std::vector<double> shifted = allWeights(traced<double>(set(model, "first_position=1000"), prompt, wanted));
  test::expectClose(shifted, makeArray({static_cast<std::int64_t>(plain.size())}, plain), 0, 1e-9, "shifted");
}

TEST_F(Settings, theKnobTurnsTheAttention) {
  const Model model = open("stories260K");
  const Prompt prompt{idsOf(array("stories260K/tokens.npy")), {}, {}};
  const Wanted wanted{.layers = {4}, .attention_weights = true};
  const std::vector<double> plain = allWeights(traced<double>(model, prompt, wanted));
  for (const std::string setting : {"rope.base=500", "rope.pairing=interleaved", "rope_half.rope_theta=500"}) {
    const std::vector<double> turned = allWeights(traced<double>(set(model, setting), prompt, wanted));
    double most = 0;
    for (std::size_t e = 0; e < plain.size(); ++e) most = std::max(most, std::abs(turned[e] - plain[e]));
    EXPECT_GT(most, 0.01) << setting;
  }
}

TEST_F(Settings, aScalingStretchesTheLengthTheModelWasTrainedAt) {
  const Model model = open("stories260K");
  EXPECT_EQ(model.scheme.values.at("original_length"), Value(512.0));
  EXPECT_EQ(model.scheme.values.at("max_length"), Value(512.0));
}

TEST(IdleSettings, whatHasNoEffectIsToldOnceAllIsSet) {
  const auto told = [](const std::string& scheme, const ParamValues& values, const std::string& setting) {
    Model model;
    model.scheme.id = scheme;
    model.scheme.values = values;
    std::string sentences;
    for (const Text& idle : idleParts(model, setting)) {
      EXPECT_FALSE(idle.zh.empty());
      sentences += idle.en + ";";
    }
    return sentences;
  };
  const ParamValues plain{{"scaling", std::string("none")}}, ntk{{"scaling", std::string("ntk")}};
  const std::string factor =
      "rope.factor has no effect while scaling is none; set "
      "rope.scaling=linear|ntk|dynamic|yarn|yarn_paper|llama3|proportional too;";
  EXPECT_EQ(told("rope", plain, "rope.factor=2"), factor);
  EXPECT_EQ(told("rope", {}, "rope.factor=2"), factor) << "by default";
  EXPECT_EQ(told("rope", plain, "rope.longest_seen=9"),
            "rope.longest_seen has no effect while scaling is none; set rope.scaling=dynamic too;")
      << "stateful is idle itself";
  EXPECT_EQ(told("rope", plain, "rope.base=5,factor=2"), factor);
  EXPECT_EQ(
      told("rope", plain, "rope_half.original_max_position_embeddings=9"),
      "rope.original_length has no effect while scaling is none; set rope.scaling=yarn|yarn_paper|llama3|longrope "
      "too;");
  for (const char* setting : {"rope.factor=2", "rope.base=5", "rope.short_factor=[1,2]", "first_position=0.5"})
    EXPECT_EQ(told("rope",
                   setting == std::string("rope.short_factor=[1,2]") ? ParamValues{{"scaling", std::string("longrope")}}
                                                                     : ntk,
                   setting),
              "")
        << setting;
}

/// A rotary model whose second of two layers looks at a window.
Model windowed() {
  Model model;
  model.scheme.id = "layer_pattern";
  model.scheme.values = {
      {"rope_rule", std::string("all")}, {"layer_kinds", std::vector<double>{0, 1}}, {"limit", std::string("window")}};
  model.shape.head_dim = 8;
  model.shape.num_layers = 2;
  return model;
}

TEST(RotarySettings, ropeNamesEveryEncodingThatRotates) {
  Model model = windowed(), own = windowed();
  ASSERT_TRUE(applySetting(model, "rope.factor=4", noFile));
  std::vector<Text> idle = idleParts(model, "rope.factor=4");
  ASSERT_EQ(idle.size(), 1u);
  EXPECT_TRUE(idle[0].en.starts_with("rope.factor has no effect while scaling is none; set rope.scaling="))
      << idle[0].en;
  ASSERT_TRUE(applySetting(model, "rope.scaling=ntk,rope_theta=500", noFile));
  ASSERT_TRUE(applySetting(own, "layer_pattern.scaling=ntk,factor=4,base=500", noFile));
  EXPECT_EQ(model.scheme, own.scheme);
  EXPECT_TRUE(idleParts(model, "rope.factor=4").empty());
  // What only the pattern knows is not rope's.
  const auto foreign = applySetting(model, "rope.window=3", noFile);
  ASSERT_FALSE(foreign);
  EXPECT_TRUE(foreign.error().message.en.starts_with("rope: there is no parameter 'window'"))
      << foreign.error().message.en;
  EXPECT_TRUE(applySetting(model, "layer_pattern.window=3", noFile));
}

TEST(RotarySettings, ropeDoesNotNameWhatDoesNotRotate) {
  Model model = windowed();
  model.scheme.id = "sinusoidal";  // it has a base as well
  model.scheme.values.clear();
  const auto refused = applySetting(model, "rope.base=500", noFile);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unknown_name);
  model = windowed();
  model.scheme.values["rope_layers"] = std::vector<double>{0, 0};
  EXPECT_FALSE(applySetting(model, "rope.base=500", noFile)) << "no layer rotates";
}

TEST(SettingWarnings, aScalingWithoutItsListsIsTold) {
  Model model;
  model.scheme.id = "rope";
  model.shape.head_dim = 8;
  EXPECT_TRUE(warningsOf(model, 3).empty());
  ASSERT_TRUE(applySetting(model, "rope.scaling=longrope", noFile));
  ASSERT_TRUE(checkSettings(model, 3));
  const std::vector<Text> told = warningsOf(model, 3);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].en, "No short_factor is given, so no pair is stretched; the lists belong to a checkpoint.");
  ASSERT_TRUE(applySetting(model, "rope.short_factor=[1,1,2,2]", noFile));
  ASSERT_TRUE(applySetting(model, "rope.long_factor=[1,1,2,2]", noFile));
  EXPECT_TRUE(warningsOf(model, 3).empty());
}

TEST_F(Settings, whatCannotBeSetIsRefusedInOneSentence) {
  const Model model = open("stories260K");
  EXPECT_EQ(refusal(model, "rope").code, ErrorCode::bad_value);
  EXPECT_EQ(refusal(model, "rope.=4").code, ErrorCode::bad_value);
  EXPECT_EQ(refusal(model, "factor=4").code, ErrorCode::bad_value);
  EXPECT_EQ(refusal(model, "first_position=soon").code, ErrorCode::bad_value);
  EXPECT_EQ(refusal(model, "rop.factor=4").code, ErrorCode::unknown_name);
  EXPECT_EQ(refusal(model, "rope.factr=4").code, ErrorCode::unknown_name);
  EXPECT_EQ(refusal(model, "rope.factor=0").code, ErrorCode::out_of_range);
  EXPECT_EQ(refusal(model, "rope.rotary_dim=64").code, ErrorCode::bad_shape) << "a head has 8 dimensions";
  const Error other = refusal(model, "alibi.max_bias=4");
  EXPECT_EQ(other.code, ErrorCode::unknown_name);
  EXPECT_EQ(other.message.en, "the setting 'alibi.max_bias=4' must name the encoding of this model, rope, got alibi");
}

TEST_F(Settings, aLearnedTableEndsWhereItEnds) {
  const Model model = open("gpt-nano-sort");
  const Prompt prompt{std::vector<std::int64_t>(11, 1), {}, {}};
  EXPECT_TRUE(run<float>(model, prompt, {.hidden = true}));
  const auto past = run<float>(set(model, "first_position=1"), prompt, {.hidden = true});
  ASSERT_FALSE(past);
  EXPECT_EQ(past.error().code, ErrorCode::past_table);
}

}  // namespace
}  // namespace posiscope::transformers
