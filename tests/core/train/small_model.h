// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/random.h"
#include "core/train/model.h"
#include "core/train/trainable.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace posiscope::train {

/// One way to train a scheme, small enough for every derivative to be checked.
struct Variant {
  std::string name;
  ModelSpec spec;
};

inline ModelSpec smallSpec(std::string scheme, ParamValues values = {}) {
  ModelSpec spec;
  spec.vocab = 7;
  spec.d_model = 8;
  spec.num_heads = 2;
  spec.num_layers = 2;
  spec.mlp_ratio = 2;
  spec.position = {std::move(scheme), std::move(values)};
  return spec;
}

inline ModelSpec encoder(ModelSpec spec) {
  spec.causal = false;
  return spec;
}

/// Every scheme that can be trained, with the constants that lead into each branch of its formula.
inline std::vector<Variant> variants() {
  const ParamValues t5{{"num_buckets", 6.0}, {"max_distance", 5.0}}, rows{{"rows", 8.0}};
  const ParamValues hybrid{{"rows", 8.0}, {"max_distance", 2.0}, {"beta", 0.7}};
  const ParamValues fire{{"width", 5.0}, {"l_init", 2.6}}, cope{{"npos", 3.0}};
  const ParamValues grid{{"rows", 2.0}, {"columns", 4.0}};
  std::vector<Variant> all{
      {"none", smallSpec("none")},
      {"none_encoder", encoder(smallSpec("none"))},
      {"sinusoidal", smallSpec("sinusoidal")},
      {"learned", smallSpec("learned", rows)},
      {"learned_tied", smallSpec("learned", rows)},
      {"learned_without_biases", smallSpec("learned", rows)},
      {"rope", smallSpec("rope")},
      {"rope_half_encoder", encoder(smallSpec("rope", {{"pairing", std::string("half")}}))},
      {"rope_partial", smallSpec("rope", {{"rotary_dim", 2.0}})},
      {"rope_yarn", smallSpec("rope", {{"scaling", std::string("yarn")}, {"factor", 3.0}, {"original_length", 100.0}})},
      {"t5_log", smallSpec("t5_log", t5)},
      {"t5_log_encoder", encoder(smallSpec("t5_log", t5))},
      {"alibi", smallSpec("alibi")},
      {"alibi_encoder", encoder(smallSpec("alibi"))},
      {"shaw", smallSpec("shaw", {{"max_distance", 2.0}})},
      {"shaw_encoder", encoder(smallSpec("shaw", {{"max_distance", 2.0}}))},
      {"transformer_xl", smallSpec("transformer_xl")},
      {"transformer_xl_encoder", encoder(smallSpec("transformer_xl"))},
      {"kerple", smallSpec("kerple")},
      {"kerple_power", smallSpec("kerple", {{"form", std::string("power")}})},
      {"kerple_encoder", encoder(smallSpec("kerple"))},
      {"fire", smallSpec("fire", fire)},
      {"fire_encoder", encoder(smallSpec("fire", fire))},
      {"fire_negative", smallSpec("fire", fire)},
      {"cope", smallSpec("cope", cope)},
      {"cope_encoder", encoder(smallSpec("cope", cope))},
      {"hybrid", smallSpec("hybrid", hybrid)},
      {"hybrid_encoder", encoder(smallSpec("hybrid", hybrid))},
      {"layerwise", smallSpec("layerwise")},
      {"dynamic", smallSpec("dynamic")},
      {"dynamic_encoder", encoder(smallSpec("dynamic"))},
      {"learned_2d_encoder", encoder(smallSpec("learned_2d", grid))},
      {"sinusoidal_2d_encoder", encoder(smallSpec("sinusoidal_2d"))},
      {"conditional_encoder", encoder(smallSpec("conditional"))},
      {"scaled_words", smallSpec("none")},
      {"zero_words", smallSpec("learned", rows)},
  };
  for (Variant& v : all) {
    if (v.name == "learned_tied") v.spec.tied = true;
    if (v.name == "learned_without_biases") v.spec.linear_bias = false;
    if (v.name == "scaled_words") v.spec.embed_scale = 1.7;
    if (v.name == "zero_words") v.spec.zero_words = true;
  }
  return all;
}

/// Values that hide no gradient: everything is far from 0, rates stay positive.
template <class T>
void setScattered(Model<T>& model, const std::string& variant) {
  for (const Parameter& p : model.layout().parameters) {
    const Stream stream(3, p.name);
    for (std::int64_t t = 0; t < p.size(); ++t) {
      double value = 0.5 * stream.normal(static_cast<std::uint64_t>(t));
      if (p.name.find("ln") != std::string::npos && p.name.ends_with("weight")) value += 1;
      if (p.name == "pe.r1" || p.name == "pe.r2") value = 0.3 + std::abs(value);
      if (p.name == "pe.c" || p.name == "pe.l_mult") value = variant == "fire_negative" ? -0.9 : 0.9;
      model.parameters()[static_cast<std::size_t>(p.offset + t)] = static_cast<T>(value);
    }
  }
}

/// Random tokens and targets, some of them not counted; six tokens, or 2 × 3 patches.
inline Batch scatteredBatch(const ModelSpec& spec, std::int64_t sequences = 3, std::int64_t length = 6) {
  Batch batch{sequences, length, std::nullopt, {}, {}};
  if (length % 2 == 0) batch.grid = Grid{2, length / 2};
  const Stream stream(4, "batch");
  for (std::int64_t r = 0; r < batch.rows(); ++r) {
    const auto e = static_cast<std::uint64_t>(r);
    batch.tokens.push_back(static_cast<std::int32_t>(stream.below(static_cast<std::uint64_t>(spec.vocab), e, 0)));
    const auto target = static_cast<std::int32_t>(stream.below(static_cast<std::uint64_t>(spec.outputs()), e, 1));
    batch.targets.push_back(stream.below(4, e, 2) == 0 ? -1 : target);
  }
  return batch;
}

template <class T>
Model<T> modelOf(const Variant& variant) {
  Expected<Model<T>> model = Model<T>::create(variant.spec);
  if (!model) ADD_FAILURE() << variant.name << ": " << model.error().message.en;
  setScattered(*model, variant.name);
  return std::move(*model);
}

class EachVariant : public testing::TestWithParam<Variant> {};

}  // namespace posiscope::train
