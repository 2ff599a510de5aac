// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base_range.h"
#include "core/position_map.h"
#include "core/query_factor.h"
#include "core/rotary.h"
#include "core/schemes/schemes.h"

#include <string_view>
#include <utility>

namespace posiscope::schemes {

/// What the schemes with a map of relative positions share. Their parameters derive from it.
struct MappedRotationParams {
  double base = 10000;
  Pairing pairing = Pairing::interleaved;
  std::int64_t logn_length = 0;  ///< queries get the log-n factor of this trained length, in tokens; 0 = none
};

template <class P>
void addMappedRotation(ParamTable<P>& t) {
  t.real("base", &P::base, base_range,
         {{"base", "底数"}, {"Sets how slowly the last pair turns.", "决定最后一个维度对转得有多慢。"}, "rope_theta"});
  t.choice("pairing", static_cast<Pairing P::*>(&P::pairing),
           {{"interleaved", {"interleaved", "相邻配对"}}, {"half", {"half-split", "前后半配对"}}},
           {{"pairing", "配对方式"},
            {"Which two dimensions turn together: neighbours, or p and p + half.",
             "哪两个维度一起旋转：相邻两维，或 p 与 p + 一半。"}});
  t.integer("logn_length", static_cast<std::int64_t P::*>(&P::logn_length), {0, 1 << 24, 0, 8192, false},
            {{"log-n length", "log-n 长度"},
             {"Queries are scaled by ln(p + 1)/ln of this trained length where that is above 1; 0 means not at all.",
              "查询乘以 ln(p + 1) 与该训练长度的对数之比（大于 1 时）；0 表示不缩放。"},
             "log_n",
             "tokens"});
}

/// Errors: bad_shape (odd head), out_of_range.
Outcome checkMappedRotation(std::string_view owner, const MappedRotationParams& params, const Shape& shape);

/// Queries and keys turn once for each branch of the map.
inline SchemeCost mappedCost(std::int64_t branches, const Shape& shape) {
  return {.per_token = branches * 2 * shape.head_dim * (shape.num_heads + shape.kvHeads())};
}

inline TokenRun tokensOf(const Shape& shape) { return {shape.keys(), shape.first_position}; }

/// Attention whose rotation sees m(i, j): one rotation of q and k for each branch of the map, then a choice.
template <class T>
Encoding<T> mappedEncoding(const MappedRotationParams& params, PositionMap map, const Shape& shape);

}  // namespace posiscope::schemes
