// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Biases by distance: KERPLE, FIRE, Sandwich, the MLP of the distance.
#include "core/schemes/fire.h"
#include "core/verify/attention_case.h"
#include "core/verify/bias_case.h"

namespace posiscope::verify {
namespace {

std::vector<double> rates(CaseReader& in, const char* name) {
  const Array array = in.array(name, {-1});
  return array.empty() ? std::vector<double>{} : *array.values;
}

ParamValues kerpleValues(CaseReader& in, const Shape&) {
  ParamValues values = schemeValues(in, "kerple", "form reading");
  values["r1"] = rates(in, "r1");
  values["r2"] = rates(in, "r2");
  return values;
}

const char* const fire_params = "mlp_width width c L_threshold threshold_length eps epsilon reading";

ParamValues fireValues(CaseReader& in, const Shape&) {
  ParamValues values = schemeValues(in, "fire", fire_params);
  for (const auto& [theirs, ours] :
       {std::pair{"W1", "w1"}, std::pair{"b1", "b1"}, std::pair{"W2", "w2"}, std::pair{"b2", "b2"}})
    values[ours] = in.array(theirs);
  if (!values.contains("width")) values["width"] = static_cast<double>(in.array("W1", {-1, 1}).size());
  return values;
}

/// What the network sees of every pair, [L_q, L_k].
template <class T>
Expected<Answer> fireInputs(CaseReader& in) {
  const Shape s = readSituation(in, false).shape;
  schemes::FireParams p;
  p.c = in.number("c", p.c);
  p.threshold_length = in.number(in.has("L_threshold") ? "L_threshold" : "threshold_length", p.threshold_length);
  p.epsilon = in.number(in.has("eps") ? "eps" : "epsilon", p.epsilon);
  in.expect("reading", {"symmetric"});
  if (in.problem()) return fail(*in.problem());
  if (Outcome ok = roomForPairs(s, 1); !ok) return fail(ok.error());
  std::vector<double> values;
  for (std::int64_t i = 0; i < s.queries(); ++i)
    for (std::int64_t j = 0; j < s.keys(); ++j) {
      const std::int64_t row = i + s.queryOffset();
      values.push_back(schemes::fireInput(p, s.first_position + static_cast<double>(row),
                                          static_cast<double>(schemes::distanceOf(p.reading, row - j))));
    }
  return answer<T>({s.queries(), s.keys()}, values);
}

ParamValues sandwichValues(CaseReader& in, const Shape&) { return schemeValues(in, "sandwich", "bar_d base reading"); }

constexpr std::int64_t most_layers = 17;

/// "W0 b0 W1 b1 …": the layers as manifests name them.
std::string layerNames() {
  std::string names;
  for (std::int64_t l = 0; l < most_layers; ++l) names += join("W", l, " b", l, " ");
  return names;
}

/// The arrays of layers first … last − 1 on top of each other.
Array stacked(CaseReader& in, const char* letter, std::int64_t first, std::int64_t last,
              const std::vector<std::int64_t>& shape) {
  std::vector<double> values;
  for (std::int64_t l = first; l < last; ++l) {
    const Array layer = in.array(join(letter, l).c_str(), shape);
    if (!layer.empty()) values.insert(values.end(), layer.values->begin(), layer.values->end());
  }
  std::vector<std::int64_t> all{last - first};
  all.insert(all.end(), shape.begin(), shape.end());
  return makeArray(std::move(all), std::move(values));
}

ParamValues mlpBiasValues(CaseReader& in, const Shape& s) {
  ParamValues values = schemeValues(in, "dynamic_mlp_bias", "width depth log_distance");
  const std::int64_t depth = in.integer("depth", 1, most_layers - 1);
  const std::int64_t width = in.integer("width", 1, 1024);
  if (in.problem()) return values;
  values["w_in"] = in.array("W0", {width, 1});
  values["b_in"] = in.array("b0", {width});
  if (depth > 1) {
    values["w_hidden"] = stacked(in, "W", 1, depth, {width, width});
    values["b_hidden"] = stacked(in, "b", 1, depth, {width});
  }
  values["w_out"] = in.array(join("W", depth).c_str(), {s.num_heads, width});
  values["b_out"] = in.array(join("b", depth).c_str(), {s.num_heads});
  return values;
}

void addBoth(std::vector<Quantity>& list, const BiasCase& bias) {
  addBiasCase(list, bias);
  addAttentionCases(list, {bias.names, bias.id, bias.params, bias.inputs, bias.values});
}

}  // namespace

void addDistances(std::vector<Quantity>& list) {
  addBoth(list, {"kerple kerple_log kerple_power", "kerple", "form reading", "r1 r2", kerpleValues});
  addBoth(list, {"fire", "fire", fire_params, "W1 b1 W2 b2", fireValues});
  addBoth(list, {"sandwich", "sandwich", "bar_d base reading", "", sandwichValues});
  addBoth(list, {"dynamic_mlp_bias", "dynamic_mlp_bias", "width depth log_distance", layerNames(), mlpBiasValues});
  list.push_back(quantity("fire", "x", join("seq_len seq_len_q seq_len_k num_heads position_start ", fire_params),
                          "W1 b1 W2 b2", []<class T>(CaseReader& in, const Job&) { return fireInputs<T>(in); }));
}

}  // namespace posiscope::verify
