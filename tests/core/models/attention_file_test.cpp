// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/attention_file.h"
#include "core/models/model.h"
#include "tests/support/safetensors_bytes.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/zip_bytes.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>

namespace posiscope::models {
namespace {

using test::npyBytes;
using test::zipBytes;
using test::ZipWay;

class OpenedAttention : public testing::Test {
 protected:
  Inspection look(const std::string& name, Tables tables = Tables::read) const {
    const auto found = inspect(folder.file(name), tables);
    EXPECT_TRUE(found) << (found ? "" : found.error().message.en);
    return found ? *found : Inspection{};
  }
  Inspection lookAt(const std::string& shape, const std::vector<double>& values) const {
    folder.write("a.npy", npyBytes(shape, values));
    return look("a.npy");
  }

  test::TemporaryFolder folder;
  const std::vector<double> causal{1, 0, 0.25, 0.75, 1, 0, 0.5, 0.5};  ///< two maps of two tokens
};

TEST_F(OpenedAttention, sizesAndMaskAreThoseOfTheArray) {
  const Inspection i = lookAt("(2, 2, 2)", causal);
  ASSERT_TRUE(i.content);
  EXPECT_EQ(i.content->source, ContentSource::attention);
  EXPECT_EQ(*i.content->attention.values, causal);
  EXPECT_EQ(i.schemes.at(0).id, "none");
  EXPECT_EQ(i.shape.num_heads, 2);
  EXPECT_EQ(i.shape.seq_len, 2);
  EXPECT_EQ(i.shape.seq_len_q, 0);
  EXPECT_TRUE(i.mask.causal);
  EXPECT_FALSE(lookAt("(1, 2, 2)", {0.5, 0.5, 0.5, 0.5}).mask.causal);
  EXPECT_FALSE(lookAt("(2, 1, 1)", {1, 1}).mask.causal) << "no key is ahead of the only query";
  const Inspection cross = lookAt("(1, 1, 3)", {0.5, 0.25, 0.25});
  EXPECT_EQ(cross.shape.seq_len_q, 1);
  EXPECT_EQ(cross.shape.seq_len, 3);
}

TEST_F(OpenedAttention, layersAndBatchComeBeforeTheHeads) {
  const Inspection four = lookAt("(2, 1, 2, 2)", causal);
  EXPECT_EQ(four.shape.num_layers, 2);
  EXPECT_EQ(four.shape.num_heads, 1);
  EXPECT_NE(four.notes.back().en.find("first layer"), std::string::npos) << four.notes.back().en;
  const Inspection five = lookAt("(2, 1, 1, 2, 2)", causal);
  EXPECT_EQ(five.shape.num_layers, 1);
  EXPECT_NE(five.notes.back().en.find("batch entry"), std::string::npos) << five.notes.back().en;
}

TEST_F(OpenedAttention, maskedLogitsTellTheMask) {
  EXPECT_TRUE(lookAt("(1, 2, 2)", {3, -INFINITY, 1, 2}).mask.causal);
  EXPECT_TRUE(lookAt("(1, 2, 2)", {3, -1e9, 1, 2}).mask.causal);
  EXPECT_TRUE(lookAt("(1, 3, 3)", {3, -1e9, -1e9, NAN, NAN, NAN, 1, 2, 0}).mask.causal) << "NaN is no key looked at";
  EXPECT_FALSE(lookAt("(1, 2, 2)", {3, -5, 1, 2}).mask.causal);
}

TEST_F(OpenedAttention, aSquareTableOfWeightsIsOneHead) {
  const Inspection head = lookAt("(2, 2)", {1, 0, 0.25, 0.75});
  ASSERT_TRUE(head.content);
  EXPECT_EQ(head.shape.num_heads, 1);
  EXPECT_EQ(lookAt("(2, 2)", {1, 2, 3, 4}).schemes.at(0).id, "learned");
  EXPECT_EQ(lookAt("(2, 2)", {0, 0, 0, 0}).schemes.at(0).id, "learned");
}

TEST_F(OpenedAttention, theRowsOfAWideTableTellWeights) {
  const Inspection head = lookAt("(2, 3)", {0.5, 0.25, 0.25, 0.125, 0.375, 0.5});
  ASSERT_TRUE(head.content);
  EXPECT_EQ(head.shape.seq_len_q, 2);
  EXPECT_EQ(head.shape.seq_len, 3);
  EXPECT_TRUE(look("a.npy", Tables::named).content);
  EXPECT_EQ(lookAt("(2, 3)", {0.5, 0.25, 0.25, 0.125, 0.375, 0.25}).schemes.at(0).id, "learned");
  EXPECT_EQ(lookAt("(3, 2)", {0.5, 0.5, 0.25, 0.75, 1, 0}).schemes.at(0).id, "learned") << "more queries than keys";
}

TEST_F(OpenedAttention, aMaskedTriangleOfATableMakesItLogits) {
  for (const double masked : {-double{INFINITY}, -1e9, -1e4}) {
    const Inspection logits = lookAt("(3, 3)", {1, masked, masked, 1, 1, masked, 1, 1, 1});
    ASSERT_TRUE(logits.content) << masked;
    EXPECT_TRUE(logits.mask.causal);
    EXPECT_EQ(logits.shape.seq_len, 3);
    EXPECT_EQ(logits.reasons.at(0).en, "array (3, 3) → attention logits [queries, keys]");
    EXPECT_TRUE(look("a.npy", Tables::named).content);
    EXPECT_TRUE(lookAt("(2, 3)", {1, 2, masked, 3, 4, 5}).content) << "earlier keys were kept";
  }
  const double none = -INFINITY;
  const auto scheme = [this](const std::string& shape, const std::vector<double>& values) {
    return lookAt(shape, values).schemes.at(0).id;
  };
  EXPECT_EQ(scheme("(3, 3)", {1, none, 2, 1, 1, none, 1, 1, 1}), "learned") << "not the whole triangle";
  EXPECT_EQ(scheme("(3, 3)", {1, none, none, none, 1, none, 1, 1, 1}), "learned") << "more than the triangle";
  EXPECT_EQ(scheme("(3, 3)", {1, NAN, NAN, 1, 1, NAN, 1, 1, 1}), "learned") << "lost numbers are no mask";
  EXPECT_EQ(scheme("(3, 2)", {1, none, 1, 1, 1, 1}), "learned") << "more queries than keys";
}

TEST_F(OpenedAttention, onlyMaskedNumbersMakeLogitsOfAMapThatIsNotSquare) {
  for (const double masked : {-double{INFINITY}, -1e9}) {
    const Inspection logits = lookAt("(1, 2, 3)", {1, 2, masked, 3, 4, 5});
    ASSERT_TRUE(logits.content) << masked;
    EXPECT_TRUE(logits.mask.causal);
    EXPECT_EQ(logits.shape.seq_len_q, 2);
  }
  EXPECT_FALSE(lookAt("(1, 2, 3)", {-1e9, 2, 3, 4, 5, 6}).content) << "one low number is no triangle";
  EXPECT_FALSE(lookAt("(1, 2, 3)", {NAN, NAN, NAN, NAN, NAN, NAN}).content) << "lost numbers are no mask";
}

TEST_F(OpenedAttention, whatIsNoAttentionIsOnlyNamed) {
  EXPECT_TRUE(lookAt("(1, 2, 3)", {1, 2, 3, 4, 5, 6}).schemes.empty());
  const Inspection unclear = lookAt("(2, 2, 1, 3)", {1, 2, 3, 4, 5, 6, 7, 8, 9, 8, 7, 6});
  ASSERT_EQ(unclear.notes.size(), 2U);
  EXPECT_NE(unclear.notes[1].en.find("2 layers, 2 heads, 1 query, 3 keys"), std::string::npos) << unclear.notes[1].en;
  EXPECT_FALSE(unclear.notes[1].zh.empty());
  const Inspection turned = lookAt("(1, 3, 2)", {1, 2, 3, 4, 5, 6});
  ASSERT_EQ(turned.notes.size(), 2U);
  EXPECT_NE(turned.notes[1].en.find("--attention-axes"), std::string::npos) << "no sizes would open it as it stands";
  const Inspection more_queries = lookAt("(1, 3, 2)", {0.5, 0.5, 0.5, 0.5, 0.5, 0.5});
  EXPECT_FALSE(more_queries.content) << "a sequence has no more queries than keys";
  EXPECT_TRUE(more_queries.schemes.empty());
  ASSERT_EQ(more_queries.notes.size(), 2U);
  EXPECT_NE(more_queries.notes[1].en.find("more queries (3) than keys (2)"), std::string::npos)
      << more_queries.notes[1].en;
  EXPECT_FALSE(more_queries.notes[1].zh.empty());
}

TEST_F(OpenedAttention, weightsWithKeysCutOffAreToldFromProjections) {
  const Inspection cropped = lookAt("(1, 2, 3)", {0.5, 0.25, 0.25, 0.25, 0.25, 0.25});
  ASSERT_EQ(cropped.notes.size(), 3U);
  EXPECT_NE(cropped.notes[1].en.find("--attention-kind weights"), std::string::npos) << cropped.notes[1].en;
}

TEST_F(OpenedAttention, anArrayOfZerosIsWeightsWithoutAMask) {
  const Inspection zeros = lookAt("(1, 2, 2)", {0, 0, 0, 0});
  ASSERT_TRUE(zeros.content);
  ASSERT_EQ(zeros.reasons.size(), 1U) << "that nothing is ahead of its query says nothing here";
  EXPECT_EQ(zeros.reasons[0].en, "array (1, 2, 2) → attention weights [heads, queries, keys]");
  EXPECT_EQ(zeros.mask, Mask{});
}

// Two layers and a batch of one, one head, two queries, three keys: [layer, batch, key, query, head].
TEST_F(OpenedAttention, namedAxesDecideTheSizes) {
  folder.write("t.npy",
               npyBytes("(2, 1, 3, 2, 1)", {0.5, 0.25, 0.25, 0.25, 0.25, 0.5, 0.5, 0.25, 0.25, 0.25, 0.25, 0.5}));
  const Inspection usual = look("t.npy");
  ASSERT_TRUE(usual.content) << "so that the axes can be named";
  Experiment opened = experimentOf(usual, startExperiment());
  EXPECT_TRUE(checkExperiment(opened)) << checkExperiment(opened).error().message.en;
  EXPECT_TRUE(std::ranges::any_of(usual.notes, [](const Text& note) {
    return note.en.find("more queries (2) than keys (1)") != std::string::npos;
  }));
  opened.content.attention_axes = "layer,batch,key,query,head";
  EXPECT_EQ(withAttentionSizes(opened).shape.seq_len, 3);
  const auto named = inspectAttention(folder.file("t.npy"), "layer,batch,key,query,head");
  ASSERT_TRUE(named) << named.error().message.en;
  EXPECT_EQ(named->shape.num_layers, 2);
  EXPECT_EQ(named->shape.num_heads, 1);
  EXPECT_EQ(named->shape.seq_len_q, 2);
  EXPECT_EQ(named->shape.seq_len, 3);
  EXPECT_EQ(named->content->attention_axes, "layer,batch,key,query,head");
  EXPECT_NE(named->reasons.at(0).en.find("attention weights"), std::string::npos) << named->reasons.at(0).en;
  Experiment e = experimentOf(*named, startExperiment());
  EXPECT_TRUE(checkExperiment(e));
  EXPECT_TRUE(fitsAttention(e));
  EXPECT_EQ(e.content.attention_axes, "layer,batch,key,query,head");
  e.content.attention_axes = "batch,layer,key,query,head";
  EXPECT_EQ(withAttentionSizes(e).shape.num_layers, 1);
  e.content.attention_axes = "batch,layer,query,key,head";  // more queries than keys
  EXPECT_FALSE(fitsAttention(e));
  EXPECT_EQ(withAttentionSizes(e).shape, e.shape);
  EXPECT_EQ(inspectAttention(folder.file("t.npy"), "head,query,key").error().code, ErrorCode::bad_shape);
  EXPECT_EQ(inspectAttention(folder.file("t.npy"), "heads").error().code, ErrorCode::bad_value);
}

TEST_F(OpenedAttention, aPersonSaysThatTheNumbersAreWeights) {
  folder.write("c.npy", npyBytes("(1, 2, 2)", {0.5, 0, 0.25, 0.25}));  // keys were cut off
  EXPECT_FALSE(look("c.npy").mask.causal) << "logits, by their sums";
  const auto said = inspectAttention(folder.file("c.npy"), "", AttentionReading::weights);
  ASSERT_TRUE(said) << said.error().message.en;
  EXPECT_EQ(said->content->attention_kind, AttentionReading::weights);
  EXPECT_TRUE(said->mask.causal);
  EXPECT_EQ(said->reasons.at(0).en, "array (1, 2, 2) → attention weights [heads, queries, keys]");
  const Experiment e = experimentOf(*said, startExperiment());
  EXPECT_EQ(e.content.attention_kind, AttentionReading::weights);
  EXPECT_TRUE(withAttentionSizes(e).mask.causal);
  EXPECT_EQ(experimentOf(look("c.npy"), e).content.attention_kind, AttentionReading::recognised) << "of another file";
}

TEST_F(OpenedAttention, archivesOpenByTheirOnlyArrayOrByName) {
  folder.write("one.npz",
               zipBytes({{"ids.npy", npyBytes("(3,)", {1, 2, 3})}, {"attentions.npy", npyBytes("(2, 2, 2)", causal)}},
                        ZipWay::deflated));
  const Inspection one = look("one.npz");
  ASSERT_TRUE(one.content);
  EXPECT_EQ(one.content->attention.source, folder.file("one.npz#attentions"));
  folder.write("two.npz", zipBytes({{"a.npy", npyBytes("(2, 2, 2)", causal)}, {"b.npy", npyBytes("(2, 1)", {1, 2})}},
                                   ZipWay::stored));
  const Inspection two = look("two.npz");
  EXPECT_TRUE(two.schemes.empty());
  EXPECT_EQ(two.tensors.size(), 2U);
  EXPECT_TRUE(look("two.npz#a").content);
  EXPECT_EQ(look("two.npz#b").schemes.at(0).id, "learned");
  folder.write("none.npz", zipBytes({{"a.npy", npyBytes("(0,)", {})}}, ZipWay::stored));
  EXPECT_EQ(inspect(folder.file("none.npz")).error().code, ErrorCode::not_defined);
  folder.write("fused.npz",
               zipBytes({{"attentions.npy", npyBytes("()", {0}, "|O")}, {"x.npy", npyBytes("(2, 2, 2)", causal)}},
                        ZipWay::stored));
  const auto fused = inspect(folder.file("fused.npz#attentions"));
  ASSERT_FALSE(fused);
  EXPECT_EQ(fused.error().code, ErrorCode::not_defined) << fused.error().message.en;
  const Inspection other = look("fused.npz");
  EXPECT_TRUE(other.content);
  EXPECT_NE(other.notes.at(0).en.find("x is shown; attentions holds no numbers"), std::string::npos);
}

TEST_F(OpenedAttention, namedOnlyItHasNoNumbers) {
  folder.write("a.npy", npyBytes("(2, 2, 2)", causal));
  const Inspection named = look("a.npy", Tables::named);
  ASSERT_TRUE(named.content);
  EXPECT_TRUE(isMissing(named.content->attention));
  EXPECT_EQ(named.mask, look("a.npy").mask);
}

/// Of many maps only some rows are looked at; were they all of the first query, this would look causal.
TEST_F(OpenedAttention, theRowsLookedAtAreOfAllQueries) {
  constexpr std::size_t tokens = 8, maps = 8 * 1024;
  std::vector<double> values(maps * tokens * tokens, 1.0 / tokens);
  for (std::size_t map = 0; map < maps; ++map)
    for (std::size_t j = 0; j < tokens; ++j) values[map * tokens * tokens + j] = j == 0 ? 1 : 0;
  folder.write("a.npy", npyBytes("(8, 1024, 8, 8)", values));
  const Inspection named = look("a.npy", Tables::named);
  ASSERT_TRUE(named.content);
  EXPECT_FALSE(named.mask.causal);
}

TEST_F(OpenedAttention, takesThePlaceOfContentMaskAndSchemes) {
  Experiment before = startExperiment();
  before.content.label_file = "old.txt";
  before.content.seed = 7;
  const Experiment e = experimentOf(lookAt("(2, 2, 2)", causal), before);
  EXPECT_TRUE(checkExperiment(e));
  ASSERT_EQ(e.schemes.size(), 1U);
  EXPECT_EQ(e.schemes[0].id, "none");
  EXPECT_EQ(e.content.source, ContentSource::attention);
  EXPECT_EQ(e.content.seed, 7);
  EXPECT_TRUE(e.content.label_file.empty());
  EXPECT_EQ(e.shape.num_kv_heads, 0);
  EXPECT_EQ(e.shape.d_model, before.shape.d_model);
  // A table opened afterwards has sizes that the attention does not fit.
  EXPECT_EQ(experimentOf(lookAt("(3, 2)", {1, 2, 3, 4, 5, 6}), e).content.source, ContentSource::random);
}

/// A .safetensors of these arrays of one byte a number.
std::string bytesOf(const std::vector<std::pair<std::string, std::vector<std::int64_t>>>& arrays) {
  std::string header;
  std::int64_t end = 0;
  for (const auto& [name, shape] : arrays) {
    std::string sizes;
    std::int64_t count = 1;
    for (const std::int64_t size : shape) {
      sizes += join(sizes.empty() ? "" : ",", size);
      count *= size;
    }
    header += join(header.empty() ? "{" : ",", "\"", name, R"(":{"dtype":"U8","shape":[)", sizes,
                   R"(],"data_offsets":[)", end, ",", end + count, "]}");
    end += count;
  }
  return test::safetensorsBytes(header + "}", std::string(static_cast<std::size_t>(end), '\1'));
}

TEST_F(OpenedAttention, ofSeveralTensorsOneMustBeNamed) {
  const std::string file = folder.write("two.safetensors", bytesOf({{"layer0", {3, 2, 2}}, {"layer1", {3, 2, 2}}}));
  const Inspection two = look("two.safetensors");
  EXPECT_FALSE(two.content);
  ASSERT_FALSE(two.notes.empty());
  EXPECT_EQ(two.notes.back().en, file + ": one of its arrays must be named, as " + file +
                                     "#NAME; there are layer0 (3, 2, 2), layer1 (3, 2, 2)");
  EXPECT_NE(two.notes.back().zh.find("需要指明其中一个数组"), std::string::npos);
  EXPECT_TRUE(look("two.safetensors#layer1").content);
  // Lists beside them are the tokens' ids or the like.
  folder.write("one.safetensors", bytesOf({{"ids", {2}}, {"weights", {3, 2, 2}}}));
  EXPECT_TRUE(look("one.safetensors").content);
  // With a matrix it is a model.
  folder.write("conv.safetensors", bytesOf({{"conv.weight", {3, 2, 2}}, {"fc.weight", {4, 2}}}));
  EXPECT_NE(look("conv.safetensors").notes.back().en.find("no tensor carries position"), std::string::npos);
}

}  // namespace
}  // namespace posiscope::models
