// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Products of reflections, Fourier and polar forms, forget gates.
#include "core/schemes/fope.h"
#include "core/schemes/forget_gate.h"
#include "core/verify/attention_case.h"

#include <algorithm>

namespace posiscope::verify {
namespace {

ParamValues pathValues(CaseReader& in, const Shape&) { return {{"w", in.array("w")}, {"beta", in.array("beta")}}; }

ParamValues popeValues(CaseReader& in, const Shape&) {
  ParamValues values = schemeValues(in, "pope", "base");
  if (in.hasInput("delta")) values["delta"] = in.array("delta");
  return values;
}

/// Logits without a mask, weights under the causal one unless the case says otherwise.
template <class T>
Expected<Answer> popeAnswer(CaseReader& in, const std::string& key, const Job& job) {
  Situation s = readSituation(in, true);
  s.mask.causal = in.boolean("causal", key != "logits");
  return attentionAnswer<T>(in, {"pope", "pope", "", "", popeValues}, s, key, job);
}

/// cos' and sin' of each head, position and pair.
template <class T>
Expected<Answer> fopeCosSin(CaseReader& in) {
  Shape s;
  s.num_heads = in.size("num_heads", {"num_heads"});
  s.head_dim = in.size("head_dim", {"head_dim"});
  s.seq_len = in.size("seq_len", {"seq_len"});
  schemes::FopeParams p;
  p.base = in.number("base", p.base);
  p.train_length = in.number("train_length");
  p.pad_sin = in.integer("pad_sin", 0, 1, p.pad_sin);
  p.cos_coef = in.array("cos_coef");
  p.sin_coef = in.array("sin_coef");
  const double first = in.number("position_start", 0);
  if (in.problem()) return fail(*in.problem());
  const Expected<Encoding<T>> encoding = encodeCase<T>("fope",
                                                       {{"base", p.base},
                                                        {"train_length", p.train_length},
                                                        {"pad_sin", static_cast<double>(p.pad_sin)},
                                                        {"cos_coef", p.cos_coef},
                                                        {"sin_coef", p.sin_coef}},
                                                       s);
  if (!encoding) return fail(encoding.error());
  if (const double kept = encoding->facts.front().value; in.number("kept", kept) != kept)
    in.notSupported(join("kept other than ", kept));
  if (in.problem()) return fail(*in.problem());
  std::vector<double> values;
  for (const bool sine : {false, true})
    for (std::int64_t h = 0; h < s.num_heads; ++h) {
      const schemes::FopeTurns turns = schemes::fopeTurns(p, s, h, first, s.keys());
      std::ranges::copy(sine ? turns.sine.values : turns.cosine.values, std::back_inserter(values));
    }
  return answer<T>({2, s.num_heads, s.keys(), s.head_dim / 2}, values);
}

constexpr const char* forget_params = "mode post_log_scale gate_dim";
constexpr const char* forget_inputs = "x W b W_rev b_rev q_gate k_gate";

ParamValues forgetValues(CaseReader& in, const Shape&) {
  ParamValues values = schemeValues(in, "forget_gate", forget_params);
  for (const auto& [theirs, ours] : {std::pair{"W", "w"},
                                     {"b", "b"},
                                     {"W_rev", "w_rev"},
                                     {"b_rev", "b_rev"},
                                     {"q_gate", "q_gate"},
                                     {"k_gate", "k_gate"}})
    if (in.hasInput(theirs)) values[ours] = in.array(theirs);
  return values;
}

Situation forgetSituation(CaseReader& in) {
  Situation s = readSituation(in, true);
  s.mask.causal = in.boolean("causal", in.word("mode", "causal") != "bidirectional");
  return s;
}

template <class T>
Expected<Answer> forgetAttention(CaseReader& in, const std::string& key, const Job& job) {
  return attentionAnswer<T>(in, {"forget_gate", "forget_gate", "", "", forgetValues}, forgetSituation(in), key, job);
}

/// The logits of queries and keys that are zero.
template <class T>
Expected<Answer> forgetBias(CaseReader& in, const Job& job) {
  const Situation s = forgetSituation(in);
  const ParamValues values = forgetValues(in, s.shape);
  Content<T> content;
  if (in.hasInput("x"))
    content.x = {s.shape.keys(), s.shape.d_model, valuesAs<T>(in.array("x", {s.shape.keys(), s.shape.d_model}))};
  if (in.problem()) return fail(*in.problem());
  content.q.resize(static_cast<std::size_t>(s.shape.num_heads * s.shape.queries() * s.shape.head_dim));
  content.k.resize(static_cast<std::size_t>(s.shape.kvHeads() * s.shape.keys() * s.shape.head_dim));
  const Expected<Encoding<T>> encoding = encodeCase<T>("forget_gate", values, s.shape);
  if (!encoding) return fail(encoding.error());
  const auto result = attention::attend<T>(*encoding, content, Mask{}, s.shape, {true, false, false, {}}, job);
  if (!result) return fail(result.error());
  return product<T>({s.shape.num_heads, s.shape.queries(), s.shape.keys()}, result->logits);
}

/// ln f of each head and token: `post_log_scale` only enters where they are summed up.
template <class T>
Expected<Answer> forgetLogGates(CaseReader& in) {
  const Shape s = forgetSituation(in).shape;
  const std::vector<T> x = valuesAs<T>(in.array("x", {s.keys(), s.d_model}));
  const std::vector<T> w = valuesAs<T>(in.array("W", {s.num_heads, s.d_model}));
  const Array b = in.array("b", {s.num_heads});
  if (in.problem()) return fail(*in.problem());
  std::vector<double> gates;
  for (std::int64_t h = 0; h < s.num_heads; ++h) {
    const std::span<const T> row(w.data() + h * s.d_model, static_cast<std::size_t>(s.d_model));
    std::ranges::copy(schemes::logForgetGates<T>({x.data(), s.keys(), s.d_model}, row, b.data()[h]),
                      std::back_inserter(gates));
  }
  return product<T>({s.num_heads, s.keys()}, gates);
}

}  // namespace

void addProducts(std::vector<Quantity>& list) {
  AttentionScheme path{"path", "path", "", "w beta", pathValues};
  path.masked = MaskedLogits::zero;
  addAttentionCases(list, path);
  list.push_back(quantity("fope", "cossin", "num_heads head_dim seq_len base train_length pad_sin kept position_start",
                          "cos_coef sin_coef", []<class T>(CaseReader& in, const Job&) { return fopeCosSin<T>(in); }));
  const std::string sizes = std::string(situation_params) + " window scale ";
  const std::string inputs = std::string(content_inputs) + " ";
  for (const std::string key : {"logits", "attn", "out"}) {
    list.push_back(quantity("pope", key, sizes + "base", inputs + "delta",
                            [key]<class T>(CaseReader& in, const Job& job) { return popeAnswer<T>(in, key, job); }));
    list.push_back(
        quantity("forget_gate", key, sizes + forget_params, inputs + forget_inputs,
                 [key]<class T>(CaseReader& in, const Job& job) { return forgetAttention<T>(in, key, job); }));
  }
  list.push_back(quantity("forget_gate", "bias", sizes + forget_params, forget_inputs,
                          []<class T>(CaseReader& in, const Job& job) { return forgetBias<T>(in, job); }));
  list.push_back(quantity("forget_gate", "log_gates", sizes + forget_params, "x W b",
                          []<class T>(CaseReader& in, const Job&) { return forgetLogGates<T>(in); }));
}

}  // namespace posiscope::verify
