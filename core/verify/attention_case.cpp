// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/attention_case.h"

#include <cmath>
#include <limits>

namespace posiscope::verify {
namespace {

template <class T>
void maskLogits(std::vector<T>& logits, MaskedLogits rule, const Situation& s) {
  if (rule == MaskedLogits::kept) return;
  const T value = rule == MaskedLogits::zero ? T(0) : -std::numeric_limits<T>::infinity();
  std::size_t e = 0;
  for (std::int64_t h = 0; h < s.shape.num_heads; ++h)
    for (std::int64_t i = 0; i < s.shape.queries(); ++i)
      for (std::int64_t j = 0; j < s.shape.keys(); ++j, ++e)
        if (!s.mask.allows(s.shape, i, j)) logits[e] = value;
}

template <class T>
Answer arrange(attention::Attention<T>& result, const std::string& key, MaskedLogits rule, const Situation& s) {
  if (key == "out") return product<T>({result.heads, result.queries, result.value_dim}, result.output);
  const std::vector<std::int64_t> shape{result.heads, result.queries, result.keys};
  if (key == "attn") return product<T>(shape, result.weights);
  maskLogits(result.logits, rule, s);
  return product<T>(shape, result.logits);
}

}  // namespace

template <class T>
Expected<Answer> attentionAnswer(CaseReader& in, const AttentionScheme& scheme, const Situation& situation,
                                 const std::string& key, const Job& job) {
  if (scheme.needs_embeddings && !in.hasInput("E")) in.notSupported(join(scheme.id, " without embeddings E"));
  in.expect("where", {"added to E before W_Q, W_K"});
  const Content<T> content = readContent<T>(in, situation.shape);
  const ParamValues values = scheme.values(in, situation.shape);
  const std::optional<double> scale = readLogitScale(in, situation.shape);
  if (in.problem()) return fail(*in.problem());
  Expected<Encoding<T>> encoding = encodeCase<T>(scheme.id, values, situation.shape);
  if (!encoding) return fail(encoding.error());
  if (scale && std::abs(*scale - encoding->logit_scale) > 1e-12) {
    // A score or terms of its own have the scheme's scale inside.
    if (scheme.scaled_bias || encoding->logits.score.prepare)
      return fail(ErrorCode::not_supported, join(scheme.id, ": a logit scale of ", *scale, " instead of its ",
                                                 encoding->logit_scale, " is not supported"));
    encoding->logit_scale = *scale;
  }
  attention::Wanted wanted;
  wanted.logits = key == "logits";
  wanted.weights = key == "attn";
  wanted.output = key == "out";
  Expected<attention::Attention<T>> result =
      attention::attend<T>(*encoding, content, situation.mask, situation.shape, wanted, job);
  if (!result) return fail(result.error());
  return arrange(*result, key, scheme.masked, situation);
}

template Expected<Answer> attentionAnswer<float>(CaseReader&, const AttentionScheme&, const Situation&,
                                                 const std::string&, const Job&);
template Expected<Answer> attentionAnswer<double>(CaseReader&, const AttentionScheme&, const Situation&,
                                                  const std::string&, const Job&);

void addAttentionCases(std::vector<Quantity>& list, const AttentionScheme& scheme) {
  const std::string params = join(situation_params, " scale ", scheme.params, scheme.own_window ? "" : " window");
  for (const std::string key : {"logits", "attn", "out"})
    list.push_back(quantity(scheme.names, key, params, join(content_inputs, " ", scheme.inputs),
                            [scheme, key]<class T>(CaseReader& in, const Job& job) -> Expected<Answer> {
                              const Situation situation = readSituation(in, !scheme.own_window);
                              return attentionAnswer<T>(in, scheme, situation, key, job);
                            }));
}

}  // namespace posiscope::verify
