// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where position is in a model's queries and keys already: the shuffle, the terms and the segments.
#include "core/measures/list.h"
#include "core/token_names.h"
#include "core/transformers/model.h"
#include "tests/support/answer_of.h"
#include "tests/support/real_models.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace posiscope::measures {
namespace {

using test::answerOf;

const std::string folder = test::dataPath("models/bert-random");

Array stored(const std::string& name) {
  const auto array = files::readNpy(folder + "/" + name);
  EXPECT_TRUE(array) << (array ? "" : array.error().message.en);
  return array ? *array : Array{};
}

double metric(const Dataset& dataset, const std::string& key) {
  const auto found = std::ranges::find(dataset.metrics, key, &Metric::key);
  return found == dataset.metrics.end() ? std::nan("") : found->value;
}

bool says(const Dataset& dataset, const std::string& part) {
  return std::ranges::any_of(dataset.remarks,
                             [&](const Remark& r) { return r.sentence.en.find(part) != std::string::npos; });
}

Question about(const char* measure, const transformers::Model& model, const Array& tokens) {
  Question q;
  q.measure = measure;
  q.scheme = model.scheme;
  q.shape = model.shape;
  q.shape.seq_len = tokens.shape.back();
  q.mask = model.mask;
  q.content.source = ContentSource::model;
  q.content.model = model.path;
  q.content.token_file = tokens;
  return q;
}

Question about(const char* measure) {
  const auto model = transformers::openModel(folder);
  EXPECT_TRUE(model) << (model ? "" : model.error().message.en);
  return model ? about(measure, *model, stored("tokens.npy")) : Question{};
}

/// The terms add up to the logits of the run.
void expectLogits(const Dataset& terms, Question q, float tolerance) {
  q.measure = "attention_weights";
  q.options = {{"quantity", std::string("logits")}};
  const Dataset logits = answerOf(q);
  for (std::int64_t i = 0; i < q.shape.seq_len; ++i)
    for (std::int64_t j = 0; j < q.shape.seq_len; ++j) {
      if (!q.mask.allows(q.shape, i, j)) continue;
      float sum = 0;
      for (std::size_t m = 0; m + 1 < terms.maps.size(); ++m) sum += terms.maps[m].field->at(i, j);
      ASSERT_NEAR(sum, logits.maps.at(0).field->at(i, j), tolerance) << i << ", " << j;
    }
}

TEST(ShuffledModel, runsAgainOnTheTokensInTheirNewOrder) {
  const auto model = transformers::openModel(folder);
  ASSERT_TRUE(model);
  Question q = about("shuffle_test");
  q.content.segment_file = stored("segments.npy");
  std::vector<std::int64_t> before(static_cast<std::size_t>(q.shape.seq_len));
  std::iota(before.begin(), before.end(), 3);  // no two alike, so that the names tell the order
  q.content.token_file = makeArray({q.shape.seq_len}, std::vector<double>(before.begin(), before.end()));
  q.shape.layer = 1;
  q.options["head"] = 2.0;
  const Dataset dataset = answerOf(q);
  EXPECT_TRUE(says(dataset, "With no mask the weights change")) << dataset.remarks.at(0).sentence.en;
  ASSERT_EQ(dataset.maps.size(), 2U);
  ASSERT_TRUE(dataset.maps[0].cols.names) << "the tokens that stand there after the shuffle";
  EXPECT_EQ(*dataset.maps[0].rows.names, *dataset.maps[0].cols.names);
  const std::vector<std::int64_t> segments = test::idsOf(stored("segments.npy"));
  const std::size_t n = before.size();
  transformers::Prompt after;
  std::vector<std::size_t> order;
  for (const std::string& name : *dataset.maps[0].cols.names) {
    order.push_back(static_cast<std::size_t>(std::ranges::find(before, std::stoll(name)) - before.begin()));
    after.tokens.push_back(before[order.back()]);
    after.segments.push_back(segments[order.back()]);
  }
  EXPECT_FALSE(std::ranges::is_sorted(order));
  const transformers::Wanted wanted{.layers = {1}, .attention_weights = true};
  const auto a = test::traced<double>(*model, {before, segments, {}}, wanted).layers.at(0).attention.weights;
  const auto b = test::traced<double>(*model, after, wanted).layers.at(0).attention.weights;
  double largest = 0;
  for (std::size_t h = 0; h < 4; ++h)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const double apart = std::abs(b[(h * n + i) * n + j] - a[(h * n + order[i]) * n + order[j]]);
        largest = std::max(largest, apart);
        if (h != 2) continue;
        const auto row = static_cast<std::int64_t>(i), col = static_cast<std::int64_t>(j);
        ASSERT_NEAR(dataset.maps[0].field->at(row, col), apart, 1e-6);
      }
  EXPECT_NEAR(metric(dataset, "none"), largest, 1e-6);
}

TEST(ShuffledModel, withoutPositionOnlyTheMaskTellsTheOrder) {
  Question q = about("shuffle_test");
  q.scheme = {"none", {}, {}, 0, true};
  for (q.shape.layer = 0; q.shape.layer < 3; ++q.shape.layer) {
    const Dataset dataset = answerOf(q);
    EXPECT_LT(metric(dataset, "none"), 1e-5) << q.shape.layer;
    EXPECT_GT(metric(dataset, "causal"), 1e-3) << q.shape.layer;
  }
}

TEST(ShuffledModel, theNamesAreNotPutBack) {
  Question q = about("shuffle_test");
  q.content = {};
  q.content.source = ContentSource::tokens;
  q.content.text = "a b c d e f g h i j k l m n o p q r s t";
  Dataset dataset = answerOf(q);
  const std::vector<std::string> shuffled = *dataset.maps.at(0).rows.names;
  EXPECT_FALSE(std::ranges::is_sorted(shuffled));
  nameTokens(dataset, q.content, q.mask, q.shape);
  EXPECT_EQ(*dataset.maps[0].rows.names, shuffled);
}

TEST(ModelTerms, theFirstLayerOfBertPartsWordsAndPositions) {
  Question q = about("score_terms");
  q.content.segment_file = stored("segments.npy");
  q.options["head"] = 0.0;
  const Dataset dataset = answerOf(q);
  ASSERT_EQ(dataset.maps.size(), 6U);
  EXPECT_EQ(dataset.maps[4].label.en, "biases and segments");
  EXPECT_TRUE(says(dataset, "the model's own tables"));
  expectLogits(dataset, q, 1e-5F);
}

/// Of one word everywhere, what the word brings differs between places by the norm's divisor alone.
TEST(ModelTerms, ofOneWordTheWordsPartIsOneRow) {
  Question q = about("score_terms");
  const auto n = static_cast<std::size_t>(q.shape.seq_len);
  q.content.token_file = makeArray({q.shape.seq_len}, std::vector<double>(n, 7.0));
  const Dataset dataset = answerOf(q);
  ASSERT_EQ(dataset.maps.size(), 6U);
  const auto crossed = [&](std::size_t map, std::int64_t i, std::int64_t j) {
    const Field& f = *dataset.maps[map].field;
    return f.at(i, j) * f.at(0, 1) - f.at(i, 1) * f.at(0, j);
  };
  double positions = 0;
  for (std::int64_t i = 1; i < q.shape.seq_len; ++i)
    for (std::int64_t j = 2; j < q.shape.seq_len; ++j) {
      for (const std::size_t map : {0U, 1U, 2U}) {  // a product of a number of the query's place and one of the key's
        const float size = dataset.maps[map].field->limits().maximum;
        ASSERT_NEAR(crossed(map, i, j), 0, 1e-5F * (1e-3F + size * size)) << map << ' ' << i << ' ' << j;
      }
      positions = std::max(positions, static_cast<double>(std::abs(crossed(3, i, j))));
    }
  EXPECT_GT(positions, 1e-4) << "position to position is no such product";
}

/// Content alone and position alone of the first layer are the terms E·E and P·P.
TEST(ModelTerms, theFirstLayerAttendsWithItsWordsAloneOrItsPositionsAlone) {
  const Dataset terms = answerOf(about("score_terms"));
  ASSERT_EQ(terms.maps.size(), 6U);
  for (const auto& [part, term] : {std::pair{"content", 0U}, std::pair{"position", 3U}}) {
    Question q = about("attention_weights");
    q.options = {{"part", std::string(part)}, {"quantity", std::string("logits")}, {"heads", std::vector<double>{0}}};
    const Dataset dataset = answerOf(q);
    ASSERT_EQ(dataset.maps.size(), 1U) << dataset.nothing.en;
    EXPECT_TRUE(says(dataset, "the model's own tables"));
    for (std::int64_t i = 0; i < q.shape.seq_len; ++i)
      for (std::int64_t j = 0; j < q.shape.seq_len; ++j)
        if (q.mask.allows(q.shape, i, j)) {
          ASSERT_NEAR(dataset.maps[0].field->at(i, j), terms.maps[term].field->at(i, j), 1e-6) << part << i << ' ' << j;
        }
    q.shape.layer = 1;
    EXPECT_NE(answerOf(q).nothing.en.find("layers below layer 1"), std::string::npos);
    q.scheme = {"rope", {}, {}, 0, true};
    if (term > 0) continue;
    EXPECT_EQ(answerOf(q).part.en, "content only (it may carry positions)");
    EXPECT_TRUE(says(answerOf(q), "what the layers below have seen"));
  }
}

TEST(ModelTerms, aboveTheFirstLayerTheTermSaysThatItHoldsPosition) {
  Question q = about("score_terms");
  q.shape.layer = 1;
  const Dataset dataset = answerOf(q);
  ASSERT_EQ(dataset.maps.size(), 2U);
  EXPECT_EQ(dataset.maps[0].label.en, "q·k, with position");
  EXPECT_TRUE(says(dataset, "in the hidden states of layer 1 already"));
  q.scheme = {"rope", {}, {}, 0, true};
  EXPECT_TRUE(says(answerOf(q), "what the layers below have seen"));
  q.scheme = {"none", {}, {}, 0, true};
  q.shape.layer = 0;
  EXPECT_EQ(answerOf(q).maps[0].label.en, "q·k, content") << "nothing has entered";
}

class TrainedTerms : public test::RealModelTest {};

TEST_F(TrainedTerms, ofAModelThatNormsBeforeTheLayerAddUp) {
  Question q = about("score_terms", open("gpt-nano-sort"), array("gpt-nano-sort/tokens.npy"));
  for (const double head : {0.0, 1.0, 2.0}) {
    q.options = {{"head", head}};
    const Dataset dataset = answerOf(q);
    ASSERT_EQ(dataset.maps.size(), 6U);
    EXPECT_EQ(dataset.maps[4].label.en, "biases of the model");
    if (head == 0) expectLogits(dataset, q, 2e-5F);
    const Array truth = array("gpt-nano-sort/attention_logits.npy");
    const std::int64_t n = q.shape.seq_len;
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j <= i; ++j)
        ASSERT_NEAR(dataset.maps[5].field->at(i, j), truth.data()[(static_cast<std::int64_t>(head) * n + i) * n + j],
                    2e-5);
  }
}

TEST(ModelSegments, theAttentionIsTheStoredOne) {
  Question q = about("attention_overview");
  q.options["tokens"] = 0.0;
  const std::vector<std::int64_t> real = test::idsOf(stored("attention_mask.npy"));
  q.mask.key_padding.assign(real.begin(), real.end());
  const Array truth = stored("attention_weights.npy");
  const Array segments = stored("segments.npy");
  const auto apart = [&] {
    const Dataset dataset = answerOf(q);
    double most = 0;
    const std::int64_t n = q.shape.seq_len;
    for (std::size_t m = 0; m < dataset.maps.size(); ++m)
      for (std::int64_t cell = 0; cell < n * n; ++cell)
        most = std::max(most, std::abs(static_cast<double>(dataset.maps[m].field->at(cell / n, cell % n)) -
                                       truth.data()[static_cast<std::int64_t>(m) * n * n + cell]));
    return most;
  };
  EXPECT_GT(apart(), 1e-3) << "all tokens of one segment are another text";
  q.content.segment_file = segments;
  EXPECT_LT(apart(), 3e-6);
  q.content.segment_file = {};
  for (const std::int64_t id : test::idsOf(segments)) q.content.segment_ids += std::to_string(id) + " ";
  EXPECT_LT(apart(), 3e-6);
  q.content.segment_ids.clear();
  q.content.second_segment = std::ranges::count(test::idsOf(segments), 0);
  EXPECT_LT(apart(), 3e-6) << "they come one after the other";
}

TEST(ModelSegments, thoseThatCannotBeAreRefused) {
  Question q = about("attention_weights");
  const auto code = [&] {
    const auto refused = find(q.measure)->compute(q, Job{});
    return refused ? std::optional<ErrorCode>() : refused.error().code;
  };
  q.content.segment_ids = "0 1";
  EXPECT_EQ(code(), ErrorCode::bad_shape);
  q.content.segment_ids = "0 one";
  EXPECT_EQ(code(), ErrorCode::bad_value);
  q.content.segment_file =
      makeArray({q.shape.seq_len}, std::vector<double>(static_cast<std::size_t>(q.shape.seq_len), 2));
  EXPECT_EQ(code(), ErrorCode::out_of_range);
}

}  // namespace
}  // namespace posiscope::measures
