// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/heads/thresholds.h"

#include <algorithm>

namespace posiscope::heads {
namespace {

constexpr Range share{0, 1, 0, 1, false};
constexpr Range lift{0, 1e6, 1, 10, false};

using Table = ParamTable<Thresholds>;

void addLimits(Table& t) {
  t.integer("local_window", &Thresholds::local_window, {0, 1 << 24, 0, 128, false},
            {{"near keys", "邻近窗口"},
             {"Keys at most this far from the query count as near.", "与查询的距离不超过此值的键算作邻近。"},
             "",
             "tokens"})
      .unset({"a sixteenth of the keys", "键数的十六分之一"});
  t.integer("min_len", &Thresholds::min_len, {1, 1 << 24, 1, 64, false},
            {{"shortest map", "最短长度"},
             {"With fewer keys or queries the kind is left undetermined.", "键或查询少于此数时，不判定类型。"},
             "",
             "tokens"});
}

void addColumns(Table& t) {
  t.real("specific_mass", &Thresholds::specific_mass, share,
         {{"column mass", "列权重下限"},
          {"Specific position: the two keys that get most must get this share of the attention.",
           "特定位置型：得到最多的两个键至少要占这一比例的注意力。"}});
  t.real("specific_lift", &Thresholds::specific_lift, lift,
         {{"column lift", "列权重倍数"},
          {"Specific position: and so many times what uniform attention gives its two.",
           "特定位置型：并且至少是均匀注意力相应值的这么多倍。"}});
  t.real(
      "local_mass", &Thresholds::local_mass, share,
      {{"near mass", "邻近权重下限"},
       {"Local: the near keys must get this share of the attention.", "局部型：邻近的键至少要占这一比例的注意力。"}});
  t.real("local_lift", &Thresholds::local_lift, lift,
         {{"near lift", "邻近权重倍数"},
          {"Local: and so many times what uniform attention gives them.",
           "局部型：并且至少是均匀注意力相应值的这么多倍。"}});
}

void addPeriods(Table& t) {
  t.real("periodic_score", &Thresholds::periodic_score, share,
         {{"peak height", "峰高下限"},
          {"Periodic: how high the autocorrelation by distance must come back.",
           "周期型：按距离的自相关必须回升到的高度。"}});
  t.real("periodic_sigma", &Thresholds::periodic_sigma, {0, 100, 0, 6, false},
         {{"peak over noise", "峰高与噪声之比"},
          {"Periodic: the peak must also be so many times the noise, 1/√D of D distances.",
           "周期型：峰高还必须达到噪声（D 个距离时为 1/√D）的这么多倍。"}});
  t.real("periodic_cap", &Thresholds::periodic_cap, share,
         {{"peak that suffices", "峰高上限"},
          {"Periodic: a peak of this height suffices, however few the distances.",
           "周期型：无论距离多少，峰高达到此值即可。"}});
  t.integer("periodic_min_lags", &Thresholds::periodic_min_lags, {2, 1 << 24, 2, 64, false},
            {{"fewest distances", "最少距离数"},
             {"Periodic: with fewer distances no period is looked for.", "周期型：距离少于此数时不寻找周期。"},
             "",
             "tokens"});
  t.real("periodic_cv", &Thresholds::periodic_cv, {0, 100, 0, 1, false},
         {{"profile spread", "曲线离散度下限"},
          {"Periodic: standard deviation of the attention by distance over its mean.",
           "周期型：按距离的注意力的标准差与均值之比。"}});
  t.real("prominence", &Thresholds::prominence, {0, 2, 0, 1, false},
         {{"peak prominence", "峰的突出度"},
          {"Periodic: how far a peak must stand above the deepest valley before it.",
           "周期型：峰必须比它之前的最低谷高出这么多。"}});
}

}  // namespace

std::int64_t Thresholds::window(std::int64_t keys) const {
  if (local_window == diagonal_only) return 0;
  return local_window > 0 ? local_window : std::max<std::int64_t>(1, keys / 16);
}

const ParamTable<Thresholds>& thresholdTable() {
  static const Table table = [] {
    Table t;
    addLimits(t);
    addColumns(t);
    addPeriods(t);
    t.real("global_entropy", &Thresholds::global_entropy, share,
           {{"entropy", "熵下限"},
            {"Global: the entropy over that of uniform attention.", "全局型：熵与均匀注意力的熵之比。"}});
    return t;
  }();
  return table;
}

}  // namespace posiscope::heads
