// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rotations that differ from head to head (rope_multi) or from layer to layer (rope_dual).
#include "core/aliases.h"
#include "core/rotary_heads.h"
#include "core/verify/rotary_case.h"

#include <algorithm>
#include <utility>

namespace posiscope::verify {
namespace {

using Rotations = std::vector<RotaryCase>;

std::string multiParams() {
  return join("head_dim seq_len heads num_heads base_min base_max factor_min factor_max bases bases_by ", ropeParams());
}

/// One rotation with a set for each head, or one for each layer.
Expected<Rotations> readMulti(CaseReader& in) {
  Shape shape;
  shape.num_heads = 1;
  shape.head_dim = in.size("head_dim", {"head_dim"});
  shape.seq_len = in.has("seq_len") ? in.size("seq_len", {"seq_len"}) : 1;
  ParamValues values = ropeOf(in, shape);
  values.merge(schemeValues(in, "rope", "bases bases_by"));
  const bool by_layer = in.word("bases_by", "head") == "layer";
  const auto listed = in.has("bases") ? static_cast<std::int64_t>(in.list("bases").size()) : 0;
  if (by_layer)
    shape.num_layers = std::clamp<std::int64_t>(listed, 1, 4096);
  else if (in.has("heads") || in.has("num_heads") || listed == 0)
    shape.num_heads = in.size("num_heads", {"heads", "num_heads"});
  else
    shape.num_heads = listed;
  for (const std::string kind : {"base", "factor"}) {
    const std::string low = kind + "_min", high = kind + "_max";
    if (!in.has(low.c_str()) && !in.has(high.c_str())) continue;
    values["spread"] = kind;
    values[low] = in.number(low.c_str());
    values[high] = in.number(high.c_str());
  }
  if (in.problem()) return fail(*in.problem());
  Rotations all;
  for (shape.layer = 0; shape.layer < shape.num_layers; ++shape.layer) {
    Expected<RotaryCase> r = encodeRotary("rope", values, shape);
    if (!r) return fail(r.error());
    all.push_back(*std::move(r));
  }
  return all;
}

/// What the object `name` says of its kind of layers, under any names; beside it stands what holds for both.
struct Kind {
  ParamValues values;
  std::int64_t seq_len = 1;
};
Kind readKind(CaseReader& in, const char* name) {
  Case part = in.reference();
  if (!in.has(name) || !part.params[name].is_object()) {
    in.notSupported(join("rope_dual without an object '", name, "'"));
    return {};
  }
  const nlohmann::json own = part.params[name];
  for (const char* outer : {"local", "global", "head_dim"}) part.params.erase(outer);
  const auto isOurs = [](const std::string& key) {
    return findParam(schemes::find("rope")->params, resolveParam("rope", key)) != nullptr;
  };
  std::string names;
  for (const auto& [key, value] : part.params.items())
    if (isOurs(key)) names += " " + key;
  for (const auto& [key, value] : own.items()) {
    part.params[key] = value;
    if (isOurs(key))
      names += " " + key;  // behind what stands outside: the later one counts
    else if (key != "seq_len")
      in.notSupported(join(name, ".", key));
  }
  CaseReader reader(part);
  Kind kind{withLengths(reader, schemeValues(reader, "rope", names)),
            reader.has("seq_len") ? reader.size("seq_len", {"seq_len"}) : 1};
  if (reader.problem()) in.wrong(*reader.problem());
  for (const char* layers : {"dual", "period", "global_at", "last_global"}) kind.values.erase(layers);
  return kind;
}

bool sharesAlike(const Kind& local, const Kind& global) {
  for (const char* key : {"rotary_share", "rotary_dim", "pairing"})
    if (local.values.contains(key) != global.values.contains(key) ||
        (local.values.contains(key) && local.values.at(key) != global.values.at(key)))
      return false;
  return true;
}

/// Local layers with a base alone, or with the global scaling, are the scheme's own two kinds of layers. Empty:
/// anything else, which is two rotations.
ParamValues dualValues(const Kind& local, const Kind& global) {
  const auto withoutBase = [](ParamValues values) {
    values.erase("base");
    return values;
  };
  const ParamValues scaling = withoutBase(local.values);
  const bool plain = !scaling.contains("scaling") || scaling.at("scaling") == Value(std::string("none"));
  const bool same = scaling == withoutBase(global.values);
  const bool turned = global.values.contains("scaling") && valueText(global.values.at("scaling")) == "proportional";
  if (local.seq_len != global.seq_len || (!same && (!plain || turned || !sharesAlike(local, global)))) return {};
  ParamValues values = global.values;
  values["dual"] = true;
  values["scale_local"] = same;
  values["period"] = 2.0;
  values["global_at"] = 1.0;
  if (local.values.contains("base")) values["local_base"] = local.values.at("base");
  return values;
}

/// Both kinds of layers, local first.
Expected<Rotations> readDual(CaseReader& in) {
  const Kind local = readKind(in, "local");
  const Kind global = readKind(in, "global");
  Shape shape;
  shape.num_heads = 1;
  shape.head_dim = in.size("head_dim", {"head_dim"});
  shape.num_layers = 2;
  if (in.problem()) return fail(*in.problem());
  const ParamValues dual = dualValues(local, global);
  Rotations all;
  for (const Kind* kind : {&local, &global}) {
    shape.layer = kind == &global;
    shape.seq_len = kind->seq_len;
    Expected<RotaryCase> r = encodeRotary("rope", dual.empty() ? kind->values : dual, shape);
    if (!r) return fail(r.error());
    all.push_back(*std::move(r));
  }
  return all;
}

template <class T>
Expected<Answer> ofSet(CaseReader& in, const RotationPart& part, const std::string& key) {
  if (key == "inv_freq") return frequencies<T>(part, true);
  if (key == "decay") return onesDecay<T>(in, part);
  const std::vector<double> positions = in.positions();
  if (in.problem()) return fail(*in.problem());
  return waves<T>(rotationAt(part, positions), key);
}

/// One rotation's own answer; of several the answers under one another.
template <class T>
Expected<Answer> ofSets(CaseReader& in, const Expected<Rotations>& all, const std::string& key) {
  if (!all) return fail(all.error());
  if (all->size() == 1) return ofSet<T>(in, all->front().part, key);
  std::vector<double> values;
  std::vector<std::int64_t> shape;
  for (const RotaryCase& r : *all) {
    const Expected<Answer> rows = ofSet<T>(in, r.part, key);
    if (!rows) return rows;
    const bool single = key == "cos" || key == "sin";  // of one set these have no axis for it
    const std::vector<std::int64_t> inner(rows->array.shape.begin() + (single ? 0 : 1), rows->array.shape.end());
    if (!values.empty() && inner != std::vector<std::int64_t>(shape.begin() + 1, shape.end()))
      return fail(ErrorCode::not_supported, join(key, " of layers that turn different widths is not supported"),
                  join("不支持旋转宽度不同的各层的 ", key));
    shape = inner;
    shape.insert(shape.begin(), static_cast<std::int64_t>(all->size()));
    values.insert(values.end(), rows->array.data(), rows->array.data() + rows->array.size());
  }
  return answer<T>(shape, values);
}

template <class T>
Expected<Answer> layerTypes(CaseReader& in) {
  const std::int64_t layers = in.integer(in.has("num_layers") ? "num_layers" : "layers", 1, 4096);
  const std::int64_t period = in.integer("period", 1, 4096);
  const std::int64_t global_at = in.integer("global_at", 0, period - 1);
  const bool last_global = in.boolean("last_global", false);
  if (in.problem()) return fail(*in.problem());
  std::vector<double> kinds;
  for (std::int64_t l = 0; l < layers; ++l)
    kinds.push_back(isGlobalLayer(l, period, global_at) || (last_global && l + 1 == layers));
  return answer<T>({layers}, kinds);
}

}  // namespace

void addRotarySets(std::vector<Quantity>& list) {
  const std::string dual =
      join("head_dim seq_len local global layers num_layers period global_at last_global ", ropeParams());
  for (const std::string key : {"inv_freq", "decay", "cos", "sin"}) {
    list.push_back(quantityAt("rope_multi", key, multiParams(), "", [key]<class T>(CaseReader& in, const Job&) {
      return ofSets<T>(in, readMulti(in), key);
    }));
    list.push_back(quantityAt("rope_dual", key, dual, "",
                              [key]<class T>(CaseReader& in, const Job&) { return ofSets<T>(in, readDual(in), key); }));
  }
  list.push_back(quantity("rope_dual", "layer_types", dual, "",
                          []<class T>(CaseReader& in, const Job&) { return layerTypes<T>(in); }));
}

}  // namespace posiscope::verify
