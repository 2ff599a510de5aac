// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/layout.h"

#include "core/error.h"

#include <cmath>
#include <functional>
#include <numeric>

namespace posiscope::train {

Initial Initial::fanIn(std::int64_t inputs) { return normal(1.0 / std::sqrt(static_cast<double>(inputs))); }

std::int64_t Parameter::size() const {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

namespace {

class Writer {
 public:
  explicit Writer(const ModelSpec& spec) : spec_(spec) {}

  std::int64_t add(Parameter p) {
    p.offset = layout_.size;
    layout_.size += p.size();
    layout_.parameters.push_back(std::move(p));
    return layout_.parameters.back().offset;
  }
  LayerOffsets::Norm norm(const std::string& name) {
    const auto one = [&](const char* part, double value) {
      return add({.name = name + part, .shape = {spec_.d_model}, .initial = Initial::constant(value)});
    };
    const std::int64_t gain = one(".weight", 1);
    return {gain, one(".bias", 0)};
  }
  LayerOffsets::Linear linear(const std::string& name, std::int64_t outputs, std::int64_t inputs, Initial initial) {
    LayerOffsets::Linear at;
    at.weight = add({.name = name + ".weight", .shape = {outputs, inputs}, .initial = initial, .decayed = true});
    if (spec_.linear_bias) at.bias = add({.name = name + ".bias", .shape = {outputs}, .initial = {}});
    return at;
  }
  void layer(std::int64_t l) {
    const std::string name = join("layers.", l, ".");
    const std::int64_t d = spec_.d_model, f = spec_.hidden();
    // What is added to the residual stream starts smaller, so that its size does not grow with the depth.
    const auto residual = [&](std::int64_t inputs) {
      return Initial::normal(1.0 / std::sqrt(static_cast<double>(inputs * 2 * spec_.num_layers)));
    };
    LayerOffsets at;
    at.norm1 = norm(name + "ln1");
    at.q = linear(name + "attn.q", d, d, Initial::fanIn(d));
    at.k = linear(name + "attn.k", d, d, Initial::fanIn(d));
    at.v = linear(name + "attn.v", d, d, Initial::fanIn(d));
    at.o = linear(name + "attn.o", d, d, residual(d));
    at.norm2 = norm(name + "ln2");
    at.up = linear(name + "mlp.up", f, d, Initial::fanIn(d));
    at.down = linear(name + "mlp.down", d, f, residual(f));
    layout_.layers.push_back(at);
  }
  Layout& layout() { return layout_; }

 private:
  const ModelSpec& spec_;
  Layout layout_;
};

}  // namespace

Layout layoutOf(const ModelSpec& spec, const std::vector<Parameter>& position) {
  Writer writer(spec);
  writer.add({.name = "embed.weight",
              .shape = {spec.vocab, spec.d_model},
              .initial = Initial::normal(0.2),
              .role = Role::word});
  for (std::int64_t l = 0; l < spec.num_layers; ++l) writer.layer(l);
  writer.layout().final_norm = writer.norm("final_ln");
  if (!spec.tied) writer.layout().head = writer.linear("head", spec.outputs(), spec.d_model, Initial::normal(0.02));
  writer.layout().position = writer.layout().size;
  for (Parameter p : position) {
    p.role = Role::position;
    writer.add(std::move(p));
  }
  return std::move(writer.layout());
}

}  // namespace posiscope::train
