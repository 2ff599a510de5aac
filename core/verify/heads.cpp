// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a head does: its metrics and kind, and how well it fits what the tokens would have it do.
#include "core/heads/kinds.h"
#include "core/heads/token_scores.h"
#include "core/verify/bias_case.h"

#include <algorithm>

namespace posiscope::verify {
namespace {

/// One attention map with the mask it was made under.
template <class T>
struct MapCase {
  Shape shape;
  Mask mask;
  heads::Thresholds thresholds;
  std::vector<T> values;

  Rows<T> weights() const { return {values.data(), shape.queries(), shape.keys()}; }
};

/// The parameters that move the thresholds, under the names of their table.
std::string thresholdNames() {
  std::string names;
  for (const ParamSpec& spec : heads::thresholdTable().specs()) names += " " + spec.key;
  return names;
}

heads::Thresholds readThresholds(CaseReader& in) {
  ParamValues values;
  for (const ParamSpec& spec : heads::thresholdTable().specs())
    if (in.has(spec.key.c_str())) values[spec.key] = in.number(spec.key.c_str());
  const Expected<heads::Thresholds> read = heads::thresholdTable().read(in.reference().scheme, values);
  if (!read) in.wrong(read.error());
  heads::Thresholds thresholds = read.value_or(heads::Thresholds{});
  // A manifest that gives 0 means it; the table's 0 is for "not given".
  if (values.contains("local_window") && thresholds.local_window == 0)
    thresholds.local_window = heads::Thresholds::diagonal_only;
  return thresholds;
}

template <class T>
Expected<MapCase<T>> readMap(CaseReader& in) {
  const Array array = in.array("attn", {-1, -1});
  MapCase<T> map;
  map.mask = readMask(in, true);
  map.thresholds = readThresholds(in);
  if (in.problem()) return fail(*in.problem());
  map.shape.seq_len = array.shape[1];
  map.shape.seq_len_q = array.shape[0];
  const std::int64_t keys = in.integer(in.has("seq_len_k") ? "seq_len_k" : "seq_len", 1, 1 << 24, array.shape[1]);
  const std::int64_t queries = in.integer("seq_len_q", 1, 1 << 24, array.shape[0]);
  if (in.problem()) return fail(*in.problem());
  if (keys != array.shape[1] || queries != array.shape[0])
    return fail(ErrorCode::bad_shape,
                join("inputs.attn must have the shape ", shapeText({queries, keys}), ", got ", shapeText(array.shape)),
                join("inputs.attn 的形状必须是 ", shapeText({queries, keys}), "，得到 ", shapeText(array.shape)));
  if (Outcome ok = checkShape(map.shape); !ok) return fail(ok.error());
  if (Outcome ok = checkMask(map.mask, map.shape); !ok) return fail(ok.error());
  map.values = valuesAs<T>(array);
  return map;
}

/// In the order of the manifests' `metric_fields`.
template <class T>
Expected<Answer> metricsOf(CaseReader& in) {
  const Expected<MapCase<T>> map = readMap<T>(in);
  if (!map) return fail(map.error());
  const heads::Metrics m = heads::headMetrics(map->weights(), map->mask, map->shape, map->thresholds);
  const std::vector<double> fields{m.entropy_mean,      m.entropy_norm_mean,
                                   m.mean_distance,     m.mean_distance_uniform,
                                   m.local_mass,        m.local_mass_uniform,
                                   m.sink_mass,         m.diag_score,
                                   m.prev_score,        m.next_score,
                                   m.col_top2_mass,     m.col_top2_uniform,
                                   m.periodicity.score, static_cast<double>(m.periodicity.period),
                                   m.periodicity.cv};
  return answer<T>({static_cast<std::int64_t>(fields.size())}, fields);
}

template <class T>
Expected<Answer> profileOf(CaseReader& in) {
  const Expected<MapCase<T>> map = readMap<T>(in);
  if (!map) return fail(map.error());
  const std::vector<double> profile = heads::offsetProfile(map->weights(), map->mask, map->shape);
  return answer<T>({static_cast<std::int64_t>(profile.size())}, profile);
}

template <class T>
Expected<Answer> autocorrelationOf(CaseReader& in) {
  const Expected<MapCase<T>> map = readMap<T>(in);
  if (!map) return fail(map.error());
  const std::vector<double> r =
      heads::autocorrelation(heads::headMetrics(map->weights(), map->mask, map->shape, map->thresholds).lift);
  return answer<T>({static_cast<std::int64_t>(r.size())}, r);
}

template <class T>
Expected<Answer> kindOf(CaseReader& in) {
  const Expected<MapCase<T>> map = readMap<T>(in);
  if (!map) return fail(map.error());
  const heads::Metrics metrics = heads::headMetrics(map->weights(), map->mask, map->shape, map->thresholds);
  return answer<T>(
      {1}, std::vector<std::int64_t>{static_cast<std::int64_t>(heads::decideKind(metrics, map->thresholds).kind)});
}

/// Mean distance on a grid of patches, per head.
template <class T>
Expected<Answer> patchDistances(CaseReader& in) {
  const Grid grid{in.integer("grid_h", 1, 4096), in.integer("grid_w", 1, 4096)};
  const double patch = in.number("patch", 1);
  const Array array = in.array("attn", {-1, grid.patches(), grid.patches()});
  if (in.problem()) return fail(*in.problem());
  const std::vector<T> values = valuesAs<T>(array);
  std::vector<double> distances;
  for (std::int64_t h = 0; h < array.shape[0]; ++h)
    distances.push_back(heads::gridDistance<T>(
        {values.data() + h * grid.patches() * grid.patches(), grid.patches(), grid.patches()}, grid, patch));
  return answer<T>({array.shape[0]}, distances);
}

struct TokenCase {
  std::vector<std::int64_t> tokens;
  heads::Pattern pattern = heads::Pattern::previous;

  std::int64_t length() const { return static_cast<std::int64_t>(tokens.size()); }
};

TokenCase readTokens(CaseReader& in) {
  TokenCase c;
  for (const double token : in.list("tokens")) c.tokens.push_back(static_cast<std::int64_t>(token));
  const std::string kind = in.word("kind", "");
  const auto found = std::ranges::find(heads::all_patterns, kind, heads::patternId);
  if (found != heads::all_patterns.end())
    c.pattern = *found;
  else
    in.wrong({ErrorCode::bad_value,
              {join("params.kind must be previous, duplicate or induction, got '", kind, "'"),
               join("params.kind 必须是 previous、duplicate 或 induction，得到“", kind, "”")}});
  if (c.tokens.empty()) in.wrong({ErrorCode::bad_shape, {"params.tokens must not be empty", "params.tokens 不能为空"}});
  return c;
}

template <class T>
Expected<Answer> detectionPattern(CaseReader& in) {
  const TokenCase c = readTokens(in);
  if (in.problem()) return fail(*in.problem());
  const std::int64_t length = c.length();
  if (Outcome ok = roomForPairs({.seq_len = length}, 1); !ok) return fail(ok.error());
  std::vector<std::int64_t> pattern;
  for (std::int64_t i = 0; i < length; ++i)
    for (std::int64_t j = 0; j < length; ++j) pattern.push_back(heads::matches(c.pattern, c.tokens, i, j));
  return answer<T>({length, length}, pattern);
}

/// The first entry that looks ahead; the scores are defined for causal maps only.
template <class T>
Outcome checkCausal(const std::vector<T>& values, std::int64_t length) {
  for (std::size_t e = 0; e < values.size(); ++e) {
    const auto cell = static_cast<std::int64_t>(e);
    const std::int64_t i = cell / length % length, j = cell % length;
    if (j > i && values[e] != 0)
      return fail(ErrorCode::bad_value, join("inputs.attn must be causal, but query ", i, " looks at key ", j),
                  join("inputs.attn 必须是因果的，但查询 ", i, " 看到了键 ", j));
  }
  return {};
}

/// Per head: the shares, then the closeness, each with nothing, token 0, the query itself and both left out.
template <class T>
Expected<Answer> scoresOf(CaseReader& in) {
  const TokenCase c = readTokens(in);
  const std::int64_t length = c.length();
  const Array array = in.array("attn", {-1, length, length});
  if (in.problem()) return fail(*in.problem());
  const std::vector<T> values = valuesAs<T>(array);
  if (Outcome ok = checkCausal(values, length); !ok) return fail(ok.error());
  std::vector<double> all;
  for (std::int64_t h = 0; h < array.shape[0]; ++h) {
    const Rows<T> weights{values.data() + h * length * length, length, length};
    const heads::PatternScores scores = heads::patternScores<T>(weights, c.pattern, c.tokens);
    all.insert(all.end(), scores.mul.begin(), scores.mul.end());
    all.insert(all.end(), scores.abs.begin(), scores.abs.end());
  }
  return answer<T>({array.shape[0], 8}, all);
}

}  // namespace

void addHeads(std::vector<Quantity>& list) {
  // How a map was made, and the kind it is of, describe it; its numbers are in the input.
  const std::string recipe = "expected kind sigma slope mass cols T kappa noise";
  const std::string params =
      join("seq_len seq_len_q seq_len_k causal window prefix key_padding query_padding ", recipe, thresholdNames());
  list.push_back(quantity("head_metrics", "metrics", params, "attn",
                          []<class T>(CaseReader& in, const Job&) { return metricsOf<T>(in); }));
  list.push_back(quantity("head_metrics", "profile", params, "attn",
                          []<class T>(CaseReader& in, const Job&) { return profileOf<T>(in); }));
  list.push_back(quantity("head_metrics", "acf", params, "attn",
                          []<class T>(CaseReader& in, const Job&) { return autocorrelationOf<T>(in); }));
  list.push_back(quantity("head_metrics", "distance", "grid_h grid_w patch", "attn",
                          []<class T>(CaseReader& in, const Job&) { return patchDistances<T>(in); }));
  list.push_back(quantity("head_classification", "label", params, "attn",
                          []<class T>(CaseReader& in, const Job&) { return kindOf<T>(in); }));
  list.push_back(quantity("head_score", "pattern", "tokens kind", "",
                          []<class T>(CaseReader& in, const Job&) { return detectionPattern<T>(in); }));
  list.push_back(quantity("head_score", "score", "tokens kind", "attn",
                          []<class T>(CaseReader& in, const Job&) { return scoresOf<T>(in); }));
}

}  // namespace posiscope::verify
