// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Content and position apart: relative keys, DeBERTa, TUPE.
#include "core/schemes/deberta.h"
#include "core/schemes/tupe.h"
#include "core/verify/attention_case.h"
#include "core/verify/bias_case.h"

namespace posiscope::verify {
namespace {

ParamValues relativeKeyValues(CaseReader& in, const Shape& s) {
  in.expect("sign", {"i-j"});
  in.expect("clipped", {false});
  const Array table = in.array("distance_embedding", {-1, s.head_dim});
  const std::int64_t rows = table.rank() == 2 ? table.shape[0] : 1;
  const std::int64_t longest = in.integer("max_position_embeddings", 1, 1 << 20, (rows + 1) / 2);
  return {{"max_positions", static_cast<double>(longest)}, {"table", table}};
}

const char* const deberta_params =
    "att_span position_buckets max_relative_positions p2c far_end pos_att_type position_terms";

ParamValues debertaValues(CaseReader& in, const Shape&) {
  ParamValues values = schemeValues(in, "deberta", deberta_params);
  // Without buckets a manifest says null.
  if (!in.has("position_buckets")) values["position_buckets"] = 0.0;
  for (const auto& [theirs, ours] : {std::pair{"K_r", "k_r"}, std::pair{"Q_r", "q_r"}})
    if (in.hasInput(theirs)) values[ours] = in.array(theirs);
  return values;
}

template <class T>
Expected<Answer> debertaIndexOf(CaseReader& in) {
  const Shape s = readSituation(in, true).shape;
  const ParamValues values = debertaValues(in, s);
  if (in.problem()) return fail(*in.problem());
  const Expected<Encoding<T>> encoding = encodeCase<T>("deberta", values, s);
  if (!encoding) return fail(encoding.error());
  return rowsRead<T>(encoding->logits.lookup, s);
}

template <class T>
Expected<Answer> debertaBuckets(CaseReader& in) {
  in.expect("far_end", {"microsoft", "hugging_face"});
  const LogBucketParams p{in.integer("position_buckets", 0, 1 << 20), in.integer("max_relative_positions", 0, 1 << 24),
                          in.word("far_end", "microsoft") == "microsoft"};
  const Array relative = in.array("relative_position");
  if (in.problem()) return fail(*in.problem());
  if (Outcome ok = checkLogBuckets("deberta", p); !ok) return fail(ok.error());
  std::vector<std::int64_t> buckets;
  for (std::int64_t e = 0; e < relative.size(); ++e)
    buckets.push_back(logBucketOf(p, static_cast<std::int64_t>(relative.data()[e])));
  return answer<T>(relative.shape, buckets);
}

/// Terms first … last − 1 of all heads before the scale, [terms, heads, L_q, L_k].
template <class T>
Expected<Answer> debertaTerms(CaseReader& in, bool paper_only, const Job&) {
  const Shape s = readSituation(in, true).shape;
  ParamValues values = debertaValues(in, s);
  if (paper_only) values["p2c"] = std::string("paper");
  const Content<T> content = readContent<T>(in, s);
  if (in.problem()) return fail(*in.problem());
  const Expected<Encoding<T>> encoding = encodeCase<T>("deberta", values, s);
  if (!encoding) return fail(encoding.error());
  if (Outcome ok = roomForPairs(s, 3.0 * static_cast<double>(s.num_heads)); !ok) return fail(ok.error());
  const std::size_t first = paper_only ? 2 : 0;
  const Mask mask;
  std::vector<T> terms;
  for (std::size_t term = first; term < 3; ++term)
    for (std::int64_t h = 0; h < s.num_heads; ++h) {
      HeadContent<T> head{h,
                          {content.q.data() + h * s.queries() * s.head_dim, s.queries(), s.head_dim},
                          {content.k.data() + h * s.keys() * s.head_dim, s.keys(), s.head_dim},
                          {},
                          &s,
                          &mask};
      const auto fill = encoding->logits.terms.prepare(head);
      for (std::int64_t i = 0; i < s.queries(); ++i) {
        std::vector<T> row(static_cast<std::size_t>(s.keys()));
        fill(term, i, row);
        for (const T value : row) terms.push_back(value / static_cast<T>(encoding->logit_scale));
      }
    }
  std::vector<std::int64_t> shape{3, s.num_heads, s.queries(), s.keys()};
  if (paper_only) shape.erase(shape.begin());
  return product<T>(std::move(shape), terms);
}

const char* const tupe_params = "untie_cls ln_eps attn_scale num_buckets max_distance";
const char* const tupe_inputs = "P ln_gamma ln_beta U_Q b_Q U_K b_K table";

/// TUPE's heads share d_model out among them where no head_dim is given.
Situation readTupe(CaseReader& in) {
  Situation s = readSituation(in, true);
  in.expect("attn_scale", {"1/sqrt(2*head_dim)"});
  if (!in.has("head_dim") && in.has("d_model")) s.shape.head_dim = s.shape.d_model / s.shape.num_heads;
  return s;
}

ParamValues tupeValues(CaseReader& in, const Shape&) {
  ParamValues values = schemeValues(in, "tupe", "untie_cls ln_eps num_buckets max_distance");
  values["relative"] = in.hasInput("table");
  for (const auto& [theirs, ours] :
       {std::pair{"P", "position_table"}, std::pair{"ln_gamma", "ln_gamma"}, std::pair{"ln_beta", "ln_beta"},
        std::pair{"U_Q", "u_q"}, std::pair{"b_Q", "b_q"}, std::pair{"U_K", "u_k"}, std::pair{"b_K", "b_k"},
        std::pair{"table", "relative_table"}})
    if (in.hasInput(theirs)) values[ours] = in.array(theirs);
  return values;
}

template <class T>
Expected<Answer> tupePositions(CaseReader& in) {
  const Shape s = readTupe(in).shape;
  const ParamValues values = tupeValues(in, s);
  if (in.problem()) return fail(*in.problem());
  const Expected<Encoding<T>> encoding = encodeCase<T>("tupe", values, s);
  if (!encoding) return fail(encoding.error());
  Expected<Answer> bias = biasAnswer<T>(*encoding, s);
  if (bias) bias->product = true;
  return bias;
}

template <class T>
Expected<Answer> tupeBuckets(CaseReader& in) {
  const Shape s = readTupe(in).shape;
  ParamValues values = tupeValues(in, s);
  values["relative"] = true;
  if (in.problem()) return fail(*in.problem());
  const Expected<Encoding<T>> encoding = encodeCase<T>("tupe", values, s);
  if (!encoding) return fail(encoding.error());
  return rowsRead<T>(encoding->logits.lookup, s);
}

void addTupe(std::vector<Quantity>& list) {
  const std::string params = join(situation_params, " window scale ", tupe_params);
  for (const char* key : {"pos_bias", "pos_bias_tied"})
    list.push_back(quantity("tupe", key, params, tupe_inputs,
                            []<class T>(CaseReader& in, const Job&) { return tupePositions<T>(in); }));
  list.push_back(
      quantity("tupe", "bucket", params, "", []<class T>(CaseReader& in, const Job&) { return tupeBuckets<T>(in); }));
  for (const std::string key : {"logits", "attn", "out"})
    list.push_back(quantity("tupe", key, params, join(content_inputs, " ", tupe_inputs),
                            [key]<class T>(CaseReader& in, const Job& job) {
                              const Situation situation = readTupe(in);
                              AttentionScheme tupe{"tupe", "tupe", "", "", tupeValues};
                              tupe.scaled_bias = true;
                              return attentionAnswer<T>(in, tupe, situation, key, job);
                            }));
}

}  // namespace

void addDisentangled(std::vector<Quantity>& list) {
  for (const char* id : {"relative_key", "relative_key_query"})
    addAttentionCases(list, {id, id, "max_position_embeddings sign clipped", "distance_embedding", relativeKeyValues});
  addAttentionCases(list, {"deberta", "deberta", deberta_params, "K_r Q_r", debertaValues});
  const std::string params = join(situation_params, " window ", deberta_params);
  list.push_back(quantity("deberta", "index", params, "",
                          []<class T>(CaseReader& in, const Job&) { return debertaIndexOf<T>(in); }));
  list.push_back(quantity("deberta", "bucket", "position_buckets max_relative_positions far_end", "relative_position",
                          []<class T>(CaseReader& in, const Job&) { return debertaBuckets<T>(in); }));
  list.push_back(quantity("deberta", "terms", params, "Q K K_r Q_r",
                          []<class T>(CaseReader& in, const Job& job) { return debertaTerms<T>(in, false, job); }));
  list.push_back(quantity("deberta", "p2c_paper", params, "Q K K_r Q_r",
                          []<class T>(CaseReader& in, const Job& job) { return debertaTerms<T>(in, true, job); }));
  addTupe(list);
}

}  // namespace posiscope::verify
