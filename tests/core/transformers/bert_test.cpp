// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A BERT of random weights with all that a correct one computes from them.
#include "core/parallel.h"
#include "core/transformers/head_table.h"
#include "tests/support/golden.h"
#include "tests/support/real_models.h"

#include <numeric>

namespace posiscope::transformers {
namespace {

using test::allWeights;
using test::idsOf;
using test::traced;

constexpr double weight_tolerance = 2e-6;

const std::string folder = test::dataPath("models/bert-random");

Model opened() {
  auto model = openModel(folder);
  EXPECT_TRUE(model) << (model ? "" : model.error().message.en);
  return model ? *std::move(model) : Model{};
}

Array stored(const std::string& name) {
  const auto array = files::readNpy(folder + "/" + name);
  EXPECT_TRUE(array) << (array ? "" : array.error().message.en);
  return array ? *array : Array{};
}

TEST(Bert, bertsHiddenStatesAndNormsAreThoseStored) {
  const Model model = opened();
  const std::vector<std::int64_t> real = idsOf(stored("attention_mask.npy"));
  const Prompt prompt{idsOf(stored("tokens.npy")), idsOf(stored("segments.npy")), {real.begin(), real.end()}};
  const Wanted wanted{.attention_weights = true, .hidden = true, .embedding_norms = true};
  const auto trace = traced<double>(model, prompt, wanted);
  test::expectClose(allWeights(trace), stored("attention_weights.npy"), 0, 1e-9, "weights");
  std::vector<double> hidden;
  for (const Table<double>& state : trace.hidden) hidden.insert(hidden.end(), state.values.begin(), state.values.end());
  test::expectClose(hidden, stored("hidden_states.npy"), 1e-9, 1e-9, "hidden states");
  test::expectClose(trace.embedding_norms.values, stored("embedding_norms.npy"), 1e-9, 1e-9, "norms");
  test::expectClose(allWeights(traced<float>(model, prompt, wanted)), stored("attention_weights.npy"), 0,
                    weight_tolerance, "weights in float");
}

TEST(Bert, nobodyLooksAtBertsPadding) {
  const Model model = opened();
  const std::vector<std::int64_t> tokens = idsOf(stored("tokens.npy"));
  std::vector<std::uint8_t> mask(tokens.size(), 1);
  std::fill(mask.end() - 3, mask.end(), 0);
  const auto trace = traced<double>(model, {tokens, {}, mask}, {.attention_weights = true, .hidden = true});
  for (const auto& layer : trace.layers)
    for (std::size_t row = 0; row < layer.attention.weights.size(); row += tokens.size()) {
      const std::span<const double> weights(layer.attention.weights.data() + row, tokens.size());
      EXPECT_EQ(std::vector<double>(weights.end() - 3, weights.end()), std::vector<double>(3, 0.0));
      EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1, 1e-12) << "padding looks, too";
    }
  // What stands in the padding changes no real token, and leaving it away does not either.
  std::vector<std::int64_t> others = tokens;
  std::fill(others.end() - 3, others.end(), 5);
  const auto changed = traced<double>(model, {others, {}, mask}, {.hidden = true});
  const auto shorter = traced<double>(model, {{tokens.begin(), tokens.end() - 3}, {}, {}}, {.hidden = true});
  for (std::int64_t t = 0; t + 3 < static_cast<std::int64_t>(tokens.size()); ++t)
    for (std::int64_t d = 0; d < model.shape.d_model; ++d) {
      const auto at = static_cast<std::size_t>(d);
      EXPECT_NEAR(changed.hidden.back().row(t)[at], trace.hidden.back().row(t)[at], 1e-12);
      EXPECT_NEAR(shorter.hidden.back().row(t)[at], trace.hidden.back().row(t)[at], 1e-12);
    }
}

TEST(Bert, itPredictsNoTokens) {
  const auto trace = run<float>(opened(), {{1, 2, 3}, {}, {}}, {.logits = true});
  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().code, ErrorCode::not_supported);
  EXPECT_FALSE(trace.error().message.zh.empty());
}

TEST(Bert, aPromptThatDoesNotFitIsRefused) {
  const Model model = opened();
  const auto code = [&](const Prompt& prompt, const Wanted& wanted = {}) {
    const auto trace = run<float>(model, prompt, wanted);
    EXPECT_FALSE(trace);
    return trace ? ErrorCode::cancelled : trace.error().code;
  };
  EXPECT_EQ(code({}), ErrorCode::bad_shape);
  EXPECT_EQ(code({{0, 40}, {}, {}}), ErrorCode::out_of_range) << "the vocabulary has 40 words";
  EXPECT_EQ(code({{0, -1}, {}, {}}), ErrorCode::out_of_range);
  EXPECT_EQ(code({{0, 1}, {0, 2}, {}}), ErrorCode::out_of_range) << "there are two kinds of segments";
  EXPECT_EQ(code({{0, 1}, {0}, {}}), ErrorCode::bad_shape);
  EXPECT_EQ(code({{0, 1}, {}, {1}}), ErrorCode::bad_shape);
  EXPECT_EQ(code({{0, 1}, {}, {}}, {.layers = {3}}), ErrorCode::out_of_range);
  EXPECT_EQ(code({{0, 1}, {}, {}}, {.heads = {4}, .attention_weights = true}), ErrorCode::bad_shape);
  EXPECT_EQ(code({std::vector<std::int64_t>(25, 1), {}, {}}), ErrorCode::past_table) << "24 positions";
}

TEST(Bert, onlyWhatIsWantedIsKept) {
  const Model model = opened();
  const Prompt prompt{{1, 2, 3, 4, 5}, {}, {}};
  const auto all = traced<double>(model, prompt, {.projections = true, .attention_weights = true});
  ASSERT_EQ(all.layers.size(), 3u);
  EXPECT_TRUE(all.hidden.empty());
  EXPECT_TRUE(all.layers[0].attention.logits.empty());
  EXPECT_EQ(all.layers[0].q.size(), 4u * 5 * 8);
  for (const bool later : {false, true}) {  // with and without something that needs the layers after it
    const auto one =
        traced<double>(model, prompt, {.layers = {1}, .heads = {3, 0}, .attention_weights = true, .hidden = later});
    ASSERT_EQ(one.layers.size(), 1u);
    EXPECT_EQ(one.layers[0].layer, 1);
    EXPECT_TRUE(one.layers[0].q.empty());
    const std::vector<double>& weights = all.layers[1].attention.weights;
    std::vector<double> wanted(weights.begin() + 75, weights.begin() + 100);
    wanted.insert(wanted.end(), weights.begin(), weights.begin() + 25);
    EXPECT_EQ(one.layers[0].attention.weights, wanted);
    EXPECT_TRUE(one.layers[0].attention.output.empty());
  }
}

TEST(Bert, theHeadsAreTheReportsOfItsWeights) {
  const Model model = opened();
  const Prompt prompt{idsOf(stored("tokens.npy")), {}, {}};
  const heads::Thresholds thresholds;
  const auto rows = headTable(model, prompt, thresholds);
  ASSERT_TRUE(rows) << rows.error().message.en;
  ASSERT_EQ(rows->size(), 12u);
  const auto trace = traced<float>(model, prompt, {.layers = {2}, .attention_weights = true});
  const Rows<float> weights{trace.layers[0].attention.weights.data() + 400, 20, 20};
  const HeadRow& row = rows->at(9);
  EXPECT_EQ(row.layer, 2);
  EXPECT_EQ(row.head, 1);
  EXPECT_EQ(row.metrics.entropy_mean,
            heads::headMetrics(weights, maskOf(model, prompt), shapeOf(model, prompt), thresholds).entropy_mean);
  EXPECT_TRUE(row.pattern_shares.empty()) << "it sees what comes later";
}

TEST(Bert, aRunIsStoppedAndRefusedBeforeItTakesMemory) {
  const Model model = opened();
  const Job stopped;
  stopped.stop();
  const auto trace = run<float>(model, {{1, 2, 3}, {}, {}}, {.hidden = true}, stopped);
  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().code, ErrorCode::cancelled);
  const double limit = memoryLimit();
  setMemoryLimit(runBytes(model, {{1, 2, 3}, {}, {}}, {.hidden = true}, sizeof(float)) - 1);
  const auto large = run<float>(model, {{1, 2, 3}, {}, {}}, {.hidden = true});
  setMemoryLimit(limit);
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().code, ErrorCode::too_large);
}

TEST(Bert, theNumbersDoNotDependOnTheThreads) {
  const Model model = opened();
  const Prompt prompt{idsOf(stored("tokens.npy")), {}, {}};
  const int before = threads();
  setThreads(1);
  const auto one = traced<float>(model, prompt, {.attention_weights = true, .hidden = true});
  setThreads(3);
  const auto three = traced<float>(model, prompt, {.attention_weights = true, .hidden = true});
  setThreads(before);
  EXPECT_EQ(allWeights(one), allWeights(three));
  EXPECT_EQ(one.hidden.back().values, three.hidden.back().values);
}

}  // namespace
}  // namespace posiscope::transformers
