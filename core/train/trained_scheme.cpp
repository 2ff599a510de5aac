// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/trained_scheme.h"

#include "core/schemes/list.h"
#include "core/sinusoidal.h"
#include "core/train/trainable.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace posiscope::train {
namespace {

/// Rows of the dynamic table's base, which the catalogue takes as an array: many times the trained length, and no more
/// than 32 MiB.
std::int64_t baseRows(std::int64_t width) { return std::min<std::int64_t>(4096, (1 << 22) / width); }

/// Collects the catalogue's values of one encoding.
class Collector {
 public:
  Collector(const ModelSpec& spec, std::int64_t length, const TensorByName& tensor)
      : spec_(spec), length_(length), tensor_(tensor), trainable_(*findTrainable(spec.position.scheme)) {}

  ParamValues values() {
    using Collect = void (Collector::*)();
    static constexpr std::array<std::pair<std::string_view, Collect>, 17> kinds{{
        {"none", &Collector::none},
        {"sinusoidal", &Collector::waves},
        {"sinusoidal_2d", &Collector::waves2d},
        {"learned", &Collector::learned},
        {"rope", &Collector::rope},
        {"t5_log", &Collector::buckets},
        {"alibi", &Collector::alibi},
        {"shaw", &Collector::shaw},
        {"transformer_xl", &Collector::transformerXl},
        {"kerple", &Collector::kerple},
        {"fire", &Collector::fire},
        {"cope", &Collector::cope},
        {"hybrid", &Collector::hybrid},
        {"layerwise", &Collector::layerwise},
        {"dynamic", &Collector::dynamic},
        {"learned_2d", &Collector::learned2d},
        {"conditional", &Collector::conditional},
    }};
    const auto found = std::ranges::find(kinds, spec_.position.scheme, [](const auto& kind) { return kind.first; });
    assert(found != kinds.end());
    (this->*found->second)();
    return std::move(values_);
  }

 private:
  /// A constant chosen before training, or its default there, which need not be the catalogue's.
  Value constant(std::string_view key) const {
    const ParamSpec* spec = findParam(trainable_.params, key);
    assert(spec);
    return valueOf(*spec, spec_.position.values);
  }
  double number(std::string_view key) const { return std::get<double>(constant(key)); }
  void copy(std::initializer_list<const char*> keys) {
    for (const char* key : keys) values_[key] = constant(key);
  }
  void array(const char* key, Array array) {
    if (!array.shape.empty()) values_[key] = std::move(array);
  }
  void tensor(const char* key, const std::string& name) { array(key, tensor_(name)); }
  void stack(const char* key, const std::string& name) { array(key, layerStack(name, spec_.num_layers, tensor_)); }
  /// The first number of a tensor; NaN where it was not read.
  double scalar(const std::string& name) const {
    const Array one = tensor_(name);
    return one.empty() ? std::nan("") : one.data()[0];
  }

  void none() {}
  void waves() { copy({"base", "scale"}); }
  void waves2d() {
    copy({"base", "scale"});
    values_.insert({{"variant", std::string("custom")}, {"columns", std::string("interleaved")}});
  }
  void learned() {
    tensor("table", "pe.table");
    values_["initial"] = std::string(values_.contains("table") ? "file" : "normal");
    values_["max_positions"] = number("rows");
  }
  void rope() {
    copy({"pairing", "base", "rotary_dim", "scaling"});
    const bool scaled = std::get<std::string>(constant("scaling")) != "none";
    if (scaled) copy({"factor", "original_length", "max_length"});
    // A scaling that is switched on later stretches the length that this model was trained at.
    const auto trained = static_cast<double>(length_);
    if (!scaled) values_.insert({{"original_length", trained}, {"max_length", trained}});
  }
  void buckets() {
    copy({"num_buckets", "max_distance"});
    values_["bidirectional"] = !spec_.causal;
    tensor("table", "pe.table");
  }
  void alibi() { copy({"max_bias"}); }
  void shaw() {
    copy({"max_distance"});
    stack("relative_keys", "pe.rel_k");
    stack("relative_values", "pe.rel_v");
  }
  void transformerXl() {
    values_["bidirectional"] = !spec_.causal;
    stack("w_r", "pe.r.weight");
    stack("u", "pe.u");
    stack("v", "pe.v");
  }
  void kerple() {
    copy({"form"});
    for (const char* key : {"r1", "r2"})
      if (const Array rates = tensor_(std::string("pe.") + key); !rates.empty()) values_[key] = *rates.values;
  }
  void fire() {
    copy({"width"});
    if (const double c = scalar("pe.c"); std::isfinite(c)) values_["c"] = c;
    if (const double stretch = scalar("pe.l_mult"); std::isfinite(stretch))
      values_["threshold_length"] = std::abs(stretch * number("l_init"));
    for (const char* key : {"w1", "b1", "w2", "b2"}) tensor(key, std::string("pe.") + key);
  }
  void cope() {
    copy({"npos"});
    stack("position_table", "pe.table");
  }
  void hybrid() {
    copy({"alpha", "beta", "max_distance"});
    tensor("position_table", "pe.table");
    tensor("relative_table", "pe.rel");
  }
  /// The strength of a layer is its own times the scale of the sinusoids.
  void layerwise() {
    copy({"base"});
    Array scales = layerStack("pe.scale", spec_.num_layers, tensor_);
    if (scales.size() == spec_.num_layers) {
      std::vector<double> strengths = *scales.values;
      for (double& strength : strengths) strength *= number("scale");
      scales = makeArray({spec_.num_layers, 1}, std::move(strengths));
    }
    array("scales", std::move(scales));
    stack("offsets", "pe.offset");
  }
  void dynamic() {
    copy({"context_window"});
    values_["causal"] = spec_.causal;
    const SinusoidalParams waves{.base = number("base"), .scale = number("scale")};
    const std::int64_t rows = baseRows(spec_.d_model);
    array("base_table",
          makeArray({rows, spec_.d_model}, sinusoidalTable<double>(waves, rows, spec_.d_model, 0).values));
    for (const char* key : {"w1", "b1", "w2", "b2"}) tensor(key, std::string("pe.") + key);
  }
  void learned2d() {
    tensor("row_table", "pe.row");
    tensor("column_table", "pe.col");
  }
  void conditional() {
    tensor("weight", "pe.weight");
    tensor("bias", "pe.bias");
  }

  const ModelSpec& spec_;
  std::int64_t length_;
  const TensorByName& tensor_;
  const Trainable& trainable_;
  ParamValues values_;
};

}  // namespace

Array layerStack(const std::string& name, std::int64_t num_layers, const TensorByName& tensor) {
  Array stack;
  std::vector<double> values;
  for (std::int64_t l = 0; l < num_layers; ++l) {
    const Array one = tensor(join("layers.", l, ".", name));
    if (one.shape.empty() || (l > 0 && one.shape != stack.shape)) return {};
    stack.shape = one.shape;
    if (one.values) values.insert(values.end(), one.values->begin(), one.values->end());
  }
  stack.shape.insert(stack.shape.begin(), num_layers);
  return values.empty() ? stack : makeArray(stack.shape, std::move(values));
}

SchemeChoice trainedScheme(const ModelSpec& spec, std::int64_t length, const TensorByName& tensor) {
  SchemeChoice choice;
  choice.id = spec.position.scheme;
  choice.values = Collector(spec, length, tensor).values();
  const Scheme& scheme = *schemes::find(choice.id);
  std::erase_if(choice.values, [&](const auto& entry) {
    const ParamSpec* known = findParam(scheme.params, entry.first);
    assert(known);
    return known->default_value == entry.second;
  });
  return choice;
}

}  // namespace posiscope::train
