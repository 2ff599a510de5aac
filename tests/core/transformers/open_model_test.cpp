// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a model's files may look like, and what is refused.
#include "core/files/element.h"
#include "tests/support/real_models.h"
#include "tests/support/sanitized.h"
#include "tests/support/small_model.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

namespace posiscope::transformers {
namespace {

using test::smallLlama;
using test::smallLlamaConfig;
using test::smallModel;
using test::SmallTensors;

class OpenModel : public testing::Test {
 protected:
  void write(const std::string& config, const SmallTensors& tensors, const std::string& type = "F32") const {
    folder.write("m/config.json", config);
    folder.write("m/model.safetensors", smallModel(tensors, type));
  }
  Table<double> logits(const std::string& name = "m") const {
    const auto model = openModel(folder.file(name));
    EXPECT_TRUE(model) << (model ? "" : model.error().message.en);
    return model ? test::traced<double>(*model, prompt, {.logits = true}).logits : Table<double>{};
  }
  Error refusal() const {
    const auto model = openModel(folder.file("m"));
    EXPECT_FALSE(model);
    if (model) return {};
    EXPECT_FALSE(model.error().message.zh.empty());
    return model.error();
  }

  test::TemporaryFolder folder;
  const Prompt prompt{{3, 1, 4, 1, 5, 9, 2, 6}, {}, {}};
};

TEST_F(OpenModel, theNumbersAreTheSameInEveryType) {
  write(smallLlamaConfig(), smallLlama());
  const Table<double> wanted = logits();
  ASSERT_EQ(wanted.rows, 8);
  ASSERT_EQ(wanted.cols, 10);
  for (const char* type : {"F64", "BF16", "F16"}) {
    write(smallLlamaConfig(), smallLlama(), type);
    EXPECT_EQ(logits().values, wanted.values) << type;
  }
}

TEST_F(OpenModel, shardsAreOneModel) {
  write(smallLlamaConfig(), smallLlama());
  const Table<double> wanted = logits();
  SmallTensors first, second;
  std::string map;
  for (const auto& [name, tensor] : smallLlama()) {
    const bool early = name.find("layers.1") == std::string::npos;
    (early ? first : second)[name] = tensor;
    map += (map.empty() ? "\"" : ",\"") + name + (early ? "\":\"a.safetensors\"" : "\":\"b.safetensors\"");
  }
  folder.write("s/config.json", smallLlamaConfig());
  folder.write("s/a.safetensors", smallModel(first));
  folder.write("s/b.safetensors", smallModel(second));
  folder.write("s/model.safetensors.index.json", R"({"weight_map":{)" + map + "}}");
  EXPECT_EQ(logits("s").values, wanted.values);
  EXPECT_EQ(logits("s/config.json").values, wanted.values) << "the configuration names its folder";
}

TEST_F(OpenModel, aTensorInTwoFilesIsRefused) {
  folder.write("m/config.json", smallLlamaConfig());
  folder.write("m/a.safetensors", smallModel(smallLlama()));
  folder.write("m/b.safetensors", smallModel({{"model.norm.weight", {{8}, 1}}}));
  EXPECT_EQ(refusal().code, ErrorCode::file_format);
}

TEST_F(OpenModel, theHeadIsTiedOrItsOwn) {
  SmallTensors tensors = smallLlama();
  write(smallLlamaConfig(), tensors);
  const Table<double> tied = logits();
  tensors["lm_head.weight"] = {{10, 8}};
  write(smallLlamaConfig(), tensors);
  EXPECT_NE(logits().values, tied.values);
  write(smallLlamaConfig(R"(,"tie_word_embeddings":true)"), tensors);
  EXPECT_EQ(logits().values, tied.values);
}

TEST_F(OpenModel, aHeadThatIsPromisedAndMissingPredictsNothing) {
  write(smallLlamaConfig(R"(,"tie_word_embeddings":false)"), smallLlama());
  const auto model = openModel(folder.file("m"));
  ASSERT_TRUE(model) << model.error().message.en;
  const auto losses = run<double>(*model, prompt, {.losses = true});
  ASSERT_FALSE(losses);
  EXPECT_EQ(losses.error().code, ErrorCode::not_supported);
  EXPECT_NE(losses.error().message.en.find("the tensor 'lm_head.weight'"), std::string::npos);
  EXPECT_TRUE(run<double>(*model, prompt, {.attention_weights = true})) << "attention needs no head";
  const auto noted = [&](const std::string& more) {
    write(smallLlamaConfig(more), smallLlama());
    const auto found = openModel(folder.file("m"));
    return found && std::ranges::any_of(found->notes, [](const Text& note) {
             return note.en.find("tie_word_embeddings is not given") != std::string::npos && !note.zh.empty();
           });
  };
  EXPECT_TRUE(noted(""));
  EXPECT_FALSE(noted(R"(,"tie_word_embeddings":true)"));
}

/// With the norms of each head, as Qwen 3 has.
SmallTensors withHeadNorms() {
  SmallTensors tensors = smallLlama();
  for (const std::string l : {"0", "1"})
    for (const std::string norm : {"q_norm", "k_norm"})
      tensors["model.layers." + l + ".self_attn." + norm + ".weight"] = {{4}, 1};
  return tensors;
}

/// As Qwen 2 has.
SmallTensors projectionBiases() {
  SmallTensors tensors;
  for (const std::string l : {"0", "1"})
    for (const std::string part : {"q", "k", "v"})
      tensors["model.layers." + l + ".self_attn." + part + "_proj.bias"] = {{part == "q" ? 16 : 8}};
  return tensors;
}

TEST_F(OpenModel, aTypeThatAlwaysNormsItsHeadsMustHoldTheNorms) {
  std::string config = smallLlamaConfig();
  config.replace(config.find("llama"), 5, "qwen3");
  write(config, smallLlama());
  EXPECT_NE(refusal().message.en.find("the tensor 'model.layers.0.self_attn.q_norm.weight'"), std::string::npos);
  write(config, withHeadNorms());
  EXPECT_TRUE(openModel(folder.file("m")));
}

TEST_F(OpenModel, whatIsThereBesideTheWeightsCounts) {
  write(smallLlamaConfig(), smallLlama());
  const Table<double> plain = logits();
  SmallTensors biased = smallLlama();
  biased["model.layers.0.self_attn.v_proj.bias"] = {{8}};  // as Qwen 2 has
  write(smallLlamaConfig(), biased);
  EXPECT_NE(logits().values, plain.values);
  SmallTensors normed = smallLlama();
  normed["model.layers.1.self_attn.q_norm.weight"] = {{4}, 1};  // as Qwen 3 has
  normed["model.layers.1.self_attn.k_norm.weight"] = {{4}, 1};
  write(smallLlamaConfig(), normed);
  EXPECT_NE(logits().values, plain.values);
  SmallTensors unknown = smallLlama();
  unknown["model.layers.1.mlp.router.weight"] = {{4, 8}};
  write(smallLlamaConfig(), unknown);
  const Error error = refusal();
  EXPECT_EQ(error.code, ErrorCode::not_supported);
  EXPECT_NE(error.message.en.find("model.layers.1.mlp.router.weight"), std::string::npos) << error.message.en;
  unknown.erase("model.layers.1.mlp.router.weight");
  unknown["model.layers.1.self_attn.rotary_emb.inv_freq"] = {{2}};  // computed, not trained
  write(smallLlamaConfig(), unknown);
  EXPECT_EQ(logits().values, plain.values);
}

TEST_F(OpenModel, aWindowOfTheFileIsTheModelsMask) {
  write(smallLlamaConfig(), smallLlama());
  const Table<double> plain = logits();
  std::string config = smallLlamaConfig(R"(,"sliding_window":3)");
  config.replace(config.find("llama"), 5, "mistral");
  write(config, smallLlama());
  const auto model = openModel(folder.file("m"));
  ASSERT_TRUE(model) << model.error().message.en;
  EXPECT_EQ(model->mask.window, 2) << "theirs counts the query itself";
  const auto trace = test::traced<double>(*model, prompt, {.attention_weights = true, .logits = true});
  EXPECT_EQ(trace.layers[0].attention.weights[7 * 8 + 4], 0.0);
  EXPECT_GT(trace.layers[0].attention.weights[7 * 8 + 5], 0.0);
  EXPECT_NE(trace.logits.values, plain.values);
}

TEST_F(OpenModel, aWindowOfSomeLayersIsTheirsAlone) {
  for (const std::string type : {"llama", "mistral", "qwen2", "qwen3"}) {
    std::string config = smallLlamaConfig(
        R"(,"sliding_window":3,"use_sliding_window":true,"layer_types":["full_attention","sliding_attention"])");
    config.replace(config.find("llama"), 5, type);
    SmallTensors tensors = withHeadNorms();
    if (type == "qwen2") tensors.merge(projectionBiases());
    write(config, tensors);
    const auto model = openModel(folder.file("m"));
    ASSERT_TRUE(model) << model.error().message.en;
    const auto trace = test::traced<double>(*model, prompt, {.attention_weights = true});
    EXPECT_GT(trace.layers[0].attention.weights[7 * 8 + 4], 0.0) << type;
    EXPECT_EQ(trace.layers[1].attention.weights[7 * 8 + 4], 0.0) << type;
    EXPECT_GT(trace.layers[1].attention.weights[7 * 8 + 5], 0.0) << type;
  }
}

/// The small Llama's configuration with `from` replaced by `to`.
std::string changedConfig(const std::string& from, const std::string& to) {
  std::string config = smallLlamaConfig();
  return config.replace(config.find(from), from.size(), to);
}

TEST_F(OpenModel, aSizeThatIsMissingOrWrongIsNamed) {
  const auto told = [&](const std::string& from, const std::string& to) {
    write(changedConfig(from, to), smallLlama());
    const std::string text = refusal().message.en, file = "config.json: ";
    return text.substr(text.find(file) + file.size());
  };
  const std::string heads = R"("num_attention_heads":4,)";
  EXPECT_EQ(told(heads, ""), "num_attention_heads must be a whole number, got none");
  for (const std::string value : {"0", "\"6\"", "-6", "1e30"})
    EXPECT_TRUE(told(heads, R"("num_attention_heads":)" + value + ",")
                    .starts_with("num_attention_heads must be a whole number from 1 to 1024, got "))
        << value;
  EXPECT_EQ(told(R"("hidden_size":8,)", ""), "hidden_size must be a whole number, got none");
  const std::string layers = R"("num_hidden_layers":2)";
  EXPECT_EQ(told(layers + ",", ""), "num_hidden_layers must be a whole number, got none");
  EXPECT_EQ(told(layers, R"("num_hidden_layers":1)"),
            "num_hidden_layers must be 2, as many layers as the weights hold, got 1");
  EXPECT_EQ(told(layers, R"("num_hidden_layers":3)"),
            "num_hidden_layers must be 2, as many layers as the weights hold, got 3");
  const std::string keys = R"("num_key_value_heads":2,)";
  for (const int value : {3, 4})
    EXPECT_EQ(told(keys, join(R"("num_key_value_heads":)", value, ",")),
              join("num_key_value_heads must be 2, as many heads as the weights hold keys of, got ", value));
  EXPECT_EQ(told(keys, ""), "num_key_value_heads must be 2, as many heads as the weights hold keys of, got none");
  EXPECT_EQ(told(keys, R"("num_key_value_heads":"2",)"),
            "num_key_value_heads must be a whole number from 1 to 1024, got the string \"2\"");
  write(R"({"model_type":"gpt2","n_embd":8,"n_layer":2})", smallLlama());
  EXPECT_TRUE(refusal().message.en.ends_with("config.json: n_head must be a whole number, got none"));
}

TEST_F(OpenModel, aKindOfPositionsThatIsNotComputedIsNamed) {
  write(R"({"model_type":"bert","hidden_size":8,"num_hidden_layers":2,"num_attention_heads":4,)"
        R"("position_embedding_type":"relative_key"})",
        smallLlama());
  EXPECT_TRUE(
      refusal().message.en.ends_with("config.json: position_embedding_type must be absolute, got 'relative_key'"))
      << refusal().message.en;
}

TEST_F(OpenModel, theWeightsNameTheirFolder) {
  write(smallLlamaConfig(), smallLlama());
  const Table<double> wanted = logits();
  EXPECT_EQ(logits("m/model.safetensors").values, wanted.values);
  folder.write("m/other.safetensors", smallModel({{"model.norm.weight", {{8}, 1}}}));
  const auto told = [&](const std::string& name) {
    const auto model = openModel(folder.file(name));
    EXPECT_FALSE(model);
    return model ? std::string() : model.error().message.en;
  };
  EXPECT_TRUE(told("m/other.safetensors").ends_with("read from, got another one")) << "other weights than those named";
  EXPECT_TRUE(told("m/gone.safetensors").ends_with("got nothing at that place")) << told("m/gone.safetensors");
  std::filesystem::remove(folder.file("m/config.json"));
  EXPECT_TRUE(
      told("m").ends_with("the folder must be a model with config.json and .safetensors files, got one without "
                          "config.json"))
      << told("m");
  EXPECT_TRUE(told("m/model.safetensors").ends_with(".safetensors with config.json beside it, got none of these"));
}

TEST_F(OpenModel, whatDoesNotFitIsRefused) {
  SmallTensors tensors = smallLlama();
  tensors.erase("model.layers.1.mlp.up_proj.weight");
  write(smallLlamaConfig(), tensors);
  EXPECT_EQ(refusal().message.en,
            "the weights must hold the tensor 'model.layers.1.mlp.up_proj.weight' of shape (12, 8) in a float or "
            "integer type, got none");
  tensors = smallLlama();
  tensors["model.layers.0.self_attn.k_proj.weight"] = {{16, 8}};
  write(smallLlamaConfig(), tensors);
  EXPECT_EQ(refusal().code, ErrorCode::bad_shape);
  write(smallLlamaConfig(R"(,"hidden_act":"mish")"), smallLlama());
  EXPECT_EQ(refusal().code, ErrorCode::not_supported);
  std::string other = smallLlamaConfig();
  other.replace(other.find("llama"), 5, "bloom");
  write(other, smallLlama());
  EXPECT_EQ(refusal().code, ErrorCode::not_supported);
  std::filesystem::remove(folder.file("m/model.safetensors"));
  folder.write("m/config.json", smallLlamaConfig());
  EXPECT_EQ(refusal().code, ErrorCode::file_missing);
  std::filesystem::remove(folder.file("m/config.json"));
  EXPECT_EQ(refusal().code, ErrorCode::file_missing);
}

TEST_F(OpenModel, aFileThatShrinksUnderARunIsAnError) {
  write(smallLlamaConfig(), smallLlama());
  const auto model = openModel(folder.file("m"));
  ASSERT_TRUE(model);
  std::filesystem::resize_file(folder.file("m/model.safetensors"), 4096);
  const auto trace = run<float>(*model, prompt, {.logits = true});
  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().code, ErrorCode::file_format);
}

/// The most memory this process has had at once, in bytes.
double peakBytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::stod(line.substr(6)) * 1024;
  return 0;
}

/// Starts that count again; false where the system does not allow it.
bool forgetPeak() {
  std::ofstream refs("/proc/self/clear_refs");
  refs << "5" << std::flush;
  return refs.good();
}

TEST_F(OpenModel, aModelOfAGigabyteOpensAndRunsInLittleMemory) {
  // A file with holes: the disk is not filled, but every number is mapped, read and multiplied.
  constexpr std::int64_t width = 2048;
  constexpr std::int64_t inner = 28000;
  SmallTensors tensors{{"model.embed_tokens.weight", {{10, width}}}, {"model.norm.weight", {{width}}}};
  for (const std::string l : {"0", "1", "2"})
    for (const auto& [name, shape] :
         std::map<std::string, std::vector<std::int64_t>>{{"input_layernorm", {width}},
                                                          {"post_attention_layernorm", {width}},
                                                          {"self_attn.q_proj", {16, width}},
                                                          {"self_attn.k_proj", {8, width}},
                                                          {"self_attn.v_proj", {8, width}},
                                                          {"self_attn.o_proj", {width, 16}},
                                                          {"mlp.gate_proj", {inner, width}},
                                                          {"mlp.up_proj", {inner, width}},
                                                          {"mlp.down_proj", {width, inner}}})
      tensors["model.layers." + l + "." + name + ".weight"] = {shape};
  std::uint64_t bytes = 0;
  const std::string header = test::smallHeader(tensors, "BF16", 2, bytes);
  EXPECT_GT(bytes, 1'000'000'000u);
  folder.write("m/config.json",
               R"({"model_type":"llama","hidden_size":2048,"num_hidden_layers":3,"num_attention_heads":4,"head_dim":4,)"
               R"("num_key_value_heads":2,"max_position_embeddings":64})");
  folder.write("m/model.safetensors", test::safetensorsBytes(header, {}));
  std::filesystem::resize_file(folder.file("m/model.safetensors"), 8 + header.size() + bytes);

  if (test::isSanitized()) GTEST_SKIP() << "a sanitizer keeps freed memory for a while";
  if (!forgetPeak()) GTEST_SKIP() << "this system does not tell the memory a part of a test takes";
  const double before = peakBytes();
  const auto model = openModel(folder.file("m"));
  ASSERT_TRUE(model) << model.error().message.en;
  EXPECT_LT(peakBytes() - before, 16e6);
  const auto trace = test::traced<float>(*model, {{1, 2}, {}, {}}, {.logits = true});
  EXPECT_EQ(trace.logits.values, std::vector<float>(20, 0.0f));
  EXPECT_LT(peakBytes() - before, 200e6) << "one tensor of 115 MB may be in memory, not the model";
}

TEST(HalfFloats, everyBitPatternIsItsNumber) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const unsigned char bytes[2] = {static_cast<unsigned char>(bits & 0xFF), static_cast<unsigned char>(bits >> 8)};
    double found = 0;
    files::decode(files::Element::f16, false, bytes, std::span<double>(&found, 1));
    const int exponent = static_cast<int>(bits >> 10) & 31;
    const double mantissa = bits & 1023;
    const double sign = bits & 0x8000 ? -1 : 1;
    if (exponent == 31) {
      EXPECT_EQ(std::isnan(found), mantissa != 0) << bits;
      if (mantissa == 0) {
        EXPECT_EQ(found, sign * INFINITY);
      }
      continue;
    }
    const double wanted =
        exponent == 0 ? sign * std::ldexp(mantissa, -24) : sign * std::ldexp(1024 + mantissa, exponent - 25);
    ASSERT_EQ(found, wanted) << bits;
    ASSERT_EQ(std::signbit(found), std::signbit(wanted)) << bits;
  }
}

}  // namespace
}  // namespace posiscope::transformers
