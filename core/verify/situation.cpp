// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/aliases.h"
#include "core/verify/encode.h"

#include <cmath>
#include <utility>

namespace posiscope::verify {
namespace {

std::vector<std::uint8_t> flags(CaseReader& in, const char* key) {
  if (!in.has(key)) return {};
  std::vector<std::uint8_t> result;
  for (const double value : in.list(key)) result.push_back(value != 0);
  return result;
}

}  // namespace

ParamValues schemeValues(CaseReader& in, std::string_view id, std::string_view names) {
  ParamValues values;
  if (Expected<ResolvedScheme> resolved = resolveScheme(in.reference().scheme); resolved && resolved->id == id)
    values = std::move(resolved->values);
  for (const std::string& name : words(names)) {
    if (!in.has(name.c_str())) continue;
    const nlohmann::json& given = in.reference().params[name];
    const std::string key = resolveParam(id, name);
    const Scheme* scheme = schemes::find(id);
    const ParamSpec* spec = scheme ? findParam(scheme->params, key) : nullptr;
    if (given.is_boolean() && spec && spec->kind == ParamKind::choice)
      values[key] = resolveWord(id, key, given.get<bool>() ? "true" : "false");
    else if (given.is_boolean() || (spec && spec->kind == ParamKind::boolean))
      values[key] = in.boolean(name.c_str(), false);
    else if (given.is_string())
      values[key] = resolveWord(id, key, given.get<std::string>());
    else if (given.is_array())
      values[key] = in.list(name.c_str());
    else
      values[key] = in.number(name.c_str());
  }
  return values;
}

ParamValues sinusoidalValues(CaseReader& in, std::int64_t width) {
  ParamValues values = schemeValues(in, "sinusoidal", "base layout freq");
  if (!in.has("scale")) return values;
  // "rsqrt_d", "dim^-0.5": the initial value of a learned scalar.
  const bool named = in.reference().params["scale"].is_string();
  if (named) in.expect("scale", {"rsqrt_d", "dim^-0.5"});
  // That form is the scheme scaled_sinusoidal: as many sines as cosines, one block after the other.
  if (named && width % 2 != 0 && values.contains("columns") && values["columns"] == Value(std::string("concatenated")))
    in.wrong({ErrorCode::bad_shape,
              {join("sinusoidal: a concatenated table scaled by d^(−1/2) needs an even dim, got ", width),
               join("sinusoidal：按 d^(−1/2) 缩放的拼接表要求 dim 为偶数，得到 ", width)}});
  values["scale"] = named ? 1 / std::sqrt(static_cast<double>(width)) : in.number("scale");
  return values;
}

std::optional<double> readLogitScale(CaseReader& in, const Shape& shape) {
  if (!in.has("scale")) return std::nullopt;
  if (!in.reference().params["scale"].is_string()) return in.number("scale");
  const std::string written = in.word("scale", "");
  // The number is how many widths of a head stand under the root.
  for (const auto& [words, widths] : {std::pair{"rsqrt_d", 1},
                                      {"1/sqrt(d)", 1},
                                      {"1/sqrt(head_dim)", 1},
                                      {"1/sqrt(2*head_dim)", 2},
                                      {"1/sqrt(3*head_dim)", 3}})
    if (written == words) return 1 / std::sqrt(static_cast<double>(widths * shape.head_dim));
  in.notSupported(join("scale = ", written));
  return std::nullopt;
}

double readFirstPosition(CaseReader& in) {
  const double first = in.number("position_start", 0);
  const ParamSpec* spec = findParam(shapeTable().specs(), "first_position");
  if (first >= spec->minimum && first <= spec->maximum) return first;
  in.wrong(rangeError(in.reference().scheme, "position_start", spec->minimum, spec->maximum, first));
  return 0;
}

Mask readMask(CaseReader& in, bool with_window) {
  Mask mask;
  mask.causal = in.boolean("causal", false);
  if (with_window) mask.window = in.integer("window", 0, 1 << 24, -1);
  mask.prefix = in.integer("prefix", 0, 1 << 24, 0);
  mask.key_padding = flags(in, "key_padding");
  mask.query_padding = flags(in, "query_padding");
  return mask;
}

Situation readSituation(CaseReader& in, bool with_window) {
  Situation s;
  s.mask = readMask(in, with_window);
  s.shape.seq_len = static_cast<std::int64_t>(s.mask.key_padding.size());
  if (s.mask.key_padding.empty() || in.has("seq_len_k") || in.has("seq_len"))
    s.shape.seq_len = in.size("seq_len", {"seq_len_k", "seq_len"});
  if (in.has("seq_len_q")) s.shape.seq_len_q = in.size("seq_len_q", {"seq_len_q"});
  s.shape.num_heads = in.size("num_heads", {"num_heads"});
  if (in.has("num_kv_heads")) s.shape.num_kv_heads = in.size("num_kv_heads", {"num_kv_heads"});
  if (in.has("head_dim")) s.shape.head_dim = in.size("head_dim", {"head_dim"});
  s.shape.d_model = in.has("d_model") ? in.size("d_model", {"d_model"}) : s.shape.num_heads * s.shape.head_dim;
  s.shape.first_position = readFirstPosition(in);
  if (Outcome ok = checkShape(s.shape); !ok) in.wrong(ok.error());
  if (Outcome ok = checkMask(s.mask, s.shape); !ok) in.wrong(ok.error());
  return s;
}

namespace {

template <class T>
Table<T> matrix(CaseReader& in, const char* name, std::int64_t rows, std::int64_t cols) {
  return {rows, cols, valuesAs<T>(in.array(name, {rows, cols}))};
}

}  // namespace

template <class T>
Content<T> readContent(CaseReader& in, const Shape& s) {
  Content<T> content;
  const std::int64_t width = s.num_heads * s.head_dim;
  const std::int64_t kv_width = s.kvHeads() * s.head_dim;
  if (in.hasInput("E")) {
    for (const char* name : {"Q", "K", "V"})
      if (in.hasInput(name)) in.notSupported(join("the input ", name, " beside E"));
    content.x = matrix<T>(in, "E", s.keys(), s.d_model);
    content.w_q = matrix<T>(in, "W_Q", width, s.d_model);
    content.w_k = matrix<T>(in, "W_K", kv_width, s.d_model);
    if (in.hasInput("W_V")) {
      content.w_v = matrix<T>(in, "W_V", kv_width, s.d_model);
      content.value_dim = s.head_dim;
    }
    return content;
  }
  if (in.hasInput("x")) content.x = matrix<T>(in, "x", s.keys(), s.d_model);
  content.q = valuesAs<T>(in.array("Q", {s.num_heads, s.queries(), s.head_dim}));
  content.k = valuesAs<T>(in.array("K", {s.kvHeads(), s.keys(), s.head_dim}));
  if (in.hasInput("V")) {
    const Array v = in.array("V", {s.kvHeads(), s.keys(), -1});
    content.value_dim = v.rank() == 3 ? v.shape[2] : 0;
    content.v = valuesAs<T>(v);
  }
  return content;
}

template Content<float> readContent<float>(CaseReader&, const Shape&);
template Content<double> readContent<double>(CaseReader&, const Shape&);

}  // namespace posiscope::verify
