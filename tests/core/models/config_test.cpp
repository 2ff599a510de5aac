// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/config.h"

#include "core/schemes/list.h"
#include "tests/core/models/read_config.h"

#include <gtest/gtest.h>
#include <algorithm>

namespace posiscope::models {
namespace {

using Text_ = std::string;

SchemeChoice choice(const std::string& id, ParamValues values) { return {id, std::move(values), "", 0, true}; }

/// The one scheme, which our own scheme accepts for this shape.
SchemeChoice only(const Inspection& inspection) {
  EXPECT_EQ(inspection.schemes.size(), 1u) << all(inspection.notes);
  if (inspection.schemes.empty()) return {};
  const Scheme* scheme = schemes::find(inspection.schemes[0].id);
  const Outcome ok = scheme->check(inspection.schemes[0].values, inspection.shape);
  EXPECT_TRUE(ok) << (ok ? "" : ok.error().message.en);
  return inspection.schemes[0];
}

const ParamValues half{{"pairing", Text_("half")}};

ParamValues halfWith(ParamValues values) {
  values.insert(half.begin(), half.end());
  return values;
}

TEST(Config, llama31SaysWhy) {
  const Inspection i =
      read(R"({"model_type":"llama","hidden_size":4096,"num_attention_heads":32,"num_key_value_heads":8,
    "num_hidden_layers":32,"max_position_embeddings":131072,"rope_theta":500000.0,"head_dim":null,
    "rope_scaling":{"rope_type":"llama3","factor":8.0,"low_freq_factor":1.0,"high_freq_factor":4.0,"original_max_position_embeddings":8192}})");
  EXPECT_EQ(
      only(i),
      choice("rope",
             halfWith({{"base", 5e5}, {"scaling", Text_("llama3")}, {"factor", 8.0}, {"original_length", 8192.0}})));
  Shape shape;
  shape.seq_len = 131072;
  shape.d_model = 4096;
  shape.num_heads = 32;
  shape.num_kv_heads = 8;
  shape.head_dim = 128;
  shape.num_layers = 32;
  EXPECT_EQ(i.shape, shape);
  EXPECT_EQ(i.train_length, 8192);
  EXPECT_TRUE(i.mask.causal);
  EXPECT_TRUE(i.notes.empty()) << all(i.notes);
  EXPECT_EQ(i.reasons.at(0).en,
            "model_type llama → rotary, half-split pairs; base 500000 from rope_theta; factor 8 from "
            "rope_scaling.factor; scaling llama3 from "
            "rope_scaling.rope_type; original_length 8192 from rope_scaling.original_max_position_embeddings; "
            "low_freq_factor 1 from "
            "rope_scaling.low_freq_factor; high_freq_factor 4 from rope_scaling.high_freq_factor");
  EXPECT_TRUE(has(i.reasons, "d_model 4096 from hidden_size"));
  EXPECT_TRUE(has(i.reasons, "head_dim 128 = d_model / num_heads"));
}

TEST(Config, aReasonIsTrueWhereAValueWasRefusedOrRounded) {
  const auto rounded = read(R"({"model_type":"llama","hidden_size":65,"num_attention_heads":8,"rope_theta":-5})");
  EXPECT_EQ(rounded.shape.head_dim, 8);
  EXPECT_TRUE(has(rounded.reasons, "head_dim 8 = d_model / num_heads, rounded down")) << all(rounded.reasons);
  EXPECT_TRUE(has(rounded.reasons, "base 10000 in place of rope_theta, which was refused")) << all(rounded.reasons);
  EXPECT_FALSE(has(rounded.reasons, "by default")) << all(rounded.reasons);
  const auto narrow = read(R"({"model_type":"llama","hidden_size":4,"num_attention_heads":8})");
  EXPECT_EQ(narrow.shape.head_dim, 1);
  EXPECT_TRUE(has(narrow.reasons, "as d_model / num_heads is below 1")) << all(narrow.reasons);
  EXPECT_TRUE(has(narrow.reasons, "base 10000 by default")) << all(narrow.reasons);
  const auto share = read(R"({"model_type":"llama","hidden_size":64,"num_attention_heads":8,
    "rope_parameters":{"rope_theta":0,"partial_rotary_factor":7}})");
  EXPECT_TRUE(has(share.reasons, "base 10000 in place of rope_parameters.rope_theta")) << all(share.reasons);
  EXPECT_TRUE(has(share.reasons, "rotary_share 1 in place of rope_parameters.partial_rotary_factor"))
      << all(share.reasons);
  const auto buckets = read(R"({"model_type":"t5","relative_attention_num_buckets":"x"})");
  EXPECT_TRUE(has(buckets.reasons, "num_buckets 32 in place of relative_attention_num_buckets"))
      << all(buckets.reasons);
  EXPECT_TRUE(has(buckets.reasons, "max_distance 128 by default")) << all(buckets.reasons);
}

TEST(Config, everyScalingOldAndNew) {
  const auto scaled = [](const std::string& scaling) {
    return only(
               read(
                   R"({"model_type":"llama","hidden_size":64,"num_attention_heads":8,"max_position_embeddings":8192,)" +
                   scaling + "}"))
        .values;
  };
  EXPECT_EQ(scaled(R"("rope_scaling":null)"), half);
  EXPECT_EQ(scaled(R"("rope_scaling":{"rope_type":"default"})"), half);
  EXPECT_EQ(scaled(R"("rope_scaling":{"type":"linear","factor":2})"),
            halfWith({{"scaling", Text_("linear")}, {"factor", 2.0}}));
  EXPECT_EQ(scaled(R"("rope_scaling":{"type":"dynamic","factor":2})"),
            halfWith({{"scaling", Text_("dynamic")}, {"factor", 2.0}, {"max_length", 8192.0}}));
  EXPECT_EQ(scaled(R"("rope_scaling":{"type":"yarn","factor":16,"original_max_position_embeddings":2048})"),
            halfWith({{"scaling", Text_("yarn")}, {"factor", 16.0}, {"original_length", 2048.0}}));
  EXPECT_EQ(
      scaled(
          R"("rope_parameters":{"rope_type":"yarn","rope_theta":150000,"factor":32,"beta_fast":64,"beta_slow":2,"truncate":false,
              "original_max_position_embeddings":2048,"mscale":0.7,"mscale_all_dim":0.5,"attention_factor":1.5,"partial_rotary_factor":0.5})"),
      halfWith({{"scaling", Text_("yarn")},
                {"base", 15e4},
                {"factor", 32.0},
                {"beta_fast", 64.0},
                {"beta_slow", 2.0},
                {"truncate", false},
                {"original_length", 2048.0},
                {"mscale", 0.7},
                {"mscale_all_dim", 0.5},
                {"attention_factor", 1.5},
                {"rotary_share", 0.5}}));
  EXPECT_EQ(
      scaled(R"("rope_scaling":{"type":"yarn","factor":16,"original_max_position_embeddings":2048,"beta_fast":0})"),
      halfWith({{"scaling", Text_("yarn")}, {"factor", 16.0}, {"original_length", 2048.0}}))
      << "an explicit 0 means 32";
}

TEST(Config, ropeTypeWinsOverType) {
  const Inspection i =
      read(R"({"model_type":"llama","rope_scaling":{"type":"linear","rope_type":"dynamic","factor":2}})");
  EXPECT_EQ(only(i).values.at("scaling"), Value(Text_("dynamic")));
  EXPECT_TRUE(has(i.reasons, "scaling dynamic from rope_scaling.rope_type"));
}

TEST(Config, nestedParametersUseFullAttention) {
  const Inspection i = read(
      R"({"model_type":"llama","rope_parameters":{"full_attention":{"rope_type":"linear","factor":8,"rope_theta":1000000},
    "sliding_attention":{"rope_type":"default","rope_theta":10000}}})");
  EXPECT_EQ(only(i).values, halfWith({{"base", 1e6}, {"scaling", Text_("linear")}, {"factor", 8.0}}));
  EXPECT_TRUE(has(i.notes, "rope_parameters differs by layer in no even rhythm"));
}

TEST(Config, factorListsOfLongrope) {
  const Text_ lists = R"("short_factor":[1,1.5],"long_factor":[2,8])";
  const Text_ head = R"({"model_type":"phi3","hidden_size":8,"num_attention_heads":2,"max_position_embeddings":131072,
    "original_max_position_embeddings":4096,"rope_scaling":{"type":"su",)";
  const Inspection i = read(head + lists + "}}");
  EXPECT_EQ(only(i).values, halfWith({{"scaling", Text_("longrope")},
                                      {"max_length", 131072.0},
                                      {"short_factor", std::vector<double>{1, 1.5}},
                                      {"long_factor", std::vector<double>{2, 8}}}));
  EXPECT_EQ(i.train_length, 4096);
  const Inspection wrong = read(head + R"("short_factor":[1],"long_factor":[1]}})");
  EXPECT_EQ(only(wrong).values, half);
  EXPECT_TRUE(has(wrong.notes, "short_factor must have 2 entries"));
}

TEST(Config, rotationByAxesOrOfAPart) {
  const Inspection axes = read(R"({"model_type":"qwen2_vl","hidden_size":256,"num_attention_heads":2,
    "rope_scaling":{"type":"mrope","mrope_section":[16,24,24]}})");
  EXPECT_EQ(only(axes), choice("mrope", {{"sections", std::vector<double>{16, 24, 24}}}));
  const Inspection part = read(R"({"model_type":"deepseek_v3","qk_nope_head_dim":128,"qk_rope_head_dim":64,
    "num_attention_heads":2,"hidden_size":512})");
  EXPECT_EQ(part.shape.head_dim, 192);
  EXPECT_EQ(only(part), choice("rope_decoupled", {{"rotary_dim", 64.0}}));
}

TEST(Config, layersOfTwoKinds) {
  const Inspection gemma = read(R"({"model_type":"gemma3_text","num_hidden_layers":26,"rope_theta":1000000,
    "rope_local_base_freq":10000,"sliding_window":512,"sliding_window_pattern":6})");
  EXPECT_EQ(only(gemma).values, halfWith({{"base", 1e6}, {"dual", true}, {"local_window", 511.0}}));
  const Inspection bert = read(R"({"model_type":"modernbert","num_hidden_layers":22,"global_rope_theta":160000,
    "local_rope_theta":10000,"local_attention":128,"global_attn_every_n_layers":3})");
  EXPECT_EQ(only(bert).values, halfWith({{"base", 16e4},
                                         {"dual", true},
                                         {"local_window", 64.0},
                                         {"period", 3.0},
                                         {"global_at", 0.0},
                                         {"scale_local", true}}));
  EXPECT_FALSE(bert.mask.causal);
  const Inspection nested = read(R"({"model_type":"gemma3_text","num_hidden_layers":4,"sliding_window":9,
    "layer_types":["sliding_attention","full_attention","sliding_attention","full_attention"],
    "rope_parameters":{"full_attention":{"rope_type":"linear","factor":8,"rope_theta":1000000},
                       "sliding_attention":{"rope_type":"default","rope_theta":500}}})");
  EXPECT_EQ(only(nested).values, halfWith({{"base", 1e6},
                                           {"scaling", Text_("linear")},
                                           {"factor", 8.0},
                                           {"dual", true},
                                           {"local_base", 500.0},
                                           {"local_window", 8.0},
                                           {"period", 2.0},
                                           {"global_at", 1.0}}));
}

TEST(Config, layersWithoutRotationOrWithAWindow) {
  const Inspection llama = read(R"({"model_type":"llama4_text","num_hidden_layers":4,"no_rope_layers":[1,1,1,0],
    "attention_chunk_size":4096})");
  EXPECT_EQ(only(llama), choice("layer_pattern", {{"base", 5e5},
                                                  {"chunk_size", 4096.0},
                                                  {"rope_layers", std::vector<double>{1, 1, 1, 0}},
                                                  {"scaled_queries", Text_("unrotated")}}));
  EXPECT_TRUE(has(llama.reasons, "rotating layers 3 from no_rope_layers"));
  const Inspection oss = read(R"({"model_type":"gpt_oss","num_hidden_layers":2,"sliding_window":128,
    "layer_types":["sliding_attention","full_attention"]})");
  EXPECT_EQ(only(oss), choice("layer_pattern", halfWith({{"base", 15e4},
                                                         {"rope_rule", Text_("all")},
                                                         {"full_rule", Text_("pattern")},
                                                         {"pattern", 2.0},
                                                         {"layer_kinds", std::vector<double>{1, 0}},
                                                         {"limit", Text_("window")},
                                                         {"window", 127.0}})));
  EXPECT_TRUE(has(read(R"({"model_type":"gpt_oss","num_hidden_layers":3,"layer_types":["full_attention"]})").notes,
                  "layer_types has 1 entries for 3 layers; it is not used"));
}

TEST(Config, unknownScalingIsUnscaledAndSaysSo) {
  for (const char* type : {"telechat3-yarn", "\\u202Eevil"}) {
    const Inspection i =
        read(R"({"model_type":"llama","rope_theta":7,"rope_scaling":{"type":")" + Text_(type) + R"(","factor":4}})");
    EXPECT_EQ(only(i).values, halfWith({{"base", 7.0}}));
    EXPECT_TRUE(has(i.notes, "is a scaling this version does not compute; the unscaled rotation is shown"))
        << all(i.notes);
  }
  EXPECT_TRUE(has(read(R"({"model_type":"llama","rope_scaling":{"type":"linear"}})").notes,
                  "linear scaling without a usable factor"));
  for (const char* type : {"longrope", "su"})
    EXPECT_TRUE(has(read(R"({"model_type":"phi3","rope_scaling":{"type":")" + Text_(type) + R"("}})").notes,
                    "longrope scaling without a usable short_factor"));
}

TEST(Config, familiesHaveTheirOwnDefaults) {
  EXPECT_EQ(only(read(R"({"model_type":"gptj","n_embd":4096,"n_head":16,"rotary_dim":64,"n_positions":2048})")),
            choice("rope", {{"rotary_dim", 64.0}}));
  EXPECT_EQ(only(read(R"({"model_type":"gpt_neox","hidden_size":6144,"num_attention_heads":64})")),
            choice("rope", halfWith({{"rotary_share", 0.25}})));
  EXPECT_EQ(
      only(read(
          R"({"model_type":"gpt_neox","hidden_size":2560,"num_attention_heads":32,"rotary_pct":1.0,"rotary_emb_base":20000})")),
      choice("rope", halfWith({{"base", 2e4}})));
  EXPECT_EQ(only(read(R"({"model_type":"mixtral"})")), choice("rope", halfWith({{"base", 1e6}})));
  EXPECT_EQ(only(read(R"({"model_type":"bloom"})")), choice("alibi", {{"form", Text_("key_only")}}));
  EXPECT_EQ(only(read(R"({"model_type":"mpt","attn_config":{"alibi":true,"alibi_bias_max":4}})")),
            choice("alibi", {{"form", Text_("mpt")}, {"max_bias", 4.0}}));
  const Inspection t5 = read(
      R"({"model_type":"t5","d_model":768,"d_kv":64,"num_heads":12,"relative_attention_num_buckets":16,"is_encoder_decoder":true})");
  EXPECT_EQ(only(t5).id, "t5_log");
  EXPECT_EQ(only(t5).values.at("num_buckets"), Value(16.0));
  EXPECT_EQ(t5.shape.head_dim, 64);
  EXPECT_FALSE(t5.mask.causal);
  EXPECT_TRUE(has(t5.reasons, "max_distance 128 by default"));
}

TEST(Config, learnedTables) {
  const Inspection gpt2 =
      read(R"({"model_type":"gpt2","n_embd":768,"n_head":12,"n_layer":12,"n_positions":1024,"n_ctx":512})");
  EXPECT_EQ(only(gpt2), choice("learned", {}));
  EXPECT_EQ(gpt2.shape.seq_len, 1024);
  EXPECT_TRUE(gpt2.mask.causal);
  const Inspection bert =
      read(R"({"model_type":"bert","hidden_size":768,"num_attention_heads":12,"max_position_embeddings":512,
    "initializer_range":0.04,"position_embedding_type":"absolute"})");
  EXPECT_EQ(only(bert),
            choice("learned", {{"initial", Text_("truncated_normal")}, {"std", 0.04}, {"max_positions", 512.0}}));
  EXPECT_FALSE(bert.mask.causal);
  const Inspection roberta = read(R"({"model_type":"roberta","max_position_embeddings":514})");
  EXPECT_EQ(roberta.shape.seq_len, 512);
  EXPECT_EQ(roberta.shape.first_position, 0);
  EXPECT_EQ(only(roberta).values.at("position_offset"), Value(2.0));
  EXPECT_EQ(only(roberta).values.at("max_positions"), Value(514.0));
  EXPECT_TRUE(has(roberta.reasons, "the first token uses row 2"));
  const Inspection opt = read(R"({"model_type":"opt","max_position_embeddings":2048})");
  EXPECT_EQ(opt.shape.seq_len, 2048);
  EXPECT_EQ(only(opt).values.at("max_positions"), Value(2050.0));
  EXPECT_EQ(only(read(R"({"model_type":"opt","pad_token_id":7})")).values.at("position_offset"), Value(2.0))
      << "OPT's rows in front do not depend on the padding";
  const Inspection relative = read(R"({"model_type":"bert","position_embedding_type":"relative_key"})");
  EXPECT_TRUE(relative.schemes.empty());
  EXPECT_TRUE(has(relative.notes, "position_embedding_type 'relative_key' is not shown"));
}

TEST(Config, headDimWinsOverWidthByHeads) {
  EXPECT_EQ(read(R"({"model_type":"qwen3","hidden_size":1024,"num_attention_heads":16,"head_dim":128})").shape.head_dim,
            128);
  EXPECT_EQ(
      read(R"({"model_type":"qwen3","hidden_size":1024,"num_attention_heads":16,"head_dim":null})").shape.head_dim, 64);
  EXPECT_TRUE(has(read(R"({"model_type":"llama","hidden_size":100,"num_attention_heads":16})").notes,
                  "is not a multiple of the 16 heads"));
}

TEST(Config, slidingWindowsCountTheQuery) {
  const auto window = [](const std::string& more) {
    return read(R"({"max_position_embeddings":32768,)" + more + "}").mask;
  };
  const Mask mistral = window(R"("model_type":"mistral","sliding_window":4096)");
  EXPECT_TRUE(mistral.causal);
  EXPECT_EQ(mistral.window, 4095);
  EXPECT_EQ(window(R"("model_type":"mistral","sliding_window":null)").window, -1);
  EXPECT_EQ(window(R"("model_type":"mistral","sliding_window":32768)").window, -1) << "as long as everything";
  EXPECT_EQ(window(R"("model_type":"qwen2","sliding_window":4096)").window, -1) << "off unless it is switched on";
  EXPECT_EQ(window(R"("model_type":"mistral","sliding_window":4096,"use_sliding_window":false)").window, -1);
}

TEST(Config, hostileFieldsAreRefusedAndTheRestIsKept) {
  for (const char* width : {"1e300", "-1", "0", "\"768\"", "1.5", "[768]", "true", "{}", "9223372036854775808"}) {
    const Inspection i = read(R"({"model_type":"llama","num_attention_heads":12,"rope_theta":500000,"hidden_size":)" +
                              Text_(width) + "}");
    EXPECT_TRUE(has(i.notes, "config.json: hidden_size must be a whole number from 1 to 131072, got "))
        << width << all(i.notes);
    EXPECT_EQ(i.shape.d_model, Shape{}.d_model);
    EXPECT_EQ(i.shape.num_heads, 12);
    EXPECT_EQ(only(i).values.at("base"), Value(5e5));
  }
  const Inspection i = read(
      R"({"model_type":"llama","num_attention_heads":1e9,"num_key_value_heads":0,"num_hidden_layers":-3,"head_dim":"x",
    "max_position_embeddings":-5,"rope_theta":0,"rope_scaling":{"type":"linear","factor":-2},"sliding_window":"no","layer_types":{}})");
  EXPECT_EQ(only(i).values, half);
  for (const char* part : {"num_attention_heads must be", "num_key_value_heads must be", "num_hidden_layers must be",
                           "head_dim must be", "max_position_embeddings must be a number from 1",
                           "rope_theta must be a number from 1e-06 to", "rope_scaling.factor must be"})
    EXPECT_TRUE(has(i.notes, Text_("config.json: ") + part)) << part << "\n" << all(i.notes);
  EXPECT_TRUE(has(read(R"({"model_type":"llama","rope_scaling":[1]})").notes,
                  "rope_scaling must be an object, got a list of 1"));
  EXPECT_TRUE(has(read(R"({"model_type":"llama","num_attention_heads":32,"num_key_value_heads":5})").notes,
                  "num_key_value_heads must divide num_attention_heads 32, got 5; "));
}

TEST(Config, absurdLengthsAreClamped) {
  const Inspection i = read(R"({"model_type":"llama","max_position_embeddings":1000000000000})");
  EXPECT_EQ(i.shape.seq_len, longest_drawn);
  EXPECT_TRUE(has(i.notes, "max_position_embeddings is 1e+12; only the first 1048576 positions are shown"))
      << all(i.notes);
  EXPECT_EQ(only(i).id, "rope");
}

TEST(Config, theFirstAliasCounts) {
  const Inspection i =
      read(R"({"model_type":"llama","dim":32,"n_embd":48,"hidden_size":64,"rotary_emb_base":3,"rope_theta":2})");
  EXPECT_EQ(i.shape.d_model, 64);
  EXPECT_EQ(only(i).values.at("base"), Value(2.0));
  EXPECT_EQ(read(R"({"model_type":"llama","dim":32,"n_embd":48,"hidden_size":null})").shape.d_model, 48);
}

TEST(Config, unknownModelsAreReadByTheirKeys) {
  const Inspection rope =
      read(R"({"model_type":"from_tomorrow","hidden_size":64,"num_attention_heads":4,"rope_theta":9000})");
  EXPECT_EQ(only(rope), choice("rope", halfWith({{"base", 9e3}})));
  EXPECT_TRUE(
      has(rope.notes, "model_type 'from_tomorrow' is not known; half-split pairs and a causal mask are assumed"));
  EXPECT_TRUE(has(rope.reasons, "rope_theta → rotary"));
  const Inspection nothing = read(R"({"hidden_size":64,"max_position_embeddings":512})");
  EXPECT_TRUE(nothing.schemes.empty()) << "max_position_embeddings alone means nothing";
  EXPECT_TRUE(has(nothing.notes, "no key tells its positional encoding"));
  EXPECT_EQ(nothing.shape.d_model, 64);
}

TEST(Config, textTowerOfMixedModels) {
  const Inspection i =
      read(R"({"model_type":"llava","text_config":{"model_type":"llama","hidden_size":4096,"num_attention_heads":32},
    "vision_config":{"hidden_size":1024}})");
  EXPECT_EQ(i.shape.d_model, 4096);
  EXPECT_EQ(only(i).id, "rope");
  EXPECT_TRUE(has(i.notes, "only the text part is shown, from text_config"));
  EXPECT_TRUE(has(i.reasons, "d_model 4096 from text_config.hidden_size"));
}

TEST(Config, keysGivenTwiceAreNamed) {
  const Inspection i = read(R"({"model_type":"llama","rope_theta":1,"rope_theta":2})");
  EXPECT_TRUE(has(i.notes, "rope_theta is given twice; the last one counts"));
  EXPECT_EQ(only(i).values.at("base"), Value(2.0));
}

TEST(Config, refusesWhatIsNoConfiguration) {
  for (const Text_& text : {Text_(), Text_("[]"), Text_("3"), Text_("{"), Text_("<!doctype html>"), Text_(100'000, '['),
                            Text_(R"({"rope_theta":NaN})"), Text_(R"({"rope_theta":1e400})"),
                            Text_("version https://git-lfs.github.com/spec/v1\n")}) {
    Inspection inspection;
    const Outcome ok = readConfig(text, "config.json", inspection);
    ASSERT_FALSE(ok) << text.substr(0, 40);
    EXPECT_EQ(ok.error().code, ErrorCode::file_format);
    EXPECT_TRUE(ok.error().message.en.starts_with("config.json: the content must be ")) << ok.error().message.en;
  }
}

}  // namespace
}  // namespace posiscope::models
