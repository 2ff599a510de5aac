// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// xPos, the decoupled rotation of a part of the head, and patterns over layers.
#include "core/aliases.h"
#include "core/attention/attention.h"
#include "core/profile.h"
#include "core/verify/rotary_case.h"
#include "core/xpos.h"

#include <cmath>

namespace posiscope::verify {
namespace {

Expected<RotaryCase> readXpos(CaseReader& in) {
  Shape shape;
  shape.num_heads = 1;
  shape.seq_len = 1;
  shape.head_dim = in.size("head_dim", {"head_dim"});
  ParamValues values = schemeValues(in, "xpos", "base rotary_pct rotary_dim layout pairing gamma scale_base");
  values["center_at"] = std::string("position");
  values["center"] = in.number("center", 0);
  if (in.problem()) return fail(*in.problem());
  return encodeRotary("xpos", values, shape);
}

/// ζ^((p − centre)/scale_base) of each position and pair: the factor of a query.
template <class T>
Expected<Answer> xposScale(CaseReader& in, const RotationPart& part) {
  const std::vector<double> positions = in.positions();
  if (in.problem()) return fail(*in.problem());
  std::vector<double> scale;
  for (const double p : positions)
    for (const double step : part.log_magnitude) scale.push_back(std::exp(step * (p - part.magnitude_center)));
  return answer<T>({static_cast<std::int64_t>(positions.size()), part.pairs()}, scale);
}

template <class T>
Expected<Answer> ofXpos(CaseReader& in, const std::string& key) {
  const Expected<RotaryCase> r = readXpos(in);
  if (!r) return fail(r.error());
  if (key == "zeta") return answer<T>({r->part.pairs()}, xposZeta(in.number("gamma", 0.4), r->part.rotary_dim));
  if (key == "scale") return xposScale<T>(in, r->part);
  if (key == "score_ones") {
    Expected<Answer> a = onesDecay<T>(in, r->part);
    if (a) a->array.shape.erase(a->array.shape.begin());
    return a;
  }
  const std::vector<double> positions = in.positions();
  if (in.problem()) return fail(*in.problem());
  return turned<T>(in, rotationAt(r->part, positions), r->shape.head_dim, key == "rotated_k");
}

/// A case of the decoupled scheme: both widths make up the head; the scaling stands in an object of its own.
struct Decoupled {
  Shape shape;
  ParamValues values;
  std::int64_t content_width = 0;
  std::int64_t turned_width = 0;
};

Decoupled readDecoupled(CaseReader& in) {
  Decoupled d;
  const auto size = [&](const char* key) { return in.has(key) ? in.size("seq_len", {key}) : 1; };
  d.shape.num_heads = in.has("num_heads") ? in.size("num_heads", {"num_heads"}) : 1;
  d.shape.seq_len = size("seq_len_k");
  d.shape.seq_len_q = in.has("seq_len_q") ? size("seq_len_q") : d.shape.seq_len;
  d.shape.first_position = readFirstPosition(in);
  d.content_width = in.integer("qk_nope_head_dim", 0, 1 << 14);
  d.turned_width = in.integer("qk_rope_head_dim", 0, 1 << 14);
  d.shape.head_dim = std::max<std::int64_t>(1, d.content_width + d.turned_width);
  d.shape.d_model = d.shape.num_heads * d.shape.head_dim;
  d.values = schemeValues(in, "rope_decoupled", join(ropeParams(), " rescale_softmax"));
  // A stretch written beside the widths and not said to be of another kind is the models' own.
  if (!d.values.contains("scaling") && d.values.contains("factor")) d.values["scaling"] = std::string("yarn");
  if (d.values.contains("factor")) d.values = withLengths(in, std::move(d.values));
  if (in.has("yarn")) {
    Case scaling = in.reference();
    scaling.params = in.reference().params["yarn"];
    CaseReader reader(scaling);
    d.values.merge(schemeValues(reader, "rope_decoupled",
                                "factor original_max_position beta_fast beta_slow truncate attention_factor mscale "
                                "mscale_all_dim mscale_rule"));
    d.values["scaling"] = std::string("yarn");
    for (const auto& [key, value] : scaling.params.items())
      if (!findParam(schemes::find("rope_decoupled")->params, resolveParam("rope_decoupled", key)))
        in.notSupported(join("yarn.", key));
    if (reader.problem()) in.wrong(*reader.problem());
  }
  if (d.turned_width > 0)
    d.values["rotary_dim"] = static_cast<double>(d.turned_width);
  else
    d.values["rotary_share"] = 0.0;
  return d;
}

/// (content | rotated part) of each head; an array without heads is shared by all of them. One of the two parts may be
/// left at zero, which leaves one of the two terms.
template <class T>
std::vector<T> joined(CaseReader& in, const Decoupled& d, char which, std::int64_t rows, bool content, bool rotated) {
  const std::int64_t width = d.shape.head_dim;
  std::vector<T> all(static_cast<std::size_t>(d.shape.num_heads * rows * width));
  const auto place = [&](const std::string& name, std::int64_t first, std::int64_t columns) {
    if (columns == 0) return;
    const Array part = in.array(name.c_str());
    const bool shared = part.rank() == 2 || (part.rank() == 3 && part.shape[0] == 1 && d.shape.num_heads > 1);
    const std::int64_t heads = shared ? 1 : d.shape.num_heads;
    if (part.size() != heads * rows * columns) return in.notSupported(join("the shape of ", name));
    for (std::int64_t h = 0; h < d.shape.num_heads; ++h)
      for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < columns; ++c)
          all[static_cast<std::size_t>((h * rows + r) * width + first + c)] =
              static_cast<T>(part.data()[((shared ? 0 : h) * rows + r) * columns + c]);
  };
  if (content) place(std::string(1, which) + "_nope", 0, d.content_width);
  if (rotated) place(std::string(1, which) + "_rope", d.content_width, d.turned_width);
  return all;
}

template <class T>
Expected<std::vector<T>> decoupledTerm(CaseReader& in, const Decoupled& d, bool content, bool rotated, bool weights,
                                       const Job& job) {
  Content<T> c;
  c.q = joined<T>(in, d, 'Q', d.shape.queries(), content, rotated);
  c.k = joined<T>(in, d, 'K', d.shape.keys(), content, rotated);
  Mask mask;
  mask.causal = in.boolean("causal", false);
  if (in.problem()) return fail(*in.problem());
  const Expected<Encoding<T>> encoding = encodeCase<T>("rope_decoupled", d.values, d.shape);
  if (!encoding) return fail(encoding.error());
  attention::Wanted wanted;
  wanted.logits = !weights;
  wanted.weights = weights;
  auto result = attention::attend<T>(*encoding, c, mask, d.shape, wanted, job);
  if (!result) return fail(result.error());
  return weights ? std::move(result->weights) : std::move(result->logits);
}

template <class T>
Expected<Answer> ofDecoupled(CaseReader& in, const std::string& key, const Job& job) {
  const Decoupled d = readDecoupled(in);
  if (in.problem()) return fail(*in.problem());
  const Expected<Encoding<double>> encoding = encodeCase<double>("rope_decoupled", d.values, d.shape);
  if (!encoding) return fail(encoding.error());
  const auto& rotation = encoding->rotation;
  if (key == "inv_freq") {
    const std::vector<double> w = rotation ? rotation->frequency : std::vector<double>{};
    return answer<T>({static_cast<std::int64_t>(w.size())}, w);
  }
  if (key == "scale")
    return answer<T>({2}, std::vector{encoding->logit_scale, rotation ? rotation->attention_factor : 1.0});
  std::vector<std::int64_t> shape{d.shape.num_heads, d.shape.queries(), d.shape.keys()};
  const bool terms = key == "terms";
  Expected<std::vector<T>> values = decoupledTerm<T>(in, d, true, !terms, key == "attn", job);
  if (!values) return fail(values.error());
  if (terms) {
    const Expected<std::vector<T>> position = decoupledTerm<T>(in, d, false, true, false, job);
    if (!position) return fail(position.error());
    values->insert(values->end(), position->begin(), position->end());
    shape.insert(shape.begin(), 2);
  }
  return product<T>(shape, *values);
}

/// A model's list: 0 for each layer that looks at everything, 1 for the others.
std::vector<double> kindsOfLayers(CaseReader& in) {
  const nlohmann::json& types = in.reference().params["layer_types"];
  if (!types.is_array() || types.empty() || !types[0].is_string()) return in.list("layer_types");
  std::vector<double> kinds;
  for (const nlohmann::json& type : types) {
    const bool limited = type == "sliding_attention" || type == "chunked_attention";
    if (!limited && type != "full_attention") in.notSupported(join("the layer type ", type.dump()));
    kinds.push_back(limited);
  }
  return kinds;
}

/// The scheme asked for each layer in turn: does it rotate, and does it look at a part only?
template <class T>
Expected<Answer> ofLayers(CaseReader& in, bool kinds) {
  Shape shape;
  shape.num_layers = in.integer("num_layers", 1, 4096);
  ParamValues values = kinds ? schemeValues(in, "layer_pattern", "pattern last_full")
                             : schemeValues(in, "layer_pattern", "interval no_rope_layers");
  if (kinds && in.has("layer_types")) values["layer_kinds"] = kindsOfLayers(in);
  if (kinds) {
    values["rope_rule"] = std::string("all");
    values["full_rule"] = std::string("pattern");
  }
  if (in.problem()) return fail(*in.problem());
  std::vector<double> flags;
  for (shape.layer = 0; shape.layer < shape.num_layers; ++shape.layer) {
    const Expected<Encoding<double>> encoding = encodeCase<double>("layer_pattern", values, shape);
    if (!encoding) return fail(encoding.error());
    flags.push_back(kinds ? encoding->reach.isLimited() : encoding->rotation.has_value());
  }
  return answer<T>({shape.num_layers}, flags);
}

template <class T>
Expected<Answer> chunkedMask(CaseReader& in) {
  Shape shape;
  shape.seq_len = in.size("seq_len", {"seq_len"});
  const ParamValues values = schemeValues(in, "layer_pattern", "chunk_size");
  if (in.problem()) return fail(*in.problem());
  const double cells = static_cast<double>(shape.keys()) * static_cast<double>(shape.keys());
  if (Outcome ok = checkMemory("the mask", cells * sizeof(double)); !ok) return fail(ok.error());
  const Expected<Encoding<double>> encoding = encodeCase<double>("layer_pattern", values, shape);
  if (!encoding) return fail(encoding.error());
  Mask causal;
  causal.causal = true;
  const Mask mask = narrowed(causal, encoding->reach);
  std::vector<double> keep;
  for (std::int64_t i = 0; i < shape.queries(); ++i)
    for (std::int64_t j = 0; j < shape.keys(); ++j) keep.push_back(mask.allows(shape, i, j));
  return answer<T>({shape.queries(), shape.keys()}, keep);
}

}  // namespace

void addRotaryParts(std::vector<Quantity>& list) {
  const std::string xpos = "head_dim base rotary_pct rotary_dim layout pairing gamma scale_base center";
  for (const std::string key : {"zeta", "scale", "rotated_q", "rotated_k", "score_ones"})
    list.push_back(quantityAt("xpos", key, xpos, key.starts_with("rotated") ? "x" : "",
                              [key]<class T>(CaseReader& in, const Job&) { return ofXpos<T>(in, key); }));
  const std::string decoupled = join(
      "num_heads seq_len_q seq_len_k position_start qk_nope_head_dim qk_rope_head_dim causal yarn rescale_softmax ",
      ropeParams());
  for (const std::string key : {"terms", "logits", "attn", "scale", "inv_freq"})
    list.push_back(quantity("rope_decoupled mla", key, decoupled, "Q_nope Q_rope K_nope K_rope",
                            [key]<class T>(CaseReader& in, const Job& job) { return ofDecoupled<T>(in, key, job); }));
  list.push_back(quantity("layer_pattern", "rope_layers", "num_layers interval no_rope_layers", "",
                          []<class T>(CaseReader& in, const Job&) { return ofLayers<T>(in, false); }));
  list.push_back(quantity("layer_pattern", "layer_kinds", "num_layers pattern last_full layer_types", "",
                          []<class T>(CaseReader& in, const Job&) { return ofLayers<T>(in, true); }));
  list.push_back(quantity("layer_pattern", "keep", "seq_len chunk_size", "",
                          []<class T>(CaseReader& in, const Job&) { return chunkedMask<T>(in); }));
}

}  // namespace posiscope::verify
