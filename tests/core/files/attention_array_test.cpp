// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/attention_array.h"
#include "core/files/npz.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/zip_bytes.h"

#include <gtest/gtest.h>
#include <cmath>

namespace posiscope::files {
namespace {

using test::npyBytes;
using test::zipBytes;
using test::ZipWay;

class AttentionFile : public testing::Test {
 protected:
  AttentionArray read(const std::string& name, const std::vector<AttentionAxis>& axes = {}) const {
    const auto found = readAttention(folder.file(name), axes);
    EXPECT_TRUE(found) << (found ? "" : found.error().message.en);
    return found ? *found : AttentionArray{makeArray({1, 1, 1, 1, 1}, {0}), {}, {}, {}};
  }
  ErrorCode refusal(const std::string& name, const std::vector<AttentionAxis>& axes = {}) const {
    const auto found = readAttention(folder.file(name), axes);
    EXPECT_FALSE(found) << name;
    if (found) return ErrorCode::cancelled;
    EXPECT_FALSE(found.error().message.zh.empty()) << found.error().message.en;
    return found.error().code;
  }

  test::TemporaryFolder folder;
  const std::vector<double> two_heads{1, 0, 0.25, 0.75, 1, 0, 0.5, 0.5};
};

TEST_F(AttentionFile, archivesAreReadStoredAndDeflated) {
  for (const ZipWay way : {ZipWay::stored, ZipWay::deflated}) {
    folder.write("a.npz", zipBytes({{"ids.npy", npyBytes("(3,)", {1, 2, 3})},
                                    {"attentions.npy", npyBytes("(2, 2, 2)", two_heads)}},
                                   way));
    const AttentionArray a = read("a.npz");
    EXPECT_EQ(a.array.shape, (std::vector<std::int64_t>{1, 1, 2, 2, 2}));
    EXPECT_EQ(*a.array.values, two_heads);
    EXPECT_EQ(a.kind, AttentionKind::weights);
    EXPECT_EQ(a.array.source, folder.file("a.npz#attentions"));
    EXPECT_EQ(read("a.npz#attentions").array.values->size(), 8u);
    const auto entries = describeNpz(folder.file("a.npz"));
    ASSERT_TRUE(entries);
    ASSERT_EQ(entries->size(), 2u);
    EXPECT_EQ(entries->at(1).name, "attentions");
    EXPECT_EQ(entries->at(1).shape, (std::vector<std::int64_t>{2, 2, 2}));
    EXPECT_EQ(attentionCandidates(folder.file("a.npz"))->size(), 1u) << "ids have one dimension";
  }
}

TEST_F(AttentionFile, oneOfSeveralMustBeNamed) {
  folder.write("a.npz", zipBytes({{"first.npy", npyBytes("(2, 2)", {1, 0, 0.5, 0.5})},
                                  {"second.npy", npyBytes("(2, 2)", {1, 0, 0.25, 0.75})}},
                                 ZipWay::stored));
  EXPECT_EQ(refusal("a.npz"), ErrorCode::unknown_name);
  EXPECT_EQ(refusal("a.npz#third"), ErrorCode::unknown_name);
  EXPECT_EQ(read("a.npz#second").array.data()[3], 0.75);
}

// F06: fused kernels build no matrix.
TEST_F(AttentionFile, whatAFusedKernelLeavesIsTold) {
  folder.write("empty.npz", zipBytes({{"attentions.npy", npyBytes("(0,)", {})}}, ZipWay::stored));
  folder.write("none.npz", zipBytes({{"attentions.npy", npyBytes("()", {0}, "|O")}}, ZipWay::stored));
  for (const char* path : {"empty.npz", "empty.npz#attentions", "none.npz", "none.npz#attentions"}) {
    EXPECT_EQ(refusal(path), ErrorCode::not_defined);
    EXPECT_NE(readAttention(folder.file(path)).error().message.en.find("eager"), std::string::npos);
    EXPECT_NE(readStoredAttention(folder.file(path)).error().message.en.find("eager"), std::string::npos);
  }
}

TEST_F(AttentionFile, theAxesCanBeNamed) {
  // [query, key, head], as one might transpose it
  folder.write("t.npy", npyBytes("(2, 2, 2)", {1, 1, 0, 0, 0.25, 0.5, 0.75, 0.5}));
  using enum AttentionAxis;
  const AttentionArray a = read("t.npy", {query, key, head});
  EXPECT_EQ(*a.array.values, two_heads);
  EXPECT_EQ(a.kind, AttentionKind::weights);
  EXPECT_EQ(read("t.npy").kind, AttentionKind::logits) << "in the usual order its rows sum to anything";
  EXPECT_EQ(refusal("t.npy", {query, key}), ErrorCode::bad_shape);
  EXPECT_EQ(refusal("t.npy", {query, query, key}), ErrorCode::bad_shape);
  EXPECT_EQ(refusal("t.npy", {batch, layer, key}), ErrorCode::bad_shape);
  folder.write("five.npy", npyBytes("(1, 1, 2, 2, 2)", two_heads));
  EXPECT_EQ(*read("five.npy").array.values, two_heads);
  folder.write("six.npy", npyBytes("(1, 1, 1, 2, 2, 2)", two_heads));
  EXPECT_EQ(refusal("six.npy"), ErrorCode::bad_shape);
  folder.write("line.npy", npyBytes("(2,)", {1, 0}));
  EXPECT_EQ(refusal("line.npy"), ErrorCode::bad_shape);
}

TEST_F(AttentionFile, axesAreNamedByWords) {
  using enum AttentionAxis;
  EXPECT_EQ(*parseAxes("query, key ,head"), (std::vector<AttentionAxis>{query, key, head}));
  EXPECT_TRUE(parseAxes("")->empty());
  EXPECT_EQ(parseAxes("head,queries,key").error().code, ErrorCode::bad_value);
  EXPECT_NE(parseAxes("head,queries,key").error().message.en.find("'queries'"), std::string::npos);
}

TEST_F(AttentionFile, anyArrayOfAnArchiveCanBeRead) {
  folder.write("one.npz", zipBytes({{"table.npy", npyBytes("(2, 1)", {1, 2})}}, ZipWay::deflated));
  EXPECT_EQ(*readArray(folder.file("one.npz"))->values, (std::vector<double>{1, 2}));
  EXPECT_EQ(describeArray(folder.file("one.npz#table"))->shape, (std::vector<std::int64_t>{2, 1}));
  folder.write("two.npz",
               zipBytes({{"a.npy", npyBytes("(1,)", {3})}, {"b.npy", npyBytes("(1,)", {4})}}, ZipWay::stored));
  EXPECT_EQ(readArray(folder.file("two.npz")).error().code, ErrorCode::unknown_name);
  EXPECT_EQ(readArray(folder.file("two.npz#c")).error().code, ErrorCode::unknown_name);
  EXPECT_EQ(tensorsToChooseFrom({}, folder.file("two.npz")).size(), 2U);
  EXPECT_EQ(readArrayInPlaceOf("gone.npz#b", folder.file("two.npz"))->source, folder.file("two.npz#b"));
}

TEST_F(AttentionFile, crossAttentionNeedNotBeSquare) {
  folder.write("cross.npy", npyBytes("(1, 2, 4)", {0.25, 0.25, 0.25, 0.25, 1, 0, 0, 0}));
  const AttentionArray a = read("cross.npy");
  EXPECT_EQ(a.queries(), 2);
  EXPECT_EQ(a.keys(), 4);
  EXPECT_EQ(a.kind, AttentionKind::weights);
}

TEST_F(AttentionFile, logitsBecomeWeights) {
  // The causal mask as stored −∞, and three equal logits: rows 1 0 0, 1/2 1/2 0, 1/3 1/3 1/3.
  folder.write("zeros.npy", npyBytes("(3, 3)", {0, -INFINITY, -INFINITY, 0, 0, -INFINITY, 0, 0, 0}));
  const AttentionArray a = read("zeros.npy");
  EXPECT_EQ(a.kind, AttentionKind::logits);
  const std::vector<double> wanted{1, 0, 0, 0.5, 0.5, 0, 1.0 / 3, 1.0 / 3, 1.0 / 3};
  const Array weights = weightsOf(a);
  for (std::size_t e = 0; e < wanted.size(); ++e) EXPECT_NEAR(weights.data()[e], wanted[e], 1e-15) << e;
}

TEST_F(AttentionFile, aRowWithNothingToAttendToIsEmptyNotNaN) {
  folder.write("masked.npy", npyBytes("(2, 2)", {-INFINITY, -INFINITY, 1, 3}));
  AttentionArray a = read("masked.npy");
  EXPECT_EQ(a.kind, AttentionKind::logits);
  EXPECT_EQ(a.empty_rows, 1);
  EXPECT_EQ(weightsOf(a).data()[0], 0.0);
  EXPECT_EQ(weightsOf(a).data()[1], 0.0);
  EXPECT_NEAR(weightsOf(a).data()[3], 1 / (1 + std::exp(-2.0)), 1e-15);
  // Another program's softmax of such a row is 0/0.
  folder.write("nan.npy", npyBytes("(2, 2)", {NAN, NAN, 0.25, 0.75}));
  a = read("nan.npy");
  EXPECT_EQ(a.kind, AttentionKind::weights);
  EXPECT_EQ(a.empty_rows, 1);
  EXPECT_EQ(*weightsOf(a).values, (std::vector<double>{0, 0, 0.25, 0.75}));
}

TEST_F(AttentionFile, aNumberThatWasLostDoesNotMakeLogitsOfWeights) {
  folder.write("lost.npy", npyBytes("(3, 2)", {1, 0, 0.5, NAN, 0.25, 0.75}));
  const AttentionArray weights = read("lost.npy");
  EXPECT_EQ(weights.kind, AttentionKind::weights) << weights.reason.en;
  EXPECT_EQ(weights.damaged_rows, 1);
  EXPECT_EQ(weights.empty_rows, 0);
  EXPECT_EQ(weightsOf(weights).data()[2], 0.5);
  EXPECT_TRUE(std::isnan(weightsOf(weights).data()[3]));
  folder.write("logits.npy", npyBytes("(3, 2)", {4, 0, 3, NAN, INFINITY, 0}));
  const AttentionArray logits = read("logits.npy");
  EXPECT_EQ(logits.kind, AttentionKind::logits);
  EXPECT_EQ(logits.damaged_rows, 1);
  for (std::int64_t e = 2; e < 6; ++e) EXPECT_TRUE(std::isnan(weightsOf(logits).data()[e])) << e;
}

TEST_F(AttentionFile, zerosAloneAreWeightsOfNothing) {
  folder.write("zeros.npy", npyBytes("(1, 2, 2)", {0, 0, 0, 0}));
  const AttentionArray zeros = read("zeros.npy");
  EXPECT_EQ(zeros.kind, AttentionKind::weights);
  EXPECT_EQ(zeros.reason.en, "weights: 2 rows are 0 everywhere, as where every key is masked");
  EXPECT_EQ(*weightsOf(zeros).values, (std::vector<double>{0, 0, 0, 0}));
  folder.write("nothing.npy", npyBytes("(1, 2, 2)", {-INFINITY, -INFINITY, -INFINITY, -INFINITY}));
  EXPECT_EQ(read("nothing.npy").kind, AttentionKind::logits);
  EXPECT_EQ(read("nothing.npy").reason.en.find("0 of 0"), std::string::npos) << read("nothing.npy").reason.en;
}

TEST_F(AttentionFile, weightsThatDoNotSumToOneAreHintedAt) {
  folder.write("crop.npy", npyBytes("(2, 2)", {1, 0, 0.25, 0.25}));
  const AttentionArray crop = read("crop.npy");
  EXPECT_EQ(crop.kind, AttentionKind::logits);
  EXPECT_TRUE(crop.may_be_cropped);
  EXPECT_NE(crop.reason.en.find("1 of 2 rows do not sum to 1; all numbers lie between 0 and 1"), std::string::npos)
      << crop.reason.en;
  folder.write("logits.npy", npyBytes("(2, 2)", {1, 0, 0.25, 1.5}));
  EXPECT_FALSE(read("logits.npy").may_be_cropped);
}

}  // namespace
}  // namespace posiscope::files
