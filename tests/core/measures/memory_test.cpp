// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The memory limit is for all that one question holds at once, not for each array of it.
#include "core/measures/list.h"

#include <gtest/gtest.h>

namespace posiscope::measures {
namespace {

/// Arrays of this shape: q, k and v take 4·40·16 floats each, a map of one head 40·40, a table 40·32.
Question question(const char* measure, const char* scheme) {
  Question q;
  q.measure = measure;
  q.scheme.id = scheme;
  q.shape.seq_len = 40;
  q.shape.d_model = 32;
  q.shape.num_heads = 4;
  q.shape.head_dim = 16;
  return q;
}

/// So many floats are enough, and a byte less is refused.
void expectNeeds(double floats, const Question& q, const std::string& part) {
  const double before = memoryLimit();
  setMemoryLimit(4 * floats);
  const Expected<Dataset> enough = find(q.measure)->compute(q, Job{});
  setMemoryLimit(4 * floats - 1);
  const Expected<Dataset> little = find(q.measure)->compute(q, Job{});
  setMemoryLimit(before);
  EXPECT_TRUE(enough) << enough.error().message.en;
  ASSERT_FALSE(little) << q.measure;
  EXPECT_EQ(little.error().code, ErrorCode::too_large);
  EXPECT_NE(little.error().message.en.find(part), std::string::npos) << little.error().message.en;
  EXPECT_FALSE(little.error().message.zh.empty());
}

constexpr double rows = 4 * 40 * 16;
constexpr double map = 40 * 40;
constexpr double table = 40 * 32;

TEST(MemoryLimit, countsContentAndTurnedRowsBesideTheWeights) {
  expectNeeds(3 * rows + 4 * map, question("attention_weights", "none"), "attention: the weights and what they");
  expectNeeds(3 * rows + 2 * rows + 4 * map, question("attention_weights", "rope"), "attention: the weights and what");
}

TEST(MemoryLimit, countsTheTableAndTheProjectionsOfTheEmbeddings) {
  constexpr double weights = 3 * 64 * 32;
  // The table, x, x with the table, the projections, the queries and keys made of them, the maps.
  expectNeeds(3 * table + weights + 2 * rows + 4 * map, question("attention_weights", "sinusoidal"),
              "attention: the w");
}

TEST(MemoryLimit, countsTheContentBesideTheTerms) {
  expectNeeds(3 * rows + 2 * map, question("score_terms", "none"), "score_terms: the terms");
}

TEST(MemoryLimit, countsTheTableBesideTheWords) {
  Question q = question("norm_ratio", "sinusoidal");
  q.options["words"] = std::string("sample");
  expectNeeds(2 * table, q, "norm_ratio: words and positions");
}

}  // namespace
}  // namespace posiscope::measures
