// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/models/config_reader.h"
#include "core/transformers/model.h"

#include <array>
#include <span>
#include <string_view>

namespace posiscope::transformers {

/// How the files of one family are read: fills `model.plan`, after shape, mask and scheme are known.
struct Family {
  std::string_view type;  ///< model_type
  Outcome (*plan)(const models::ConfigReader& config, const WeightSource& source, Model& model);
};

Outcome planGpt2(const models::ConfigReader& config, const WeightSource& source, Model& model);
Outcome planLlama(const models::ConfigReader& config, const WeightSource& source, Model& model);
Outcome planMistral(const models::ConfigReader& config, const WeightSource& source, Model& model);
Outcome planQwen2(const models::ConfigReader& config, const WeightSource& source, Model& model);
Outcome planQwen3(const models::ConfigReader& config, const WeightSource& source, Model& model);
Outcome planBert(const models::ConfigReader& config, const WeightSource& source, Model& model);
Outcome planPosiscope(const models::ConfigReader& config, const WeightSource& source, Model& model);

std::span<const Family> families();

/// The activation a config names under `key`, or `usual`. Error: not_supported for one we do not know.
Expected<Activation> readActivation(const models::ConfigReader& config, std::string_view key, Activation usual);
/// A small number such as an epsilon, or `usual`.
double readNumber(const models::ConfigReader& config, std::string_view key, double usual);
bool readFlag(const models::ConfigReader& config, std::string_view key, bool usual);
/// The sizes without which no tensor has a shape – width, heads, layers, under the family's own names or others that
/// are read – must be there and right. Error: bad_value, which names the key.
Outcome requireSizes(const models::ConfigReader& config, const std::array<std::string_view, 3>& keys);
/// As many layers as the weights hold, when they hold some. Error: bad_shape, which names the key.
Outcome checkLayers(const models::ConfigReader& config, std::int64_t stored);
/// Refuses a model whose `key` is set: it changes the numbers in a way that is not computed.
Outcome refuseFlag(const models::ConfigReader& config, std::string_view key);

}  // namespace posiscope::transformers
