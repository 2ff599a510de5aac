// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Logits, weights and outputs of every scheme, through the one function that applies encodings; masks.
#include "core/verify/attention_case.h"
#include "core/verify/rotary_case.h"

namespace posiscope::verify {
namespace {

ParamValues nothing(CaseReader&, const Shape&) { return {}; }

/// `scale` is that of the logits here, not the table's.
ParamValues sinusoidalOf(CaseReader& in, const Shape&) { return schemeValues(in, "sinusoidal", "base layout freq"); }

ParamValues learnedOf(CaseReader& in, const Shape& shape) {
  return {{"table", in.array("table", {-1, shape.d_model})}};
}

template <class T>
Expected<Answer> maskAnswer(CaseReader& in) {
  const Situation s = readSituation(in, true);
  if (in.problem()) return fail(*in.problem());
  const double cells = static_cast<double>(s.shape.queries()) * static_cast<double>(s.shape.keys());
  if (Outcome ok = checkMemory("the mask", cells * sizeof(double)); !ok) return fail(ok.error());
  std::vector<double> allowed;
  for (std::int64_t i = 0; i < s.shape.queries(); ++i)
    for (std::int64_t j = 0; j < s.shape.keys(); ++j) allowed.push_back(s.mask.allows(s.shape, i, j));
  return answer<T>({s.shape.queries(), s.shape.keys()}, allowed);
}

}  // namespace

void addAttention(std::vector<Quantity>& list) {
  addAttentionCases(list, {"attention nope none", "none", "", "", nothing});
  AttentionScheme sinusoidal{"sinusoidal", "sinusoidal", "base layout freq where", "", sinusoidalOf};
  AttentionScheme learned{"learned", "learned", "where", "table", learnedOf};
  sinusoidal.needs_embeddings = learned.needs_embeddings = true;
  addAttentionCases(list, sinusoidal);
  addAttentionCases(list, learned);
  addAttentionCases(list,
                    {"rope_interleaved rope_half rope_partial rope rope_scaled", "rope", ropeParams(), "", ropeOf});
  addAttentionCases(list, {"t5_simple", "t5_simple", "max_distance sign", "table", t5SimpleValues});
  addAttentionCases(list, {"t5_log t5", "t5_log", "num_buckets max_distance bidirectional", "table", t5LogValues});
  addAttentionCases(list, {"alibi", "alibi", "form max_bias alibi_bias_max", "", alibiValues});
  list.push_back(quantity("mask", "mask", std::string(situation_params) + " window", "",
                          []<class T>(CaseReader& in, const Job&) { return maskAnswer<T>(in); }));
}

}  // namespace posiscope::verify
