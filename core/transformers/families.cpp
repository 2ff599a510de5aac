// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/transformers/families.h"

#include "core/files/refusal.h"

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
      Family{"gpt2", planGpt2},           Family{"llama", planLlama}, Family{"mistral", planLlama},
      Family{"qwen2", planLlama},         Family{"qwen3", planLlama}, Family{"bert", planBert},
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

Outcome refuseFlag(const models::ConfigReader& config, std::string_view key) {
  if (!readFlag(config, key, false)) return {};
  return files::refuse(ErrorCode::not_supported, config.file(), files::same(key), files::same("false"),
                       std::string_view("true"));
}

}  // namespace posiscope::transformers
