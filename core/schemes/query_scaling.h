// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/param_table.h"
#include "core/query_factor.h"
#include "core/screen_number.h"
#include "core/shape.h"

#include <string>

namespace posiscope::schemes {

// What the schemes that scale queries by their position share. Their parameters derive from QueryScalingParams.

/// The parameter `kind`: which of the known forms.
template <class P>
void addQueryScalingKind(ParamTable<P>& t) {
  t.choice("kind", static_cast<QueryScaling P::*>(&P::kind),
           {{"llama4", {"Llama 4", "Llama 4"}},
            {"ministral3", {"Ministral 3", "Ministral 3"}},
            {"logn", {"log n", "log n"}}},
           {{"form", "形式"}, {"How the factor grows with the position of the query.", "系数如何随查询的位置增长。"}});
}

/// floor_scale, attn_scale and train_length, as far as the kind needs them.
template <class P>
void addQueryScalingNumbers(ParamTable<P>& t) {
  t.real("floor_scale", static_cast<double P::*>(&P::floor_scale), {1, 1e9, 1, 1 << 17, true},
         {{"step length", "台阶长度"},
          {"The factor rises once every so many tokens.", "每隔这么多个词元系数上升一次。"},
          "floor_scale",
          "tokens"})
      .when("kind", {"llama4", "ministral3"});
  t.real("attn_scale", static_cast<double P::*>(&P::attn_scale), {0, 100, 0, 2, false},
         {{"strength", "强度"},
          {"Weight of the logarithm; 0 means no scaling.", "对数项的权重；0 表示不缩放。"},
          "attn_scale"})
      .unset({"no scaling", "不缩放"})
      .when("kind", {"llama4", "ministral3"});
  t.real("train_length", static_cast<double P::*>(&P::train_length), {1.000001, 1e9, 2, 1 << 17, true},
         {{"trained length", "训练长度"},
          {"Up to it the factor is 1.", "在此长度之内系数为 1。"},
          "seq_length",
          "tokens"})
      .when("kind", {"logn"});
}

/// "F = 8 192, a = 0.1, f(131 071) = 1.277": the factor of the last token.
inline std::string queryScalingSubstitution(const QueryScalingParams& p, const Shape& shape) {
  const double last = shape.first_position + static_cast<double>(shape.keys() - 1);
  const std::string numbers = p.kind == QueryScaling::logn
                                  ? "L = " + screenNumber(p.train_length)
                                  : "F = " + screenNumber(p.floor_scale) + ", a = " + screenNumber(p.attn_scale);
  return join(numbers, ", f(", screenNumber(last), ") = ", screenNumber(queryFactor(p, last)));
}

}  // namespace posiscope::schemes
