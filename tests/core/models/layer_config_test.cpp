// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which layers have the window: layer_types, Qwen's max_window_layers, or all of them.
#include "core/models/config.h"
#include "tests/support/encoded.h"

#include <algorithm>

namespace posiscope::models {
namespace {

Inspection read(const std::string& type, const std::string& more) {
  Inspection result;
  const Outcome ok = readConfig(R"({"model_type":")" + type + R"(","num_hidden_layers":3,"hidden_size":48,
    "num_attention_heads":6,"max_position_embeddings":64)" +
                                    more + "}",
                                "config.json", result);
  EXPECT_TRUE(ok) << (ok ? "" : ok.error().message.en);
  return result;
}

/// The reach of each layer, "*" where it sees everything: "5**". The mask's window holds in all of them.
std::string windows(const Inspection& i) {
  std::string text;
  for (std::int64_t layer = 0; layer < 3; ++layer) {
    Shape shape = i.shape;
    shape.layer = layer;
    std::int64_t window = test::encoded(i.schemes.at(0).id, i.schemes.at(0).values, shape).reach.window;
    if (i.mask.window >= 0) window = window < 0 ? i.mask.window : std::min(window, i.mask.window);
    text += window < 0 ? "*" : std::to_string(window);
  }
  return text;
}

bool has(const std::vector<Text>& texts, const std::string& part) {
  return std::ranges::any_of(texts,
                             [&](const Text& t) { return t.en.find(part) != std::string::npos && !t.zh.empty(); });
}

const std::string window = R"(,"sliding_window":6)";
const std::string switched = window + R"(,"use_sliding_window":true)";
const std::string mixed = R"(,"layer_types":["full_attention","sliding_attention","full_attention"])";
const std::string all_full = R"(,"layer_types":["full_attention","full_attention","full_attention"])";

TEST(LayerConfig, onlyLayersThatAreMarkedHaveTheWindow) {
  for (const char* type : {"llama", "mistral", "mixtral", "phi3"})
    EXPECT_EQ(windows(read(type, window + mixed)), "*5*") << type;
  for (const char* type : {"llama", "mistral", "mixtral", "phi3", "qwen2", "qwen3"}) {
    EXPECT_EQ(windows(read(type, switched + mixed)), "*5*") << type;
    EXPECT_EQ(windows(read(type, switched + all_full)), "***") << type;
    EXPECT_EQ(read(type, switched + all_full).schemes.at(0).id, "rope") << type;
    EXPECT_EQ(windows(read(type, window + R"(,"use_sliding_window":false)" + mixed)), "***") << type;
  }
}

TEST(LayerConfig, withoutMarksTheWindowOfMistralIsInAllLayers) {
  EXPECT_EQ(windows(read("mistral", window)), "555");
  EXPECT_EQ(windows(read("mistral", window + R"(,"max_window_layers":2)")), "555") << "a key of Qwen";
  EXPECT_EQ(windows(read("mistral", window + R"(,"layer_types":["full_attention"])")), "555") << "not used";
  EXPECT_EQ(windows(read("mistral", window + R"(,"layer_types":["sliding_attention","sliding_attention",
    "sliding_attention"])")),
            "555");
}

TEST(LayerConfig, qwensWindowBeginsAtMaxWindowLayers) {
  for (const char* type : {"qwen2", "qwen3"}) {
    const auto from = [&](const std::string& layers) {
      return windows(read(type, switched + R"(,"max_window_layers":)" + layers));
    };
    EXPECT_EQ(from("0"), "555");
    EXPECT_EQ(from("1"), "*55");
    EXPECT_EQ(from("3"), "***");
    EXPECT_EQ(from("80"), "***");
    EXPECT_EQ(windows(read(type, switched)), "***") << "28 by default";
    EXPECT_EQ(windows(read(type, switched + R"(,"max_window_layers":0)" + mixed)), "*5*") << "layer_types wins";
    EXPECT_EQ(windows(read(type, window + R"(,"max_window_layers":0)")), "***") << "off unless it is switched on";
    EXPECT_EQ(windows(read(type, R"(,"sliding_window":null,"use_sliding_window":true,"max_window_layers":0)")), "***");
  }
  EXPECT_TRUE(has(read("qwen2", switched + R"(,"max_window_layers":1)").reasons,
                  "kinds of layers 1 full of 3 from max_window_layers; window 5 from sliding_window"));
  EXPECT_TRUE(has(read("qwen2", switched).reasons, "max_window_layers 28 by default"));
  EXPECT_TRUE(has(read("qwen2", switched + R"(,"max_window_layers":"x")").reasons,
                  "max_window_layers 28 in place of max_window_layers, which was refused"));
}

TEST(LayerConfig, marksWithoutAWindowAreTold) {
  const std::string told = "layer_types gives layers a window, but use_sliding_window is not true";
  EXPECT_TRUE(has(read("qwen2", window + mixed).notes, told));
  EXPECT_TRUE(has(read("mistral", window + R"(,"use_sliding_window":false)" + mixed).notes, told));
  EXPECT_FALSE(has(read("qwen2", switched + mixed).notes, told));
  EXPECT_FALSE(has(read("qwen2", window + all_full).notes, told));
  const std::string unsized_window = "layer_types gives layers a window, but sliding_window gives no size";
  const std::string null = R"(,"sliding_window":null,"use_sliding_window":true)";
  EXPECT_TRUE(has(read("qwen3", null + mixed).notes, unsized_window));
  EXPECT_FALSE(has(read("qwen3", null + all_full).notes, unsized_window));
}

TEST(LayerConfig, aKeyThatIsReadTwiceIsRefusedOnce) {
  const Inspection i = read("qwen2", R"(,"sliding_window":6,"use_sliding_window":"yes")" + mixed);
  EXPECT_EQ(std::ranges::count_if(
                i.notes, [](const Text& t) { return t.en.find("use_sliding_window must be") != std::string::npos; }),
            1);
}

}  // namespace
}  // namespace posiscope::models
