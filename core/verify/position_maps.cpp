// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Positions that are changed before they turn anything: maps of relative positions, position ids, scaled queries.
#include "core/brought_values.h"
#include "core/position_ids.h"
#include "core/position_map.h"
#include "core/query_factor.h"
#include "core/verify/attention_case.h"

#include <algorithm>

namespace posiscope::verify {
namespace {

constexpr const char* map_sizes = "seq_len seq_len_k seq_len_q position_start";

Shape readTokens(CaseReader& in) {
  Shape shape;
  shape.seq_len = in.size("seq_len", {"seq_len", "seq_len_k"});
  if (in.has("seq_len_q")) shape.seq_len_q = in.size("seq_len_q", {"seq_len_q"});
  shape.first_position = in.number("position_start", 0);
  return shape;
}

double numberOf(const ParamValues& values, std::string_view id, const char* key) {
  return std::get<double>(valueOf(*findParam(schemes::find(id)->params, key), values));
}
std::int64_t wholeOf(const ParamValues& values, std::string_view id, const char* key) {
  return static_cast<std::int64_t>(numberOf(values, id, key));
}

PositionMap mapOf(std::string_view id, const ParamValues& values, const Shape& shape) {
  const TokenRun tokens{shape.keys(), shape.first_position};
  if (id == "dual_chunk")
    return dualChunkMap(tokens, wholeOf(values, id, "chunk_size"), wholeOf(values, id, "local_size"));
  const std::int64_t window = wholeOf(values, id, "window");
  if (id == "rerope") return reropeMap(tokens, window);
  if (id == "leaky_rerope") return leakyReropeMap(tokens, window, numberOf(values, id, "factor"));
  return selfExtendMap(tokens, wholeOf(values, id, "group"), window);
}

/// m(i, j) of every query and key.
template <class T>
Expected<Answer> relativePositions(CaseReader& in, const std::string& id, const std::string& params) {
  const Shape shape = readTokens(in);
  const ParamValues values = schemeValues(in, id, params);
  if (in.problem()) return fail(*in.problem());
  // The scheme itself decides what is refused.
  if (const Expected<Encoding<T>> encoding = encodeCase<T>(id, values, shape); !encoding) return fail(encoding.error());
  const double cells = static_cast<double>(shape.queries()) * static_cast<double>(shape.keys());
  if (Outcome ok = checkMemory("the relative positions", cells * sizeof(double)); !ok) return fail(ok.error());
  const PositionMap map = mapOf(id, values, shape);
  std::vector<double> positions;
  for (std::int64_t i = 0; i < shape.queries(); ++i)
    for (std::int64_t j = 0; j < shape.keys(); ++j) positions.push_back(map.at(i + shape.queryOffset(), j));
  return answer<T>({shape.queries(), shape.keys()}, positions);
}

void addMap(std::vector<Quantity>& list, const std::string& id, const std::string& own) {
  const std::string params = own + " base pairing";
  AttentionScheme scheme{id, id, params, "",
                         [id, params](CaseReader& in, const Shape&) { return schemeValues(in, id, params); }};
  scheme.own_window = true;
  scheme.masked = MaskedLogits::zero;
  addAttentionCases(list, scheme);
  list.push_back(quantity(id, "relpos", join(map_sizes, " ", own), "", [id, own]<class T>(CaseReader& in, const Job&) {
    return relativePositions<T>(in, id, own);
  }));
}

constexpr const char* query_scale_params = "kind floor_scale attn_scale train_length";

ParamValues queryScaleValues(CaseReader& in) {
  ParamValues values = schemeValues(in, "query_scale", query_scale_params);
  bringAlong("query_scale", {}, values);
  return values;
}

/// The factor at the positions of the case.
template <class T>
Expected<Answer> queryFactorsAt(CaseReader& in) {
  const ParamValues values = queryScaleValues(in);
  const std::vector<double> positions = in.list("positions");
  if (in.problem()) return fail(*in.problem());
  std::vector<double> factors;
  for (const double position : positions) {
    Shape shape;
    shape.seq_len = 1;
    shape.first_position = position;
    const Expected<Encoding<T>> encoding = encodeCase<T>("query_scale", values, shape);
    if (!encoding) return fail(encoding.error());
    factors.push_back(encoding->query_factor.front());
  }
  return answer<T>({static_cast<std::int64_t>(factors.size())}, factors);
}

/// Queries scaled, nothing turned, under a causal mask.
template <class T>
Expected<Answer> scaledAttention(CaseReader& in, const std::string& key, const Job& job) {
  Situation s = readSituation(in, true);
  s.mask.causal = in.boolean("causal", true);
  const AttentionScheme scheme{"query_scale", "query_scale", "", "",
                               [](CaseReader& reader, const Shape&) { return queryScaleValues(reader); }};
  return attentionAnswer<T>(in, scheme, s, key, job);
}

constexpr const char* id_params = "rule offset range draw lengths skips mask padding_idx";

/// As many tokens as the case lists, where it does not say.
std::int64_t tokensOf(CaseReader& in) {
  if (in.has("seq_len")) return in.size("seq_len", {"seq_len"});
  double count = 0;
  if (in.has("draw")) count = static_cast<double>(in.list("draw").size());
  if (in.has("mask")) count = static_cast<double>(in.list("mask").size());
  if (in.has("lengths"))
    for (const double length : in.list("lengths")) count += length;
  return static_cast<std::int64_t>(std::clamp(count, 1.0, 1e8));
}

template <class T>
Expected<Answer> ids(CaseReader& in) {
  Shape shape;
  shape.seq_len = tokensOf(in);
  shape.first_position = in.number("position_start", 0);
  const ParamValues values = schemeValues(in, "position_ids", id_params);
  if (in.problem()) return fail(*in.problem());
  const Expected<Encoding<T>> encoding = encodeCase<T>("position_ids", values, shape);
  if (!encoding) return fail(encoding.error());
  return answer<T>({shape.seq_len}, encoding->rotation->position);
}

}  // namespace

void addPositionMaps(std::vector<Quantity>& list) {
  addMap(list, "self_extend", "group window");
  addMap(list, "rerope", "window");
  addMap(list, "leaky_rerope", "window factor");
  addMap(list, "dual_chunk", "chunk_size local_size");
  list.push_back(quantity("query_scale", "scale", join(query_scale_params, " positions"), "",
                          []<class T>(CaseReader& in, const Job&) { return queryFactorsAt<T>(in); }));
  for (const std::string key : {"logits", "attn", "out"})
    list.push_back(quantity(
        "query_scale", key, join(situation_params, " window ", query_scale_params), std::string(content_inputs),
        [key]<class T>(CaseReader& in, const Job& job) { return scaledAttention<T>(in, key, job); }));
  list.push_back(quantity("position_ids", "ids", join(id_params, " seq_len position_start"), "",
                          []<class T>(CaseReader& in, const Job&) { return ids<T>(in); }));
}

}  // namespace posiscope::verify
