// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rotations that differ from head to head (rope_multi) or from layer to layer (rope_dual).
#include "core/aliases.h"
#include "core/rotary_heads.h"
#include "core/verify/rotary_case.h"

#include <utility>

namespace posiscope::verify {
namespace {

constexpr const char* multi_params =
    "head_dim heads num_heads bases base_min base_max factor_min factor_max base rotary_pct rotary_dim layout";

Expected<RotaryCase> readMulti(CaseReader& in) {
  Shape shape;
  shape.head_dim = in.size("head_dim", {"head_dim"});
  ParamValues values = schemeValues(in, "rope", "base rotary_pct rotary_dim layout bases");
  if (in.has("bases") && !in.has("heads"))
    shape.num_heads = std::max<std::int64_t>(1, static_cast<std::int64_t>(in.list("bases").size()));
  else
    shape.num_heads = in.size("num_heads", {"heads", "num_heads"});
  for (const std::string kind : {"base", "factor"}) {
    const std::string low = kind + "_min", high = kind + "_max";
    if (!in.has(low.c_str()) && !in.has(high.c_str())) continue;
    values["spread"] = kind;
    values[low] = in.number(low.c_str());
    values[high] = in.number(high.c_str());
  }
  if (in.problem()) return fail(*in.problem());
  return encodeRotary("rope", values, shape);
}

/// The two kinds of layers as one scheme: what stands in `global` is its base and scaling, `local` has a base.
ParamValues dualValues(CaseReader& in) {
  ParamValues values{{"dual", true}};
  const auto part = [&](const char* name) {
    if (in.has(name) && in.reference().params[name].is_object()) return in.reference().params[name];
    in.notSupported(join("rope_dual without an object '", name, "'"));
    return nlohmann::json::object();
  };
  Case global = in.reference();
  global.params = part("global");
  CaseReader global_reader(global);
  values.merge(schemeValues(global_reader, "rope", ropeParams()));
  const nlohmann::json local = part("local");
  for (const auto& [key, value] : local.items()) {
    if (key == "base" && value.is_number())
      values["local_base"] = value.get<double>();
    else if (global.params.contains(key) && global.params[key] == value)
      values["scale_local"] = true;
    else
      in.notSupported(join("local.", key, " different from global.", key));
  }
  for (const auto& [key, value] : global.params.items())
    if (findParam(schemes::find("rope")->params, resolveParam("rope", key)) == nullptr)
      in.notSupported(join("global.", key));
  if (global_reader.problem()) in.wrong(*global_reader.problem());
  return values;
}

/// The rows of both kinds of layers under one another, local first.
Expected<RotaryCase> readDual(CaseReader& in) {
  Shape shape;
  shape.num_heads = 1;
  shape.head_dim = in.size("head_dim", {"head_dim"});
  shape.num_layers = 2;
  ParamValues values = dualValues(in);
  if (in.problem()) return fail(*in.problem());
  values["period"] = 2.0;
  values["global_at"] = 1.0;
  Expected<RotaryCase> local = encodeRotary("rope", values, shape);
  if (!local) return local;
  shape.layer = 1;
  const Expected<RotaryCase> global = encodeRotary("rope", values, shape);
  if (!global) return global;
  if (local->part.attention_factor != global->part.attention_factor)
    return fail(ErrorCode::not_supported, "rope_dual: an attention factor in one kind of layers is not supported");
  local->part.sets = 2;
  local->part.frequency.insert(local->part.frequency.end(), global->part.frequency.begin(),
                               global->part.frequency.end());
  return local;
}

template <class T>
Expected<Answer> ofSets(CaseReader& in, const Expected<RotaryCase>& r, const std::string& key) {
  if (!r) return fail(r.error());
  if (key == "inv_freq") return frequencies<T>(r->part, true);
  if (key == "decay") return onesDecay<T>(in, r->part);
  const std::vector<double> positions = in.positions();
  if (in.problem()) return fail(*in.problem());
  return waves<T>(rotationAt(r->part, positions), key);
}

template <class T>
Expected<Answer> layerTypes(CaseReader& in) {
  const std::int64_t layers = in.integer("layers", 1, 4096);
  const std::int64_t period = in.integer("period", 1, 4096);
  const std::int64_t global_at = in.integer("global_at", 0, period - 1);
  if (in.problem()) return fail(*in.problem());
  std::vector<double> kinds;
  for (std::int64_t l = 0; l < layers; ++l) kinds.push_back(isGlobalLayer(l, period, global_at));
  return answer<T>({layers}, kinds);
}

}  // namespace

void addRotarySets(std::vector<Quantity>& list) {
  const std::string dual = "head_dim local global layers period global_at";
  for (const std::string key : {"inv_freq", "decay", "cos", "sin"}) {
    list.push_back(quantityAt("rope_multi", key, multi_params, "", [key]<class T>(CaseReader& in, const Job&) {
      return ofSets<T>(in, readMulti(in), key);
    }));
    list.push_back(quantityAt("rope_dual", key, dual, "",
                              [key]<class T>(CaseReader& in, const Job&) { return ofSets<T>(in, readDual(in), key); }));
  }
  list.push_back(quantity("rope_dual", "layer_types", dual, "",
                          []<class T>(CaseReader& in, const Job&) { return layerTypes<T>(in); }));
}

}  // namespace posiscope::verify
