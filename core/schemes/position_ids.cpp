// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/position_ids.h"

#include "core/base_range.h"
#include "core/rotary.h"
#include "core/schemes/learned_weights.h"
#include "core/schemes/schemes.h"

namespace posiscope::schemes {
namespace {

struct PositionIdsParams : IdParams {
  double base = 10000;
  Pairing pairing = Pairing::interleaved;
};

using P = PositionIdsParams;

void addRule(ParamTable<P>& t) {
  t.choice("rule", static_cast<IdRule P::*>(&P::rule),
           {{"offset", {"offset", "平移"}},
            {"sorted_sample", {"random, sorted", "随机抽取并排序"}},
            {"pose", {"chunks with skips (PoSE)", "分块跳跃（PoSE）"}},
            {"roberta", {"after padding (RoBERTa)", "跳过填充（RoBERTa）"}},
            {"left_pad", {"left padding", "左填充"}}},
           {{"rule", "规则"}, {"How tokens get their positions.", "词元如何得到位置编号。"}});
  t.real("offset", &P::offset, {-1e9, 1e9, -1000, 1000, false},
         {{"offset", "平移量"}, {"Added to every position.", "加到每个位置上的数。"}, "past_length", "tokens"})
      .when("rule", {"offset"});
  t.integer("range", static_cast<std::int64_t P::*>(&P::range), {1, 1 << 30, 16, 1 << 17, true},
            {{"range", "范围"},
             {"Positions lie below it; it must hold all tokens.", "位置都小于该值；它必须不小于词元数。"},
             "max_positions",
             "tokens"})
      .when("rule", {"sorted_sample", "pose"});
  t.list("draw", static_cast<std::vector<double> P::*>(&P::draw),
         {{"drawn positions", "抽取的位置"},
          {"One position a token, in any order; empty means drawn from the seed.",
           "每个词元一个位置，顺序任意；空表示由种子抽取。"}})
      .unset({"from the seed", "由种子抽取"})
      .when("rule", {"sorted_sample"});
}

void addChunksAndPadding(ParamTable<P>& t) {
  t.list("lengths", static_cast<std::vector<double> P::*>(&P::lengths),
         {{"chunk lengths", "各块长度"},
          {"Tokens of each chunk; empty means two chunks drawn from the seed.", "每块的词元数；空表示由种子抽取两块。"},
          "",
          "tokens"})
      .unset({"from the seed", "由种子抽取"})
      .when("rule", {"pose"});
  t.list("skips", static_cast<std::vector<double> P::*>(&P::skips),
         {{"skips", "各块跳跃"},
          {"How far each chunk is moved on; never decreasing.", "每块向后移动的距离；不能减小。"},
          "skips",
          "tokens"})
      .when("rule", {"pose"});
  t.list("padding", static_cast<std::vector<double> P::*>(&P::padding),
         {{"padding", "填充"},
          {"1 for a real token, 0 for padding; empty means all real.", "1 为真实词元，0 为填充；空表示全部真实。"},
          "attention_mask"})
      .unset({"all real", "全部真实"})
      .when("rule", {"roberta", "left_pad"});
  t.integer("padding_idx", static_cast<std::int64_t P::*>(&P::padding_idx), {0, 1 << 20, 0, 16, false},
            {{"padding position", "填充位置"},
             {"Position of padding; real tokens start one above it.", "填充的位置；真实词元从其后一个开始。"},
             "padding_idx"})
      .when("rule", {"roberta"});
}

ParamTable<P> positionIdsTable() {
  ParamTable<P> t;
  addRule(t);
  addChunksAndPadding(t);
  t.integer("seed", static_cast<std::int64_t P::*>(&P::seed), {0, 1e15, 0, 100, false},
            {{"seed", "随机种子"}, {"Draws what is not given as a list.", "用于抽取未以列表给出的内容。"}})
      .when("rule", {"sorted_sample", "pose"});
  t.real("base", &P::base, base_range,
         {{"base", "底数"}, {"Sets how slowly the last pair turns.", "决定最后一个维度对转得有多慢。"}, "rope_theta"});
  t.choice("pairing", &P::pairing,
           {{"interleaved", {"interleaved", "相邻配对"}}, {"half", {"half-split", "前后半配对"}}},
           {{"pairing", "配对方式"},
            {"Which two dimensions turn together: neighbours, or p and p + half.",
             "哪两个维度一起旋转：相邻两维，或 p 与 p + 一半。"}});
  return t;
}

struct PositionIds {
  Outcome check(const P& p, const Shape& shape) const {
    if (Outcome ok = checkRotary("position_ids", rotaryOf(p), shape.head_dim); !ok) return ok;
    if (const auto ids = idsOf(p, shape); !ids) return fail(ids.error());
    return {};
  }

  template <class T>
  Encoding<T> encode(const P& p, const Shape& shape) const {
    RotationPart rotation;
    rotation.pairing = p.pairing;
    rotation.rotary_dim = shape.head_dim;
    rotation.frequency = inverseFrequencies(rotaryOf(p), shape.head_dim, shape.keys());
    rotation.position = *idsOf(p, shape);
    Encoding<T> encoding;
    encoding.offset_only = p.rule == IdRule::offset;
    encoding.facts = {{"first_id", rotation.position.front()}, {"last_id", rotation.position.back()}};
    encoding.rotation = std::move(rotation);
    encoding.warnings = baseWarnings(p.base);
    encoding.logit_scale = rootScale(shape);
    return encoding;
  }

  std::string substitution(const P& p, const Shape& shape) const {
    const auto ids = idsOf(p, shape);
    if (!ids) return {};
    return join("ids ", screenNumber(ids->front()), " … ", screenNumber(ids->back()), ", b = ", screenNumber(p.base),
                ", r = ", shape.head_dim);
  }

 private:
  static RotaryParams rotaryOf(const P& p) { return {.pairing = p.pairing, .base = p.base}; }
  static Expected<std::vector<double>> idsOf(const P& p, const Shape& shape) {
    return positionIds(p, shape.keys(), shape.first_position);
  }
};

}  // namespace

Scheme positionIds() {
  return makeScheme(
      {.id = "position_ids",
       .name = {"Position ids", "位置编号变换"},
       .family = Family::combination,
       .year = 2023,
       .reference = "Ruoss et al. 2023, arXiv:2305.16843; Zhu et al. 2024 (PoSE), arXiv:2309.10400",
       .summary = {"RoPE on other position numbers: moved, drawn at random, skipped or counted past padding.",
                   "在变换后的位置编号上使用 RoPE：平移、随机抽取、跳跃，或跳过填充计数。"}},
      positionIdsTable(), PositionIds{});
}

}  // namespace posiscope::schemes
