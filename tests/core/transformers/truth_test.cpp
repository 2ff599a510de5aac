// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What models that were really trained answer, against the numbers that came with them.
#include "tests/support/golden.h"
#include "tests/support/real_models.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

namespace posiscope::transformers {
namespace {

using test::allWeights;
using test::idsOf;
using test::largest;
using test::traced;

constexpr double weight_tolerance = 2e-6;

class TrainedModels : public test::RealModelTest {};

TEST_F(TrainedModels, theSortModelAttendsAsStored) {
  const Model model = open("gpt-nano-sort");
  const Prompt prompt{idsOf(array("gpt-nano-sort/tokens.npy")), {}, {}};
  const Wanted wanted{.attention_logits = true, .attention_weights = true};
  const Array weights = array("gpt-nano-sort/attention_weights.npy");
  const Array logits = array("gpt-nano-sort/attention_logits.npy");
  const auto exact = traced<double>(model, prompt, wanted);
  test::expectClose(allWeights(exact), weights, 0, 1e-9, "weights in double");
  std::vector<double> found;
  for (const auto& layer : exact.layers)
    found.insert(found.end(), layer.attention.logits.begin(), layer.attention.logits.end());
  test::expectClose(found, logits, 0, 1e-8, "logits in double");
  test::expectClose(allWeights(traced<float>(model, prompt, wanted)), weights, 0, weight_tolerance, "weights in float");
}

TEST_F(TrainedModels, theSortModelAttendsAsPyTorchComputedIt) {
  const Model model = open("gpt-nano-sort");
  const std::vector<std::int64_t> tokens = idsOf(array("gpt-nano-sort/pytorch_tokens.npy"));
  const Wanted wanted{.layers = {0}, .attention_weights = true};
  std::vector<double> found;
  for (std::size_t row = 0; row < tokens.size(); row += 11) {
    const std::vector<double> weights =
        allWeights(traced<double>(model, {{tokens.begin() + row, tokens.begin() + row + 11}, {}, {}}, wanted));
    found.insert(found.end(), weights.begin(), weights.end());
  }
  test::expectClose(found, array("gpt-nano-sort/pytorch_attention_weights_layer0.npy"), 0, weight_tolerance, "weights");
}

TEST_F(TrainedModels, theSortModelSorts) {
  const Model model = open("gpt-nano-sort");
  for (const std::vector<std::int64_t>& given :
       {std::vector<std::int64_t>{2, 1, 0, 1, 2, 0}, {0, 0, 2, 1, 0, 1}, {2, 2, 2, 0, 1, 0}}) {
    std::vector<std::int64_t> sorted = given;
    std::ranges::sort(sorted);
    Prompt prompt{given, {}, {}};
    std::vector<std::int64_t> answer;
    while (answer.size() < 6) {
      answer.push_back(largest(traced<float>(model, prompt, {.logits = true}).logits).back());
      prompt.tokens.push_back(answer.back());
    }
    EXPECT_EQ(answer, sorted);
  }
}

TEST_F(TrainedModels, theStoryModelAttendsAsStored) {
  const Model model = open("stories260K");
  const Prompt prompt{idsOf(array("stories260K/tokens.npy")), {}, {}};
  const Array weights = array("stories260K/attention_weights.npy");
  const auto exact = traced<double>(model, prompt, {.attention_logits = true, .attention_weights = true});
  test::expectClose(allWeights(exact), weights, 0, weight_tolerance, "weights in double");
  ASSERT_EQ(exact.layers.size(), 5u);
  test::expectClose(exact.layers[0].attention.logits, array("stories260K/attention_logits_layer0.npy"), 0, 2e-5,
                    "logits of layer 0");
  // Five layers of sums in single precision: 3e-6 to 5.4e-6 at the worst place, as the compiler orders them.
  test::expectClose(allWeights(traced<float>(model, prompt, {.attention_weights = true})), weights, 0, 1e-5,
                    "weights in float");
}

TEST_F(TrainedModels, theStoryModelTellsTheStoredStory) {
  const Model model = open("stories260K");
  const std::vector<std::int64_t> tokens = idsOf(array("stories260K/tokens.npy"));
  ASSERT_EQ(tokens.size(), 128u);
  // Every stored token is the likeliest after those before it, so the greedy continuation of the first is the rest.
  const std::vector<std::int64_t> next = largest(traced<float>(model, {tokens, {}, {}}, {.logits = true}).logits);
  EXPECT_TRUE(std::equal(tokens.begin() + 1, tokens.end(), next.begin()));
}

TEST_F(TrainedModels, whatComesLaterChangesNoEarlierRow) {
  for (const std::string name : {"gpt-nano-sort", "stories260K"}) {
    const Model model = open(name);
    const std::vector<std::int64_t> tokens = idsOf(array(name + "/tokens.npy"));
    const std::size_t length = tokens.size();
    const std::size_t start = length / 2;
    const Wanted wanted{.attention_weights = true, .hidden = true};
    const auto whole = traced<double>(model, {tokens, {}, {}}, wanted);
    const auto part =
        traced<double>(model, {{tokens.begin(), tokens.begin() + static_cast<int>(start)}, {}, {}}, wanted);
    const Table<double>& grown = whole.hidden.back();
    const Table<double>& before = part.hidden.back();
    for (std::size_t e = 0; e < before.values.size(); ++e)
      ASSERT_NEAR(grown.values[e], before.values[e], 1e-10) << name;
    for (std::size_t l = 0; l < part.layers.size(); ++l)
      for (std::size_t h = 0; h < static_cast<std::size_t>(model.shape.num_heads); ++h)
        for (std::size_t i = 0; i < start; ++i) {
          const double* row = whole.layers[l].attention.weights.data() + (h * length + i) * length;
          for (std::size_t j = 0; j < start; ++j)
            ASSERT_NEAR(row[j], part.layers[l].attention.weights[(h * start + i) * start + j], 1e-10) << name;
          for (std::size_t j = i + 1; j < length; ++j) ASSERT_EQ(row[j], 0.0) << "masked is exactly 0";
          ASSERT_NEAR(std::accumulate(row, row + length, 0.0), 1, 1e-12);
        }
  }
}

/// GPT-2 without the divisor of its scores ("scale_attn_weights": false): √head_dim = 4 times the logits.
TEST_F(TrainedModels, unscaledScoresAreNotDivided) {
  const test::TemporaryFolder copy;
  const std::string from = folder + "/gpt-nano-sort";
  copy.write("m/config.json", R"({"model_type":"gpt2","architectures":["GPT2LMHeadModel"],"n_layer":3,"n_head":3,
      "n_embd":48,"vocab_size":3,"n_positions":11,"tie_word_embeddings":false,"scale_attn_weights":false})");
  std::filesystem::copy_file(from + "/model.safetensors", copy.file("m/model.safetensors"));
  const auto unscaled = openModel(copy.file("m"));
  ASSERT_TRUE(unscaled) << unscaled.error().message.en;
  const Prompt prompt{{2, 0, 1, 1}, {}, {}};
  const Wanted wanted{.layers = {0}, .attention_logits = true};
  const auto plain = traced<double>(open("gpt-nano-sort"), prompt, wanted).layers.front().attention.logits;
  std::vector<double> wished;
  for (const double logit : plain) wished.push_back(4 * logit);
  test::expectClose(traced<double>(*unscaled, prompt, wanted).layers.front().attention.logits,
                    makeArray({static_cast<std::int64_t>(wished.size())}, wished), 1e-12, 1e-12, "unscaled");
}

}  // namespace
}  // namespace posiscope::transformers
