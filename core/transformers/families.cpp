// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/transformers/families.h"

#include "core/files/refusal.h"
#include "core/models/config.h"

#include <algorithm>
#include <array>

namespace posiscope::transformers {
namespace {

struct NamedActivation {
  std::string_view name;
  Activation activation;
};

constexpr std::array activations{
    NamedActivation{"gelu_new", Activation::gelu_tanh},  NamedActivation{"gelu_pytorch_tanh", Activation::gelu_tanh},
    NamedActivation{"gelu_fast", Activation::gelu_tanh}, NamedActivation{"gelu", Activation::gelu_erf},
    NamedActivation{"silu", Activation::silu},           NamedActivation{"swish", Activation::silu},
    NamedActivation{"relu", Activation::relu},
};

}  // namespace

std::span<const Family> families() {
  static constexpr std::array list{
      Family{"gpt2", planGpt2},           Family{"llama", planLlama}, Family{"mistral", planMistral},
      Family{"qwen2", planQwen2},         Family{"qwen3", planQwen3}, Family{"bert", planBert},
      Family{"posiscope", planPosiscope},
  };
  return list;
}

Expected<Activation> readActivation(const models::ConfigReader& config, std::string_view key, Activation usual) {
  const auto found = config.text({key});
  if (!found) return usual;
  const auto known = std::ranges::find(activations, found->value, &NamedActivation::name);
  if (known != activations.end()) return known->activation;
  std::string names;
  for (const NamedActivation& a : activations) names += (names.empty() ? "" : ", ") + std::string(a.name);
  return files::refuse(ErrorCode::not_supported, config.file(), files::same(found->key),
                       {"one of " + names, "以下之一：" + names}, "'" + found->value + "'");
}

double readNumber(const models::ConfigReader& config, std::string_view key, double usual) {
  const auto found = config.number({key}, 0, 1);
  return found ? found->value : usual;
}

bool readFlag(const models::ConfigReader& config, std::string_view key, bool usual) {
  const auto found = config.flag({key});
  return found ? found->value : usual;
}

Outcome requireSizes(const models::ConfigReader& config, const std::array<std::string_view, 3>& keys) {
  std::vector<Text> wrong;
  const models::ConfigReader sizes(config.object(), config.file(), wrong, config.path({}));
  const std::array found{models::readSize(sizes, "d_model"), models::readSize(sizes, "num_heads"),
                         models::readSize(sizes, "num_layers")};
  if (!wrong.empty()) return fail(ErrorCode::bad_value, wrong.front().en, wrong.front().zh);
  for (std::size_t k = 0; k < keys.size(); ++k)
    if (!found[k])
      return files::refuse(ErrorCode::bad_value, config.file(), files::same(config.path(keys[k])),
                           {"a whole number", "整数"}, Text{"none", "无"});
  return {};
}

Outcome checkLayers(const models::ConfigReader& config, std::int64_t stored) {
  const auto said = models::readSize(config, "num_layers");
  if (!said || stored == 0 || said->value == stored) return {};
  return files::refuse(ErrorCode::bad_shape, config.file(), files::same(said->key),
                       {join(stored, ", as many layers as the weights hold"), join(stored, "（权重文件中的层数）")},
                       std::to_string(said->value));
}

Outcome refuseFlag(const models::ConfigReader& config, std::string_view key) {
  if (!readFlag(config, key, false)) return {};
  return files::refuse(ErrorCode::not_supported, config.file(), files::same(key), files::same("false"),
                       std::string_view("true"));
}

}  // namespace posiscope::transformers
