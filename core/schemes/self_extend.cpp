// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/mapped_rotation.h"

namespace posiscope::schemes {
namespace {

struct SelfExtendParams : MappedRotationParams {
  std::int64_t group = 8;     ///< G: far positions are divided by it
  std::int64_t window = 128;  ///< W: distances below it are exact, in tokens
};

ParamTable<SelfExtendParams> selfExtendTable() {
  using P = SelfExtendParams;
  ParamTable<P> t;
  t.integer("group", &P::group, {1, 1 << 20, 1, 64, true},
            {{"group size", "分组大小"},
             {"Far positions are divided by it; 1 is plain RoPE.", "远处的位置除以该值；1 即普通 RoPE。"},
             "group_size",
             "tokens"});
  t.integer("window", &P::window, {1, 1 << 24, 1, 8192, true},
            {{"exact window", "精确窗口"},
             {"Distances below it stay exact.", "小于该值的距离保持不变。"},
             "window_size",
             "tokens"});
  addMappedRotation(t);
  return t;
}

struct SelfExtend {
  Outcome check(const SelfExtendParams& p, const Shape& shape) const {
    return checkMappedRotation("self_extend", p, shape);
  }

  template <class T>
  Encoding<T> encode(const SelfExtendParams& p, const Shape& shape) const {
    Encoding<T> encoding = mappedEncoding<T>(p, selfExtendMap(tokensOf(shape), p.group, p.window), shape);
    encoding.offset_only = false;  // beyond the window it depends on i and j, not on i − j alone
    return encoding;
  }

  SchemeCost cost(const SelfExtendParams&, const Shape& shape) const { return mappedCost(2, shape); }

  std::string substitution(const SelfExtendParams& p, const Shape& shape) const {
    return join("G = ", p.group, ", W = ", p.window, ", b = ", screenNumber(p.base), ", r = ", shape.head_dim);
  }
};

}  // namespace

Scheme selfExtend() {
  return makeScheme({.id = "self_extend",
                     .name = {"Self-Extend", "Self-Extend 分组外推"},
                     .family = Family::rotary,
                     .year = 2024,
                     .reference = "Jin et al. 2024, arXiv:2401.01325",
                     .summary = {"RoPE with exact distances nearby and positions shared by groups farther away.",
                                 "近处使用精确距离、远处按组共用位置的 RoPE。"}},
                    selfExtendTable(), SelfExtend{});
}

}  // namespace posiscope::schemes
