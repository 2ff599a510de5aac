// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/aliases.h"

#include "core/schemes/list.h"

#include <gtest/gtest.h>

namespace posiscope {
namespace {

Expected<Array> threeNumbers(const std::string& path) {
  if (path != "three.npy") return fail(ErrorCode::file_missing, path + " is not there");
  return makeArray({3, 1}, {0, 1, 1}, path);
}

/// The scheme and its values in one line, or the sentence of the refusal.
std::string parsed(std::string_view text) {
  const Expected<SchemeChoice> choice = parseScheme(text, threeNumbers);
  if (!choice) return choice.error().message.en;
  std::string line = choice->id;
  for (const auto& [key, value] : choice->values) line += " " + key + "=" + valueText(value);
  return line;
}

TEST(Aliases, otherNamesOfSchemes) {
  for (const auto& [other, id] : {std::pair{"nope", "none"},
                                  {"sin", "sinusoidal"},
                                  {"absolute", "learned"},
                                  {"rotary", "rope"},
                                  {"t5", "t5_log"},
                                  {"alibi", "alibi"}})
    EXPECT_EQ(resolveScheme(other).value().id, id);
  EXPECT_EQ(resolveScheme("rope_half").value().values.at("pairing"), Value(std::string("half")));
  EXPECT_TRUE(resolveScheme("rope").value().values.empty());
  const auto unknown = resolveScheme("ropee");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::unknown_name);
  EXPECT_TRUE(unknown.error().message.en.starts_with(
      "there is no scheme 'ropee'; did you mean rope? Known: none, sinusoidal, "))
      << unknown.error().message.en;
  for (const Scheme& scheme : schemes::catalogue())
    EXPECT_NE(unknown.error().message.en.find(scheme.id()), std::string::npos) << scheme.id();
}

TEST(Aliases, otherNamesOfParameters) {
  for (const auto& [scheme, other, key] : {std::tuple{"rope", "rope_theta", "base"},
                                           {"rope", "theta", "base"},
                                           {"rope", "rope_type", "scaling"},
                                           {"rope", "layout", "pairing"},
                                           {"rope", "rotary_pct", "rotary_share"},
                                           {"rope", "partial_rotary_factor", "rotary_share"},
                                           {"rope", "original_max_position", "original_length"},
                                           {"rope", "original_max_position_embeddings", "original_length"},
                                           {"rope", "max_position", "max_length"},
                                           {"sinusoidal", "layout", "columns"},
                                           {"sinusoidal", "freq", "frequencies"},
                                           {"t5_simple", "max_relative_position", "max_distance"},
                                           {"alibi", "alibi_bias_max", "max_bias"}})
    EXPECT_EQ(resolveParam(scheme, other), key) << scheme;
  EXPECT_EQ(resolveParam("rope", "base"), "base");
  EXPECT_EQ(resolveParam("alibi", "rope_theta"), "rope_theta");
  EXPECT_EQ(resolveParam("alibi", "max_relative_position"), "max_relative_position");
}

TEST(Aliases, otherNamesOfSizes) {
  for (const auto& [other, key] : {std::pair{"heads", "num_heads"},
                                   {"hidden_size", "d_model"},
                                   {"num_key_value_heads", "num_kv_heads"},
                                   {"head_dim", "head_dim"},
                                   {"twist", "twist"}})
    EXPECT_EQ(resolveShapeParam(other), key);
}

TEST(Aliases, everyTranslatedWordOfOurSchemesIsAChoice) {
  for (const auto& [scheme, key, other] : {std::tuple{"sinusoidal", "columns", "concat"},
                                           {"sinusoidal", "frequencies", "vaswani"},
                                           {"rope", "pairing", "rotate_half"},
                                           {"rope", "pairing", "adjacent"},
                                           {"rope", "scaling", "default"}}) {
    const ParamSpec* spec = findParam(schemes::find(scheme)->params, key);
    ASSERT_TRUE(spec);
    EXPECT_TRUE(checkValue(scheme, *spec, resolveWord(scheme, key, other))) << other;
    EXPECT_FALSE(checkValue(scheme, *spec, std::string(other))) << other;
  }
}

TEST(ParseScheme, readsNumbersWordsListsAndFiles) {
  EXPECT_EQ(parsed("none"), "none");
  EXPECT_EQ(parsed("rope,base=500000,pairing=half"), "rope base=500000 pairing=half");
  EXPECT_EQ(parsed("rope_half,rope_theta=500000,rope_type=yarn,factor=8"),
            "rope base=500000 factor=8 pairing=half scaling=yarn");
  EXPECT_EQ(parsed("sin,layout=concat,freq=vaswani"), "sinusoidal columns=concatenated frequencies=paper");
  EXPECT_EQ(parsed("rope,truncate=false"), "rope truncate=false");
  EXPECT_EQ(parsed("alibi,form=key_only,key_padding=[0,1,1],max_bias=4"),
            "alibi form=key_only key_padding=[0,1,1] max_bias=4");
  EXPECT_EQ(parsed("alibi,key_padding='[0,1,1]'"), "alibi key_padding=[0,1,1]");
  EXPECT_EQ(parsed("alibi,key_padding=@three.npy"), "alibi key_padding=[0,1,1]");
  EXPECT_EQ(parsed("learned,table=@three.npy,initial=file"), "learned initial=file table=@three.npy");
}

TEST(ParseScheme, proportionalScalingDividesByOneUnlessSaid) {
  EXPECT_EQ(parsed("rope,scaling=proportional,rotary_share=0.25"),
            "rope factor=1 rotary_share=0.25 scaling=proportional");
  EXPECT_EQ(parsed("rope,factor=2,rope_type=proportional"), "rope factor=2 scaling=proportional");
  EXPECT_EQ(parsed("rope_proportional"), "rope factor=1 pairing=half scaling=proportional");
  EXPECT_EQ(parsed("rope_proportional,scaling=linear,factor=3"), "rope factor=3 pairing=half scaling=linear");
}

TEST(ParseScheme, refusesInFullSentences) {
  EXPECT_EQ(parsed("rope,base"), "rope: expected key=value, got 'base'");
  EXPECT_EQ(parsed("rope,base=abc"), "rope: base must be a number, got 'abc'");
  EXPECT_EQ(parsed("rope,base=0"), "rope: base must be 1e-06 to 1e+09, got 0");
  EXPECT_EQ(parsed("alibi,base=1"), "alibi: there is no parameter 'base'; known: form, slopes, max_bias, key_padding");
  EXPECT_TRUE(parsed("rope,bsae=1").starts_with("rope: there is no parameter 'bsae'; did you mean base? Known: "))
      << parsed("rope,bsae=1");
  EXPECT_EQ(parsed("none,base=1"), "none: there is no parameter 'base'; known: none");
  EXPECT_EQ(parsed("learned,table=@gone.npy"), "gone.npy is not there");
  EXPECT_EQ(parsed("alibi,form=steep"), "alibi: form must be one of symmetric, signed, key_only, mpt, got 'steep'");
  EXPECT_EQ(parsed("").substr(0, 20), "there is no scheme '");
  EXPECT_EQ(parsed("rope,base=100,base=200"), "rope: base is given twice, the second time as 'base=200'");
  EXPECT_EQ(parsed("rope,base=100,rope_theta=200"), "rope: base is given twice, the second time as 'rope_theta=200'");
  EXPECT_EQ(parsed("rope_half,pairing=interleaved"), "rope pairing=interleaved");  // said by the name, changed once
  EXPECT_EQ(parsed("rope,base=1e400"), "rope: base must be a number, got '1e400'");
}

}  // namespace
}  // namespace posiscope
