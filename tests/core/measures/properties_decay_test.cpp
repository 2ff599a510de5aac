// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Whether scores decay is asked as far as the question goes, and not of queries that are scaled differently.
#include "core/schemes/list.h"
#include "tests/support/card_line.h"

#include <gtest/gtest.h>

#include <string>

namespace posiscope {
namespace {

using enum Property::Answer;
using test::property;
using test::says;

Question question(const std::string& scheme, std::int64_t seq_len, ParamValues values = {}) {
  Question q = test::questionOf("properties", scheme, std::move(values), seq_len);
  q.shape.num_heads = 1;
  q.shape.head_dim = q.shape.d_model = 64;
  return q;
}

TEST(PropertiesOfDecay, aTableThatTurnsSlowlyRisesAllTheSame) {
  Question q = question("sinusoidal", 512);
  q.shape.d_model = 1024;
  EXPECT_EQ(property(q, "monotone_decay").answer, no);
  EXPECT_EQ(property(q, "first_rise").value, 68);
  q = question("layerwise", 1024);
  q.shape.d_model = 1024;
  EXPECT_EQ(property(q, "monotone_decay").answer, no);
  Question wave = question("own", 2000,
                           {{"kind", std::string("table")}, {"formula", std::string("cos(pos/50+i*1.5707963)")}});
  wave.shape.d_model = wave.shape.head_dim = 2;
  EXPECT_EQ(property(wave, "first_rise").value, 157);
}

TEST(PropertiesOfDecay, aJumpAtABorderIsFoundAtEveryLength) {
  for (const std::int64_t length : {301, 512, 513}) {
    const ParamValues segments{{"keep", std::string("same_segment")}, {"boundary_every", 100.0}};
    const Property sparse = property(question("sparse", length, segments), "monotone_decay");
    EXPECT_EQ(sparse.answer, no) << length;
    EXPECT_TRUE(says(sparse, " 64 of ")) << sparse.sentence.en;
  }
  Question slow = question("self_extend", 300);
  slow.shape.head_dim = 1024;
  EXPECT_EQ(property(slow, "first_rise").value, 68) << "as plain RoPE inside its window";
}

TEST(PropertiesOfDecay, queriesOfAnotherScaleAreNoRise) {
  for (const std::int64_t length : {48, 300, 512, 600})
    EXPECT_EQ(property(question("query_scale", length, {{"floor_scale", 4.0}, {"attn_scale", 1.0}}), "monotone_decay")
                  .word.en,
              "constant")
        << length;
  EXPECT_EQ(property(question("query_scale", 64, {{"kind", std::string("ministral3")}, {"floor_scale", 16.0}}),
                     "monotone_decay")
                .word.en,
            "constant");
}

}  // namespace
}  // namespace posiscope
