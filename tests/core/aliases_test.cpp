// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/aliases.h"

#include "core/schemes/list.h"

#include <gtest/gtest.h>
#include <tuple>

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

/// Every other name in the vocabulary of the project, with the values that it stands for.
TEST(Aliases, theWholeVocabularyOfSchemes) {
  const auto text = [](const char* word) { return Value(std::string(word)); };
  const std::tuple<const char*, const char*, ParamValues> names[] = {
      {"nope", "none", {}},
      {"sin", "sinusoidal", {}},
      {"absolute", "learned", {}},
      {"rope_half", "rope", {{"pairing", text("half")}}},
      {"rope_interleaved", "rope", {{"pairing", text("interleaved")}}},
      {"rope_partial", "rope", {{"pairing", text("half")}}},
      {"rope_scaled", "rope", {{"pairing", text("half")}}},
      {"rope_multi", "rope", {}},
      {"rope_dual", "rope", {{"dual", true}}},
      {"rope_proportional", "rope", {{"pairing", text("half")}, {"scaling", text("proportional")}, {"factor", 1.0}}},
      {"rotary", "rope", {}},
      {"rope2d", "rope_2d", {}},
      {"mla", "rope_decoupled", {}},
      {"sincos2d", "sinusoidal_2d", {}},
      {"sin2d", "sinusoidal_2d", {}},
      {"sincos_nd", "sinusoidal_nd", {}},
      {"learned2d", "learned_2d", {}},
      {"t5", "t5_log", {}},
      {"txl", "transformer_xl", {}},
      {"kerple_log", "kerple", {{"form", text("log")}}},
      {"kerple_power", "kerple", {{"form", text("power")}}},
      {"peg", "conditional", {}},
      {"cpe", "conditional", {}},
  };
  for (const auto& [other, id, values] : names) {
    const auto resolved = resolveScheme(other);
    ASSERT_TRUE(resolved) << other;
    EXPECT_EQ(resolved->id, id) << other;
    EXPECT_EQ(resolved->values, values) << other;
  }
}

TEST(Aliases, theWholeVocabularyOfParameters) {
  const std::tuple<const char*, const char*, const char*> names[] = {
      {"sinusoidal", "layout", "columns"},
      {"sinusoidal", "freq", "frequencies"},
      {"rope", "layout", "pairing"},
      {"rope", "pair_layout", "pairing"},
      {"rope", "rotary_pct", "rotary_share"},
      {"rope", "partial_rotary_factor", "rotary_share"},
      {"rope", "share", "rotary_share"},
      {"rope", "rope_type", "scaling"},
      {"rope", "original_max_position", "original_length"},
      {"rope", "original_max_position_embeddings", "original_length"},
      {"rope", "max_position", "max_length"},
      {"rope", "max_position_embeddings", "max_length"},
      {"rope", "rope_theta", "base"},
      {"rope", "theta", "base"},
      {"t5_simple", "max_relative_position", "max_distance"},
      {"shaw", "max_relative_position", "max_distance"},
      {"t5_simple", "max_relative_distance", "max_distance"},
      {"hybrid", "max_relative_distance", "max_distance"},
      {"deberta", "att_span", "max_distance"},
      {"fire", "L_threshold", "threshold_length"},
      {"cope", "npos_max", "npos"},
      {"dynamic", "window", "context_window"},
      // A scheme's own parameter of that name stays what it is.
      {"swin", "window", "window"},
      {"layer_pattern", "window", "window"},
  };
  for (const auto& [scheme, other, key] : names) {
    EXPECT_EQ(resolveParam(scheme, other), key) << scheme << ", " << other;
    EXPECT_TRUE(findParam(schemes::find(scheme)->params, key)) << scheme << ", " << key;
  }
  EXPECT_EQ(resolveWord("rope", "scaling", "su"), "longrope");
  EXPECT_EQ(parsed("cope,npos_max=24"), "cope npos=24");
  EXPECT_EQ(parsed("dynamic,window=5"), "dynamic context_window=5");
}

TEST(Aliases, otherNamesOfSizes) {
  for (const auto& [other, key] : {std::pair{"heads", "num_heads"},
                                   {"hidden_size", "d_model"},
                                   {"num_key_value_heads", "num_kv_heads"},
                                   {"head_dim", "head_dim"},
                                   {"h", "grid_height"},
                                   {"w", "grid_width"},
                                   {"position_start", "first_position"},
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
  EXPECT_EQ(parsed("rope_proportional,scaling=linear"), "rope pairing=half scaling=linear");
  EXPECT_EQ(parsed("rope_proportional,scaling=linear,factor=1"), "rope factor=1 pairing=half scaling=linear");
  EXPECT_EQ(parsed("rope_decoupled,scaling=proportional"), "rope_decoupled factor=1 scaling=proportional");
}

TEST(ParseScheme, aValueInQuotesIsOnePiece) {
  EXPECT_EQ(parsed("own,formula='pos,i',kind=bias"), "own formula=pos,i kind=bias");
  EXPECT_EQ(parsed("own,formula=\"pos,i\""), "own formula=pos,i");
  EXPECT_EQ(parsed("own,formula='pos,i"), "own: expected key=value, got 'i'") << "a quote that does not end";
}

TEST(ParseScheme, aChoiceThatOtherFilesWriteAsTrueOrFalse) {
  EXPECT_EQ(parsed("rope,rope_interleaved=false"), "rope pairing=half");
  EXPECT_EQ(parsed("rope_half,rope_interleaved=true"), "rope pairing=interleaved");
}

TEST(ParseScheme, segmentsAsOtherProgramsListThem) {
  EXPECT_EQ(parsed(R"(mrope,segments='[["text",1],["image",1,2,3]]')"), "mrope segments=[1,0,0,1,2,3]");
  EXPECT_EQ(parsed(R"(mrope,segments=[["text",2]])"), "mrope segments=[2,0,0]");
  EXPECT_EQ(parsed("mrope,segments=[2,0,0]"), "mrope segments=[2,0,0]");
  EXPECT_EQ(parsed(R"(mrope,segments=[["text",1,2]])").substr(0, 6), "mrope:");
}

TEST(ParseScheme, ministralStepsAfterItsOwnLength) {
  EXPECT_EQ(parsed("query_scale,kind=ministral3"), "query_scale floor_scale=16384 kind=ministral3");
  EXPECT_EQ(parsed("query_scale,kind=ministral3,floor_scale=4"), "query_scale floor_scale=4 kind=ministral3");
  EXPECT_EQ(parsed("query_scale,kind=llama4"), "query_scale kind=llama4");
}

TEST(ParseScheme, refusesInFullSentences) {
  EXPECT_EQ(parsed("rope,base"), "rope: expected key=value, got 'base'");
  EXPECT_EQ(parsed("rope,base=abc"), "rope: base must be a number, got 'abc'");
  EXPECT_EQ(parsed("rope,base=0"), "rope: base must be 1e-06 to 1e+12, got 0");
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
