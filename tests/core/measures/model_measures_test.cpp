// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Measures that look into a trained model: its loss by position, one row of its attention, all its layers and heads.
#include "core/measures/axes.h"
#include "core/model_content.h"
#include "tests/support/answer_of.h"
#include "tests/support/real_models.h"
#include "tests/support/small_model.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace posiscope::measures {
namespace {

using test::answerOf;

double metric(const Dataset& dataset, const std::string& key) {
  const auto found = std::ranges::find(dataset.metrics, key, &Metric::key);
  return found == dataset.metrics.end() ? std::nan("") : found->value;
}

bool says(const Dataset& dataset, const std::string& part) {
  return std::ranges::any_of(dataset.remarks,
                             [&](const Remark& r) { return r.sentence.en.find(part) != std::string::npos; });
}

/// A model as the content, with the scheme that it has.
Question about(const char* measure, const std::string& folder, std::int64_t seq_len) {
  const auto model = transformers::openModel(folder);
  EXPECT_TRUE(model) << (model ? "" : model.error().message.en);
  Question q;
  q.measure = measure;
  if (!model) return q;
  q.scheme = model->scheme;
  q.shape = model->shape;
  q.shape.seq_len = seq_len;
  q.mask = model->mask;
  q.train_length = model->train_length;
  q.content.source = ContentSource::model;
  q.content.model = folder;
  return q;
}

class SmallModelMeasures : public testing::Test {
 protected:
  void SetUp() override {
    folder.write("m/config.json", test::smallLlamaConfig());
    folder.write("m/model.safetensors", test::smallModel(test::smallLlama()));
  }
  Question question(const char* measure, std::int64_t seq_len = 12) const {
    return about(measure, folder.file("m"), seq_len);
  }
  transformers::Trace<float> run(const Question& q, const transformers::Wanted& wanted) const {
    const auto model = transformers::openModel(q.content.model);
    const auto tokens = contentTokens(q.content, *model, q.shape.seq_len);
    return test::traced<float>(*model, {*tokens, {}, {}}, wanted);
  }

  test::TemporaryFolder folder;
};

TEST_F(SmallModelMeasures, theLossIsThatOfTheRunAtThePositionThatPredicts) {
  Question q = question("loss_by_position");
  const Dataset dataset = answerOf(q);
  const std::vector<double> losses = run(q, {.losses = true}).losses;
  ASSERT_EQ(dataset.curves.size(), 1U);
  EXPECT_EQ(dataset.curves[0].y, losses);
  EXPECT_EQ(dataset.curves[0].x.front(), 0);
  EXPECT_EQ(dataset.curves[0].x.back(), 10);
  EXPECT_EQ(dataset.curves[0].term(4), "−ln p(x[i + 1] | x[≤ i]), i = 4");
  q.shape.first_position = 100;
  EXPECT_EQ(answerOf(q).curves[0].x.front(), 100);
}

TEST_F(SmallModelMeasures, blocksAreMeansAndAShortRestJoinsTheLast) {
  Question q = question("loss_by_position", 12);  // eleven losses
  const std::vector<double> all = answerOf(q).curves[0].y;
  const auto mean = [&](std::ptrdiff_t from, std::ptrdiff_t to) {
    return std::accumulate(all.begin() + from, all.begin() + to, 0.0) / static_cast<double>(to - from);
  };
  q.options["block"] = 5.0;
  Curve curve = answerOf(q).curves[0];
  EXPECT_EQ(curve.x, (std::vector<double>{2, 8}));
  EXPECT_NEAR(curve.y[1], mean(5, 11), 1e-12);
  EXPECT_EQ(curve.term(8), "⟨−ln p(x[i + 1] | x[≤ i])⟩ᵢ, i = 5 … 10");
  q.options["block"] = 4.0;  // a rest of three is a block
  curve = answerOf(q).curves[0];
  EXPECT_EQ(curve.x, (std::vector<double>{2, 6, 9}));
  EXPECT_NEAR(curve.y[2], mean(8, 11), 1e-12);
}

TEST_F(SmallModelMeasures, theTrainingLengthDividesTheLosses) {
  Question q = question("loss_by_position");
  const std::vector<double> all = answerOf(q).curves[0].y;
  EXPECT_TRUE(says(answerOf(q), "all within the training length 64"));
  q.train_length = 4;
  const Dataset dataset = answerOf(q);
  EXPECT_NEAR(metric(dataset, "mean_trained"), std::accumulate(all.begin(), all.begin() + 4, 0.0) / 4, 1e-12);
  EXPECT_NEAR(metric(dataset, "mean_beyond"), std::accumulate(all.begin() + 4, all.end(), 0.0) / 7, 1e-12);
  ASSERT_EQ(dataset.marks.size(), 1U);
  EXPECT_EQ(dataset.marks[0].from, 4);
  q.shape.first_position = 4;
  EXPECT_TRUE(says(answerOf(q), "all beyond the training length 4"));
  q.train_length = 0;
  EXPECT_TRUE(says(answerOf(q), "without a training length"));
}

TEST_F(SmallModelMeasures, onlyTheFirstTokensAreRun) {
  Question q = question("loss_by_position", 60);
  const std::vector<double> all = answerOf(q).curves[0].y;
  q.options["tokens"] = 20.0;
  const Dataset part = answerOf(q);
  EXPECT_EQ(part.scope.en, "first 20 of 60 tokens");
  ASSERT_EQ(part.curves[0].y.size(), 19U);
  for (std::size_t t = 0; t < 19; ++t) EXPECT_NEAR(part.curves[0].y[t], all[t], 1e-5);
}

TEST_F(SmallModelMeasures, aDraftOfTheLossKeepsThePlaceOfTheRest) {
  Question q = question("loss_by_position", 400);
  q.options["block"] = 10.0;
  const Dataset full = answerOf(q);
  q.draft = true;
  const Dataset draft = answerOf(q);
  EXPECT_TRUE(draft.draft);
  EXPECT_EQ(draft.scope.en, "draft: first 100 of 400 tokens");
  EXPECT_NEAR(draft.curves[0].y.front(), full.curves[0].y.front(), 1e-5);
  EXPECT_TRUE(std::isnan(draft.curves[0].y.back()));
  EXPECT_NEAR(draft.curves[0].x.back(), full.curves[0].x.back(), 5);
}

TEST_F(SmallModelMeasures, whatHasNoLossSaysWhy) {
  Question q = question("loss_by_position", 1);
  EXPECT_EQ(answerOf(q).nothing.en, "One token has no next one to predict.");
  q = question("loss_by_position");
  q.content.source = ContentSource::random;
  EXPECT_FALSE(answerOf(q).nothing.en.empty());
  q = question("loss_by_position");
  const Job job;
  job.stop();
  q.shape.first_position = 7;  // a run that is not remembered
  EXPECT_EQ(find(q.measure)->compute(q, job).error().code, ErrorCode::cancelled);
  q.content.model = folder.file("none");
  EXPECT_FALSE(find(q.measure)->compute(q, Job{}));
}

TEST_F(SmallModelMeasures, theOverviewIsEveryLayerOfTheRun) {
  Question q = question("attention_overview");
  const Dataset dataset = answerOf(q);
  ASSERT_EQ(dataset.maps.size(), 8U);
  const auto trace = run(q, {.attention_weights = true});
  for (std::size_t l = 0; l < 2; ++l)
    for (std::int64_t h = 0; h < 4; ++h) {
      const Map& map = dataset.maps[l * 4 + static_cast<std::size_t>(h)];
      EXPECT_EQ(map.head, h);
      EXPECT_EQ(map.key, join("layer ", l, " head ", h));
      const auto& weights = trace.layers[l].attention.weights;
      for (std::int64_t cell = 0; cell < 144; ++cell)
        ASSERT_NEAR(map.field->at(cell / 12, cell % 12), weights[static_cast<std::size_t>(h * 144 + cell)], 1e-6)
            << map.key;
    }
  EXPECT_EQ(dataset.maps[5].label.en, "layer 1 · head 1");
  EXPECT_NE(dataset.maps[5].term(7, 2).find("softmax"), std::string::npos);
  EXPECT_FALSE(says(dataset, "alike"));
  q.shape.layer = 1;  // which layer the other views show does not matter here
  EXPECT_EQ(answerOf(q).maps[0].field->at(5, 2), dataset.maps[0].field->at(5, 2));
}

TEST_F(SmallModelMeasures, theOverviewHasTheNumbersOfTheMaps) {
  for (const double tokens : {0.0, 20.0}) {
    Question q = question("attention_overview", 60);
    q.options["tokens"] = tokens;
    const Dataset overview = answerOf(q);
    q.measure = "attention_weights";
    for (std::int64_t l = 0; l < 2; ++l) {
      q.shape.layer = l;
      const Dataset maps = answerOf(q);
      for (std::int64_t h = 0; h < 4; ++h) {
        const Field& all = *overview.maps.at(static_cast<std::size_t>(l * 4 + h)).field;
        const Field& one = *maps.maps.at(static_cast<std::size_t>(h)).field;
        ASSERT_EQ(all.rows(), one.rows());
        for (std::int64_t i = 0; i < all.rows(); ++i)
          for (std::int64_t j = 0; j < all.cols(); ++j) ASSERT_EQ(all.at(i, j), one.at(i, j)) << l << " " << h;
      }
    }
  }
}

TEST_F(SmallModelMeasures, theTableOfAllHeadsIsThatOfEachLayer) {
  Question q = question("heads", 30);
  q.options["layers"] = std::string("all");
  const Dataset all = answerOf(q);
  const auto entropy = [](const Dataset& dataset) {
    return std::ranges::find(dataset.curves, "entropy_mean", &Curve::key)->y;
  };
  ASSERT_EQ(entropy(all).size(), 8U);
  q.options = {};
  for (std::size_t layer = 0; layer < 2; ++layer) {
    q.shape.layer = static_cast<std::int64_t>(layer);
    const auto one = entropy(answerOf(q));
    for (std::size_t head = 0; head < 4; ++head) EXPECT_EQ(entropy(all)[layer * 4 + head], one[head]);
  }
}

TEST_F(SmallModelMeasures, theFirstTokensOfALongSequenceAreScaledForItsLength) {
  const ParamValues scaling{{"scaling", std::string("dynamic")}, {"factor", 4.0}, {"max_length", 16.0}};
  const auto asked = [&](const char* measure, std::int64_t seq_len, double tokens) {
    Question q = question(measure, seq_len);
    for (const auto& [key, value] : scaling) q.scheme.values[key] = value;
    q.shape.layer = 1;
    if (tokens > 0) q.options["tokens"] = tokens;
    return answerOf(q);
  };
  // What comes later cannot matter but by the length: here of the second layer.
  for (const auto& [name, place] :
       {std::pair{"attention_weights", std::size_t{1}}, {"attention_overview", std::size_t{5}}}) {
    const std::string measure = name;
    const std::size_t map = place;
    const auto weight = [&](std::int64_t seq_len, double tokens) {
      return asked(measure.c_str(), seq_len, tokens).maps.at(map).field->at(11, 3);
    };
    EXPECT_NEAR(weight(60, 12), weight(60, 60), 1e-6) << measure;
    EXPECT_GT(std::abs(weight(60, 12) - weight(12, 12)), 1e-5) << measure;
  }
  const double whole = asked("loss_by_position", 60, 0).curves.at(0).y.at(10);
  EXPECT_NEAR(asked("loss_by_position", 60, 12).curves.at(0).y.at(10), whole, 1e-5);
  EXPECT_GT(std::abs(asked("loss_by_position", 12, 0).curves.at(0).y.at(10) - whole), 1e-5);
}

TEST_F(SmallModelMeasures, theRowIsThatOfTheLayerOfTheRun) {
  Question q = question("attention_row");
  q.shape.layer = 1;
  q.options = {{"query", 6.0}, {"head", 3.0}};
  const Dataset dataset = answerOf(q);
  const auto trace = run(q, {.attention_weights = true});
  ASSERT_EQ(dataset.curves[0].y.size(), 7U);
  for (std::size_t j = 0; j < 7; ++j)
    EXPECT_NEAR(dataset.curves[0].y[j], trace.layers[1].attention.weights[3 * 144 + 6 * 12 + j], 1e-6);
}

TEST_F(SmallModelMeasures, whatDoesNotFitIntoMemoryIsRefused) {
  const double before = memoryLimit();
  for (const char* measure : {"loss_by_position", "attention_overview"}) {
    Question q = question(measure, 47);  // a run that is not remembered
    setMemoryLimit(2000);
    const Expected<Dataset> refused = find(measure)->compute(q, Job{});
    setMemoryLimit(before);
    ASSERT_FALSE(refused) << measure;
    EXPECT_EQ(refused.error().code, ErrorCode::too_large) << measure;
  }
}

Question plain(const char* measure, const char* scheme, std::int64_t seq_len = 50) {
  Question q = test::questionOf(measure, scheme, {}, seq_len);
  q.mask.causal = true;
  return q;
}

TEST(AttentionOverview, saysThatLayersOfOneContentAreAlike) {
  Question q = plain("attention_overview", "alibi");
  q.shape.num_layers = 3;
  const Dataset dataset = answerOf(q);
  ASSERT_EQ(dataset.maps.size(), 12U);
  EXPECT_EQ(dataset.scope.en, "first 48 of 50 tokens");
  EXPECT_TRUE(says(dataset, "All 3 layers are alike"));
  q.measure = "attention_weights";
  q.options["tokens"] = 48.0;
  const Dataset one = answerOf(q);
  for (std::size_t m = 0; m < 12; ++m)
    EXPECT_EQ(dataset.maps[m].field->at(40, 11), one.maps.at(m % 4).field->at(40, 11)) << m;
}

TEST(AttentionOverview, aSchemeThatChangesByLayerShowsIt) {
  Question q = plain("attention_overview", "layer_pattern");
  q.shape.num_layers = 8;
  const Dataset dataset = answerOf(q);
  EXPECT_FALSE(says(dataset, "alike"));
  q.measure = "attention_weights";
  q.options["tokens"] = 48.0;
  for (std::size_t l = 0; l < 8; ++l) {
    q.shape.layer = static_cast<std::int64_t>(l);
    EXPECT_EQ(dataset.maps[l * 4 + 1].field->at(40, 11), answerOf(q).maps.at(1).field->at(40, 11)) << l;
  }
}

TEST(AttentionOverview, reportsQueriesWithoutAnyKey) {
  Question q = plain("attention_overview", "rope", 8);
  q.mask.key_padding = {0, 1, 1, 1, 1, 1, 1, 1};
  const Dataset dataset = answerOf(q);
  EXPECT_EQ(metric(dataset, "empty_rows"), 1);
  EXPECT_TRUE(says(dataset, "1 of 8 queries may look at no key"));
}

/// The experiment on a model that was really trained, at 512 tokens.
class TrainedModelMeasures : public test::RealModelTest {
 protected:
  Question question(ParamValues scaling) const {
    Question q = about("loss_by_position", folder + "/stories260K", 2048);
    for (auto& [key, value] : scaling) q.scheme.values[key] = value;
    q.content.token_file = array("stories260K/long_tokens.npy");
    q.options["block"] = 64.0;
    return q;
  }
};

TEST_F(TrainedModelMeasures, plainRotaryHoldsAndThenRises) {
  const Question q = question({});
  const Dataset dataset = answerOf(q);
  EXPECT_EQ(q.train_length, 512);
  EXPECT_EQ(dataset.curves.at(0).y.size(), 32U);
  EXPECT_NEAR(metric(dataset, "mean_trained"), 1.35, 0.01);
  EXPECT_EQ(dataset.remarks.at(0).verdict, Verdict::warning);
  EXPECT_TRUE(says(dataset, "From position " + readable(1728) + " on every block of 64 positions lies above"))
      << dataset.remarks.at(0).sentence.en;
}

TEST_F(TrainedModelMeasures, scaledByNtkItDoesNotStayAbove) {
  const Dataset dataset =
      answerOf(question({{"scaling", std::string("ntk")}, {"factor", 2.0}, {"original_length", 512.0}}));
  EXPECT_EQ(dataset.remarks.at(0).verdict, Verdict::neutral);
  EXPECT_TRUE(says(dataset, "does not stay above")) << dataset.remarks.at(0).sentence.en;
}

TEST_F(TrainedModelMeasures, theOverviewIsTheTrueAttention) {
  Question q = about("attention_overview", folder + "/stories260K", 128);
  q.content.token_file = array("stories260K/tokens.npy");
  q.options["tokens"] = 0.0;
  const Array truth = array("stories260K/attention_weights.npy");
  const Dataset dataset = answerOf(q);
  ASSERT_EQ(dataset.maps.size(), 40U);
  for (std::int64_t m = 0; m < 40; ++m)
    for (std::int64_t cell = 0; cell < 128 * 128; ++cell)
      ASSERT_NEAR(dataset.maps[static_cast<std::size_t>(m)].field->at(cell / 128, cell % 128),
                  truth.data()[m * 128 * 128 + cell], 2e-6)
          << m;
}

/// At its trained length, where rounding q, k or their products to single precision is seen.
TEST_F(TrainedModelMeasures, theWeightsOfEveryLayerAreThoseOfARunInDouble) {
  constexpr std::int64_t tokens = 512;
  std::vector<std::int64_t> ids = test::idsOf(array("stories260K/long_tokens.npy"));
  ids.resize(tokens);
  const transformers::Model model = open("stories260K");
  for (std::int64_t layer = 0; layer < model.shape.num_layers; ++layer) {
    Question q = about("attention_weights", folder + "/stories260K", tokens);
    q.content.token_file = makeArray({tokens}, std::vector<double>(ids.begin(), ids.end()));
    q.shape.layer = layer;
    q.options["tokens"] = 0.0;
    const Dataset dataset = answerOf(q);
    ASSERT_EQ(std::ssize(dataset.maps), model.shape.num_heads);
    const auto truth =
        test::traced<double>(model, {ids, {}, {}}, {.layers = {layer}, .attention_weights = true}).layers.front();
    double most = 0;
    for (std::int64_t h = 0; h < model.shape.num_heads; ++h)
      for (std::int64_t i = 0; i < tokens; ++i)
        for (std::int64_t j = 0; j <= i; ++j)
          most = std::max(most,
                          std::abs(dataset.maps[static_cast<std::size_t>(h)].field->at(i, j) -
                                   truth.attention.weights[static_cast<std::size_t>((h * tokens + i) * tokens + j)]));
    EXPECT_LT(most, 1e-7) << layer;
  }
}

}  // namespace
}  // namespace posiscope::measures
