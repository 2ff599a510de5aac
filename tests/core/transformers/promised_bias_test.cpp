// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A bias that the architecture or the configuration promises and the weights do not hold is no zero: without it another
// model would be run.
#include "core/transformers/model.h"
#include "tests/support/small_model.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

namespace posiscope::transformers {
namespace {

using test::SmallTensors;

class PromisedBias : public testing::Test {
 protected:
  /// What is said of these files; empty where they are opened.
  std::string told(const std::string& config, const SmallTensors& tensors) const {
    folder.write("m/config.json", config);
    folder.write("m/model.safetensors", test::smallModel(tensors));
    const auto model = openModel(folder.file("m"));
    if (model) return {};
    EXPECT_FALSE(model.error().message.zh.empty());
    return model.error().message.en;
  }
  /// Each of `names` alone is missing, and is named.
  void eachIsNeeded(const std::string& config, const SmallTensors& tensors,
                    const std::vector<std::string>& names) const {
    ASSERT_EQ(told(config, tensors), "");
    for (const std::string& name : names) {
      SmallTensors fewer = tensors;
      ASSERT_EQ(fewer.erase(name), 1u) << name;
      EXPECT_TRUE(told(config, fewer).starts_with("the weights must hold the tensor '" + name + "' of shape "))
          << name << ": " << told(config, fewer);
    }
  }

  test::TemporaryFolder folder;
};

TEST_F(PromisedBias, ofGpt2) {
  SmallTensors tensors{
      {"wte.weight", {{10, 8}}}, {"wpe.weight", {{16, 8}}}, {"ln_f.weight", {{8}, 1}}, {"ln_f.bias", {{8}}}};
  std::vector<std::string> biases;
  for (const std::string l : {"h.0.", "h.1."}) {
    for (const std::string norm : {"ln_1", "ln_2"}) {
      tensors[l + norm + ".weight"] = {{8}, 1};
      tensors[l + norm + ".bias"] = {{8}};
    }
    const std::map<std::string, std::vector<std::int64_t>> linears{
        {"attn.c_attn", {8, 24}}, {"attn.c_proj", {8, 8}}, {"mlp.c_fc", {8, 12}}, {"mlp.c_proj", {12, 8}}};
    for (const auto& [name, shape] : linears) {
      tensors[l + name + ".weight"] = {shape};
      tensors[l + name + ".bias"] = {{shape.back()}};
      biases.push_back(l + name + ".bias");
    }
  }
  eachIsNeeded(R"({"model_type":"gpt2","n_embd":8,"n_head":2,"n_layer":2,"n_positions":16})", tensors, biases);
}

TEST_F(PromisedBias, ofBert) {
  SmallTensors tensors{{"embeddings.word_embeddings.weight", {{10, 8}}},
                       {"embeddings.position_embeddings.weight", {{16, 8}}},
                       {"embeddings.token_type_embeddings.weight", {{2, 8}}},
                       {"embeddings.LayerNorm.weight", {{8}, 1}},
                       {"embeddings.LayerNorm.bias", {{8}}}};
  std::vector<std::string> biases;
  const std::string l = "encoder.layer.0.";
  for (const std::string norm : {"attention.output.LayerNorm", "output.LayerNorm"}) {
    tensors[l + norm + ".weight"] = {{8}, 1};
    tensors[l + norm + ".bias"] = {{8}};
  }
  const std::map<std::string, std::vector<std::int64_t>> linears{
      {"attention.self.query", {8, 8}},   {"attention.self.key", {8, 8}},  {"attention.self.value", {8, 8}},
      {"attention.output.dense", {8, 8}}, {"intermediate.dense", {12, 8}}, {"output.dense", {8, 12}}};
  for (const auto& [name, shape] : linears) {
    tensors[l + name + ".weight"] = {shape};
    tensors[l + name + ".bias"] = {{shape.front()}};
    biases.push_back(l + name + ".bias");
  }
  eachIsNeeded(R"({"model_type":"bert","hidden_size":8,"num_attention_heads":2,"num_hidden_layers":1,)"
               R"("max_position_embeddings":16})",
               tensors, biases);
}

/// The small Llama as another type, with biases on these projections of each layer.
SmallTensors biased(const std::vector<std::pair<std::string, std::int64_t>>& projections,
                    std::vector<std::string>& names) {
  SmallTensors tensors = test::smallLlama();
  for (const std::string l : {"model.layers.0.", "model.layers.1."})
    for (const auto& [name, width] : projections) {
      names.push_back(l + name + ".bias");
      tensors[names.back()] = {{width}};
    }
  return tensors;
}

std::string configOf(const std::string& type, const std::string& more = {}) {
  std::string config = test::smallLlamaConfig(more);
  return config.replace(config.find("llama"), 5, type);
}

TEST_F(PromisedBias, ofQwen2sQueriesKeysAndValues) {
  std::vector<std::string> names;
  const SmallTensors tensors =
      biased({{"self_attn.q_proj", 16}, {"self_attn.k_proj", 8}, {"self_attn.v_proj", 8}}, names);
  eachIsNeeded(configOf("qwen2"), tensors, names);
  EXPECT_NE(told(configOf("qwen2"), test::smallLlama()), "") << "none at all";
}

TEST_F(PromisedBias, ofLlamaIsWhatTheConfigurationSays) {
  EXPECT_EQ(told(configOf("llama"), test::smallLlama()), "") << "it promises none";
  EXPECT_EQ(told(configOf("llama", R"(,"attention_bias":false,"mlp_bias":false)"), test::smallLlama()), "");
  EXPECT_EQ(told(configOf("mistral", R"(,"attention_bias":true)"), test::smallLlama()), "")
      << "Mistral has no such key";
  std::vector<std::string> attention, mlp;
  const SmallTensors attending = biased(
      {{"self_attn.q_proj", 16}, {"self_attn.k_proj", 8}, {"self_attn.v_proj", 8}, {"self_attn.o_proj", 8}}, attention);
  eachIsNeeded(configOf("llama", R"(,"attention_bias":true)"), attending, attention);
  const SmallTensors thinking = biased({{"mlp.gate_proj", 12}, {"mlp.up_proj", 12}, {"mlp.down_proj", 8}}, mlp);
  eachIsNeeded(configOf("llama", R"(,"mlp_bias":true)"), thinking, mlp);
}

}  // namespace
}  // namespace posiscope::transformers
