// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base_range.h"
#include "core/rotary.h"
#include "core/schemes/query_scaling.h"
#include "core/schemes/schemes.h"

namespace posiscope::schemes {
namespace {

struct QueryScaleParams : QueryScalingParams {
  bool rotate = false;
  double base = 10000;
  Pairing pairing = Pairing::interleaved;
};

ParamTable<QueryScaleParams> queryScaleTable() {
  using P = QueryScaleParams;
  ParamTable<P> t;
  addQueryScalingKind(t);
  addQueryScalingNumbers(t);
  t.boolean("rotate", &P::rotate,
            {{"with RoPE", "同时使用 RoPE"},
             {"Also turn queries and keys, as Ministral does; Llama 4 scales the layers that do not turn.",
              "同时旋转查询和键，如 Ministral；Llama 4 只缩放不旋转的层。"}});
  t.real("base", &P::base, base_range,
         {{"base", "底数"}, {"Sets how slowly the last pair turns.", "决定最后一个维度对转得有多慢。"}, "rope_theta"})
      .when("rotate", {"true"});
  t.choice("pairing", &P::pairing,
           {{"interleaved", {"interleaved", "相邻配对"}}, {"half", {"half-split", "前后半配对"}}},
           {{"pairing", "配对方式"},
            {"Which two dimensions turn together: neighbours, or p and p + half.",
             "哪两个维度一起旋转：相邻两维，或 p 与 p + 一半。"}})
      .when("rotate", {"true"});
  return t;
}

struct QueryScale {
  Outcome check(const QueryScaleParams& p, const Shape& shape) const {
    return p.rotate ? checkRotary("query_scale", rotaryOf(p), shape.head_dim) : Outcome{};
  }

  template <class T>
  Encoding<T> encode(const QueryScaleParams& p, const Shape& shape) const {
    Encoding<T> encoding;
    encoding.query_factor = queryFactors(p, shape.first_position, shape.keys());
    encoding.logit_scale = rootScale(shape);
    encoding.offset_only = false;
    encoding.facts = {{"last_factor", encoding.query_factor.back()}};
    if (!p.rotate) return encoding;
    encoding.warnings = baseWarnings(p.base);
    RotationPart rotation;
    rotation.pairing = p.pairing;
    rotation.rotary_dim = shape.head_dim;
    rotation.frequency = inverseFrequencies(rotaryOf(p), shape.head_dim, shape.keys());
    rotation.position.resize(encoding.query_factor.size());
    for (std::size_t t = 0; t < rotation.position.size(); ++t)
      rotation.position[t] = shape.first_position + static_cast<double>(t);
    encoding.rotation = std::move(rotation);
    return encoding;
  }

  std::string substitution(const QueryScaleParams& p, const Shape& shape) const {
    return queryScalingSubstitution(p, shape);
  }

 private:
  static RotaryParams rotaryOf(const QueryScaleParams& p) { return {.pairing = p.pairing, .base = p.base}; }
};

}  // namespace

Scheme queryScale() {
  return makeScheme({.id = "query_scale",
                     .name = {"Query scaling", "查询缩放"},
                     .family = Family::combination,
                     .year = 2023,
                     .reference = "Su 2021 (log n); Qwen 2023; Llama 4 and Ministral 3, 2025",
                     .summary = {"Multiplies each query by a factor that grows with its position.",
                                 "把每个查询乘以一个随位置增长的系数。"}},
                    queryScaleTable(), QueryScale{});
}

}  // namespace posiscope::schemes
