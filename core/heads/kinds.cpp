// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/heads/kinds.h"

#include "core/error.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace posiscope::heads {
namespace {

struct Rule {
  Kind kind;
  std::vector<Condition> conditions;
  bool any = false;  ///< one of them is enough
};

Rule tooShort(const Metrics& m, const Thresholds& t) {
  const auto limit = static_cast<double>(t.min_len);
  const Text rows = m.damaged == 0 ? Text{"the number of queries that see a key", "能看到键的查询数"}
                                   : Text{"the number of rows without NaN", "不含 NaN 的行数"};
  return {Kind::undetermined,
          {{Kind::undetermined, {"the number of keys", "键数"}, static_cast<double>(m.keys), limit, false},
           {Kind::undetermined, rows, static_cast<double>(m.rows), limit, false}},
          true};
}

/// A share of the attention must be large, and so many times what uniform attention has there.
std::vector<Condition> largeShare(Kind kind, const Text& what, double share, double least, double multiple,
                                  double uniform) {
  return {{kind, what, share, least}, {kind, what, share, multiple * uniform, true, multiple}};
}

Rule specificPosition(const Metrics& m, const Thresholds& t) {
  return {Kind::specific, largeShare(Kind::specific, {"weight of the two keys that get most", "得到最多的两个键的权重"},
                                     m.col_top2_mass, t.specific_mass, t.specific_lift, m.col_top2_uniform)};
}

Rule local(const Metrics& m, const Thresholds& t) {
  return {Kind::local,
          largeShare(Kind::local,
                     {join("weight of the keys within ", m.window), join("距离 ", m.window, " 以内的键的权重")},
                     m.local_mass, t.local_mass, t.local_lift, m.local_mass_uniform)};
}

/// A peak must stand above the noise of so few distances, as far as a peak can.
double leastPeak(std::size_t distances, const Thresholds& t) {
  const double noise = t.periodic_sigma / std::sqrt(static_cast<double>(distances));
  return std::min(t.periodic_cap, std::max(t.periodic_score, noise));
}

Rule periodic(const Metrics& m, const Thresholds& t) {
  // No peak was looked for among too few.
  const auto distances = static_cast<double>(m.lift.size());
  if (const auto least = static_cast<double>(t.periodic_min_lags); distances < least)
    return {Kind::periodic, {{Kind::periodic, {"the number of distances", "距离数"}, distances, least}}};
  return {Kind::periodic,
          {{Kind::periodic,
            {"peak of the autocorrelation by distance", "按距离的自相关的峰高"},
            m.periodicity.score,
            leastPeak(m.lift.size(), t)},
           {Kind::periodic,
            {"relative spread of the weights by distance", "按距离的权重的相对离散度"},
            m.periodicity.cv,
            t.periodic_cv}}};
}

Rule global(const Metrics& m, const Thresholds& t) {
  return {Kind::global,
          {{Kind::global,
            {"entropy over that of uniform attention", "熵与均匀注意力的熵之比"},
            m.entropy_norm_mean,
            t.global_entropy}}};
}

bool fits(const Rule& rule) {
  const auto holds = [](const Condition& c) { return c.holds(); };
  return rule.any ? std::ranges::any_of(rule.conditions, holds) : std::ranges::all_of(rule.conditions, holds);
}

}  // namespace

std::string kindId(Kind kind) {
  switch (kind) {
    case Kind::undetermined: return "undetermined";
    case Kind::local: return "local";
    case Kind::global: return "global";
    case Kind::specific: return "specific";
    case Kind::periodic: return "periodic";
    case Kind::mixed: break;
  }
  return "mixed";
}

Text kindName(Kind kind) {
  switch (kind) {
    case Kind::undetermined: return {"undetermined", "未判定"};
    case Kind::local: return {"local", "局部型"};
    case Kind::global: return {"global", "全局型"};
    case Kind::specific: return {"specific position", "特定位置型"};
    case Kind::periodic: return {"periodic", "周期型"};
    case Kind::mixed: break;
  }
  return {"mixed", "混合型"};
}

Decision decideKind(const Metrics& m, const Thresholds& t) {
  Decision decision;
  decision.damaged = m.damaged;
  decision.rows = m.rows + m.damaged;
  for (const Rule& rule : {tooShort(m, t), specificPosition(m, t), local(m, t), periodic(m, t), global(m, t)}) {
    decision.conditions.insert(decision.conditions.end(), rule.conditions.begin(), rule.conditions.end());
    if (!fits(rule)) continue;
    decision.kind = rule.kind;
    break;
  }
  return decision;
}

}  // namespace posiscope::heads
