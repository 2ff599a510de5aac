// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/attention_mask.h"

#include "core/files/attention_array.h"

#include <gtest/gtest.h>
#include <cmath>
#include <functional>

namespace posiscope::models {
namespace {

constexpr double none = -INFINITY;
using Rule = std::function<bool(std::int64_t map, std::int64_t i, std::int64_t j)>;

/// Logits of some maps, masked by `masked` wherever the rule does not let a query look.
Array logits(std::vector<std::int64_t> shape, const Rule& allowed, double masked = none, double added = 0) {
  const std::int64_t keys = shape.back(), queries = shape[shape.size() - 2];
  std::int64_t cells = 1;
  for (const std::int64_t size : shape) cells *= size;
  std::vector<double> values;
  for (std::int64_t c = 0; c < cells; ++c) {
    const double logit = 0.5 + static_cast<double>(c * 7 % 5);
    const bool seen = allowed(c / keys / queries, c / keys % queries, c % keys);
    values.push_back(seen ? logit : masked + added * logit);
  }
  return makeArray(std::move(shape), std::move(values), "dump.npy");
}
FoundMask found(const Array& array) {
  const auto attention = files::attentionOf(array);
  EXPECT_TRUE(attention);
  EXPECT_EQ(attention->kind, files::AttentionKind::logits);
  FoundMask mask = maskOf(*attention);
  for (const Text& text : mask.reasons) EXPECT_FALSE(text.zh.empty());
  for (const Text& text : mask.notes) EXPECT_FALSE(text.zh.empty());
  return mask;
}
std::string reasonOf(const FoundMask& found) { return found.reasons.size() == 1 ? found.reasons[0].en : ""; }

TEST(AttentionMask, aWindowIsFoundInLogits) {
  const auto back = [](auto, std::int64_t i, std::int64_t j) { return j <= i && i - j <= 2; };
  const FoundMask causal = found(logits({2, 8, 8}, back));
  Mask wanted;
  wanted.causal = true;
  wanted.window = 2;
  EXPECT_EQ(causal.mask, wanted);
  EXPECT_NE(reasonOf(causal).find("causal mask, window of 2 tokens"), std::string::npos) << reasonOf(causal);
  wanted.causal = false;
  const auto both = [](auto, std::int64_t i, std::int64_t j) { return std::abs(i - j) <= 2; };
  EXPECT_EQ(found(logits({1, 8, 8}, both)).mask, wanted);
}

TEST(AttentionMask, paddingIsFoundInLogits) {
  Mask wanted;
  wanted.padding = Mask::Padding::end;
  wanted.padded_keys = 5;
  const FoundMask end = found(logits({1, 8, 8}, [](auto, auto, std::int64_t j) { return j < 3; }));
  EXPECT_EQ(end.mask, wanted);
  EXPECT_NE(reasonOf(end).find("key padding (5 of 8)"), std::string::npos) << reasonOf(end);
  wanted.padding = Mask::Padding::start;
  wanted.padded_keys = 3;
  wanted.causal = true;
  const auto left = [](auto, std::int64_t i, std::int64_t j) { return j >= 3 && j <= i; };
  EXPECT_EQ(found(logits({1, 8, 8}, left)).mask, wanted) << "the first rows see nothing";
  Mask middle;
  middle.key_padding = {1, 0, 1, 1};
  EXPECT_EQ(found(logits({1, 4, 4}, [](auto, auto, std::int64_t j) { return j != 1; })).mask, middle);
  Mask queries;
  queries.padding = Mask::Padding::end;
  queries.padded_keys = queries.padded_queries = 1;
  EXPECT_EQ(found(logits({1, 4, 4}, [](auto, std::int64_t i, std::int64_t j) { return i < 3 && j < 3; })).mask,
            queries);
}

TEST(AttentionMask, whatHasNoNameIsBlockedCellByCell) {
  const auto allowed = [](auto, std::int64_t i, std::int64_t j) { return i != 2 || j != 0; };
  const FoundMask one = found(logits({1, 3, 3}, allowed));
  Mask wanted;
  wanted.blocked = {0, 0, 0, 0, 0, 0, 1, 0, 0};
  EXPECT_EQ(one.mask, wanted);
  EXPECT_NE(reasonOf(one).find("1 of 9 cells"), std::string::npos) << reasonOf(one);
}

TEST(AttentionMask, whatOnlySomeMapsMaskIsTold) {
  const auto allowed = [](std::int64_t map, std::int64_t i, std::int64_t j) {
    return j <= i && (map == 0 || i - j < 2);
  };
  const FoundMask mixed = found(logits({2, 1, 4, 4}, allowed));
  Mask wanted;
  wanted.causal = true;
  EXPECT_EQ(mixed.mask, wanted);
  ASSERT_EQ(mixed.notes.size(), 1U);
  EXPECT_EQ(mixed.notes[0].en.rfind("1 of 2 maps mask more keys", 0), 0U) << mixed.notes[0].en;
}

TEST(AttentionMask, addedMasksAreFoundWhateverTheyAreAddedTo) {
  const auto causal = [](auto, std::int64_t i, std::int64_t j) { return j <= i; };
  for (const double masked : {-1e4, -65504.0, -65504.0 / 2, -1e9, -3.4e38}) {
    const FoundMask mask = found(logits({1, 4, 4}, causal, masked, 1));
    EXPECT_TRUE(mask.mask.causal) << masked;
    EXPECT_EQ(reasonOf(mask).find("cells"), std::string::npos);
  }
}

/// A bias that grows with the distance passes every limit, but leaves no gap.
TEST(AttentionMask, logitsThatFallOffSteadilyAreNotMasked) {
  std::vector<double> values;
  for (int i = 0; i < 32; ++i)
    for (int j = 0; j < 32; ++j) values.push_back(-400.0 * std::abs(i - j));
  const FoundMask mask = found(makeArray({1, 32, 32}, std::move(values), "dump.npy"));
  EXPECT_EQ(mask.mask, Mask{});
  EXPECT_TRUE(mask.reasons.empty());
}

/// Of a file of any size only some rows are looked at: one map of it need not fit into memory.
TEST(AttentionMask, someRowsTellOnlyThatNothingIsAhead) {
  SeenRows seen;
  seen.rows = makeArray({1, 4}, {1, 2, 3, none}, "dump.npy");
  seen.index = {2};
  EXPECT_TRUE(maskOf({1, 4, 4}, seen, files::AttentionKind::logits).mask.causal);
  EXPECT_EQ(maskOf({1, 4, 4}, seen, files::AttentionKind::logits).reasons.size(), 1U);
  seen.index = {1};
  EXPECT_FALSE(maskOf({1, 4, 4}, seen, files::AttentionKind::logits).mask.causal) << "key 2 is ahead";
}

TEST(AttentionMask, zeroWeightsMakeNoWindow) {
  const auto weights = files::attentionOf(makeArray({3, 3}, {1, 0, 0, 0, 1, 0, 0, 0, 1}, "dump.npy"));
  Mask wanted;
  wanted.causal = true;
  EXPECT_EQ(maskOf(*weights).mask, wanted) << "the weight of a key that was seen may be 0";
}

}  // namespace
}  // namespace posiscope::models
