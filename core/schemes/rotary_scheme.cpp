// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/rotary_scheme.h"

#include "core/base_range.h"
#include "core/schemes/schemes.h"

namespace posiscope::schemes {
namespace {

using P = RotaryParams;

void addScaling(ParamTable<P>& t) {
  t.choice("scaling", &P::scaling,
           {{"none", {"none", "无"}},
            {"linear", {"linear", "线性插值"}},
            {"ntk", {"NTK-aware", "NTK 感知"}},
            {"dynamic", {"dynamic NTK", "动态 NTK"}},
            {"yarn", {"YaRN", "YaRN"}},
            {"yarn_paper", {"YaRN (as printed)", "YaRN（论文公式）"}},
            {"llama3", {"Llama-3", "Llama-3"}},
            {"longrope", {"LongRoPE", "LongRoPE"}},
            {"proportional", {"proportional (p-RoPE)", "按比例（p-RoPE）"}}},
           {{"scaling", "长度缩放"},
            {"How the frequencies are changed to reach beyond the trained length.", "如何改变频率以超出训练长度。"},
            "rope_type"});
  t.real("factor", &P::factor, {1e-3, 1e4, 1, 64, true},
         {{"factor", "倍数"}, {"How many times longer than trained.", "相对训练长度延长的倍数。"}, "factor"})
      .when("scaling", {"linear", "ntk", "dynamic", "yarn", "yarn_paper", "llama3", "proportional"});
  t.real("original_length", &P::original_length, {1, 1e8, 128, 1 << 20, true},
         {{"original length", "原训练长度"},
          {"Tokens the model was trained on before scaling.", "缩放之前模型训练所用的长度。"},
          "original_max_position_embeddings",
          "tokens"})
      .when("scaling", {"yarn", "yarn_paper", "llama3", "longrope"});
  t.real("max_length", &P::max_length, {1, 1e8, 128, 1 << 20, true},
         {{"max length", "最大长度"},
          {"Dynamic NTK: the base grows beyond this length; LongRoPE: the length that is reached.",
           "动态 NTK：超过此长度底数才开始增大；LongRoPE：所能达到的长度。"},
          "max_position_embeddings",
          "tokens"})
      .when("scaling", {"dynamic", "longrope"});
}

void addYarn(ParamTable<P>& t) {
  t.real("beta_fast", &P::beta_fast, {0, 1e6, 1, 128, true},
         {{"β fast", "β 快"},
          {"Pairs that turn more often than this in training are kept; 0 is read as 32 in YaRN, as programs do.",
           "训练中转动超过此圈数的维度对保持不变；YaRN 中 0 按 32 读取，与常用程序一致。"},
          "beta_fast",
          "turns"})
      .when("scaling", {"yarn", "yarn_paper"});
  t.real("beta_slow", &P::beta_slow, {0, 1e6, 0.1, 32, true},
         {{"β slow", "β 慢"},
          {"Pairs that turn less often than this are divided by the factor; 0 is read as 1 in YaRN, as programs do.",
           "转动少于此圈数的维度对除以倍数；YaRN 中 0 按 1 读取，与常用程序一致。"},
          "beta_slow",
          "turns"})
      .when("scaling", {"yarn", "yarn_paper"});
  t.boolean("truncate", &P::truncate,
            {{"whole bounds", "边界取整"},
             {"Round the two bounds to whole pairs; off in gpt-oss.", "把两个边界取整到维度对；gpt-oss 中关闭。"}})
      .when("scaling", {"yarn"});
  t.real("attention_factor", &P::attention_factor, {0, 100, 0, 2, false},
         {{"attention factor", "注意力系数"},
          {"Multiplies cos and sin; 0 means by the formula of the scaling.",
           "乘在 cos 和 sin 上；0 表示按该缩放的公式计算。"},
          "attention_factor"})
      .unset({"by formula", "按公式"})
      .when("scaling", {"yarn", "yarn_paper", "longrope"});
  t.real("mscale", &P::mscale, {0, 100, 0, 2, false},
         {{"mscale", "mscale"},
          {"DeepSeek's weight of the logarithm in the attention factor; 0 means not used.",
           "DeepSeek 在注意力系数中给对数项的权重；0 表示不用。"}})
      .unset({"not used", "不用"})
      .when("scaling", {"yarn", "yarn_paper"});
  t.real("mscale_all_dim", &P::mscale_all_dim, {0, 100, 0, 2, false},
         {{"mscale, all dims", "mscale（全维）"},
          {"The same for the divisor, which DeepSeek moves to the softmax scale.",
           "用于分母的同类权重，DeepSeek 把它移到 softmax 缩放中。"}})
      .when("scaling", {"yarn", "yarn_paper"});
  t.choice("mscale_rule", &P::mscale_rule,
           {{"hf", {"Hugging Face", "Hugging Face"}}, {"deepseek", {"DeepSeek", "DeepSeek"}}},
           {{"mscale rule", "mscale 规则"},
            {"Hugging Face ignores mscale when the other is 0; DeepSeek uses it and rescales the softmax.",
             "另一个为 0 时 Hugging Face 忽略 mscale；DeepSeek 仍使用，并调整 softmax 缩放。"}})
      .when("scaling", {"yarn", "yarn_paper"});
}

void addLlama3(ParamTable<P>& t) {
  t.real("low_freq_factor", &P::low_freq_factor, {0.001, 1e4, 0.25, 16, true},
         {{"low freq factor", "低频界限"},
          {"Wavelengths above original length / this are divided by the factor.",
           "波长大于 原训练长度 / 此值 的维度对除以倍数。"},
          "low_freq_factor"})
      .when("scaling", {"llama3"});
  t.real("high_freq_factor", &P::high_freq_factor, {0.001, 1e4, 0.25, 16, true},
         {{"high freq factor", "高频界限"},
          {"Wavelengths below original length / this are kept.", "波长小于 原训练长度 / 此值 的维度对保持不变。"},
          "high_freq_factor"})
      .when("scaling", {"llama3"});
}

void addState(ParamTable<P>& t) {
  t.boolean("stateful", &P::stateful,
            {{"keeps its state", "保留状态"},
             {"As popular code runs it: after a long sequence the frequencies stay until a short one comes.",
              "与常用代码的实际行为一致：处理过长序列后频率保持不变，直到出现短序列。"}})
      .when("scaling", {"dynamic"});
  t.real("longest_seen", &P::longest_seen, {0, 1e8, 0, 1 << 20, false},
         {{"longest seen", "曾见最长"},
          {"The longest sequence that was run before this one.", "此前处理过的最长序列。"},
          "max_seq_len_cached",
          "tokens"})
      .when("stateful", {"true"});
}

void addLongrope(ParamTable<P>& t) {
  t.list("short_factor", &P::short_factor,
         {{"short factors", "短序列因子"},
          {"Divisor of each pair up to the original length; empty means 1.",
           "不超过原训练长度时各维度对的除数；空表示 1。"},
          "short_factor"})
      .unset({"1", "1"})
      .when("scaling", {"longrope"});
  t.list("long_factor", &P::long_factor,
         {{"long factors", "长序列因子"},
          {"Divisor of each pair once the sequence is longer; empty means 1.", "序列更长时各维度对的除数；空表示 1。"},
          "long_factor"})
      .unset({"1", "1"})
      .when("scaling", {"longrope"});
}

}  // namespace

const ParamTable<P>& turnTable() {
  static const ParamTable<P> table = [] {
    ParamTable<P> t;
    t.real(
        "base", &P::base, base_range,
        {{"base", "底数"}, {"Sets how slowly the last pair turns.", "决定最后一个维度对转得有多慢。"}, "rope_theta"});
    t.choice("pairing", &P::pairing,
             {{"interleaved", {"interleaved", "相邻配对"}},
              {"half", {"half-split", "前后半配对"}},
              {"block_half", {"half-split in blocks", "分块前后半配对"}}},
             {{"pairing", "配对方式"},
              {"Which two dimensions turn together: neighbours, or p and p + half.",
               "哪两个维度一起旋转：相邻两维，或 p 与 p + 一半。"},
              "rope_interleaved"});
    return t;
  }();
  return table;
}

const ParamTable<P>& shareTable() {
  static const ParamTable<P> table = [] {
    ParamTable<P> t;
    t.real("rotary_share", &P::rotary_share, {0, 1, 0, 1, false},
           {{"rotated share", "旋转比例"},
            {"Share of each head that turns; the rest passes through.", "每个头中参与旋转的比例，其余维度原样通过。"},
            "partial_rotary_factor"});
    t.integer("rotary_dim", &P::rotary_dim, {0, 1 << 14, 0, 256, false},
              {{"rotated width", "旋转维数"},
               {"Dimensions of each head that turn; 0 means by share.", "每个头中参与旋转的维数；0 表示按比例。"},
               "rotary_dim",
               "dimensions"})
        .unset({"by share", "按比例"});
    return t;
  }();
  return table;
}

const ParamTable<P>& scalingTable() {
  static const ParamTable<P> table = [] {
    ParamTable<P> t;
    addScaling(t);
    addState(t);
    addYarn(t);
    addLlama3(t);
    addLongrope(t);
    return t;
  }();
  return table;
}

std::vector<double> tokenPositions(const Shape& shape) {
  std::vector<double> positions(static_cast<std::size_t>(shape.keys()));
  for (std::size_t t = 0; t < positions.size(); ++t) positions[t] = shape.first_position + static_cast<double>(t);
  return positions;
}

RotationPart rotationOf(const P& p, const Shape& shape) {
  RotationPart rotation;
  rotation.pairing = p.pairing;
  rotation.rotary_dim = rotaryDim(p, shape.head_dim);
  rotation.frequency = inverseFrequencies(p, rotation.rotary_dim, shape.keys());
  rotation.position = tokenPositions(shape);
  rotation.attention_factor = attentionFactor(p);
  return rotation;
}

std::vector<EncodingFact> rotaryFacts(const P& p, const Shape& shape) {
  const std::int64_t rotary_dim = rotaryDim(p, shape.head_dim);
  std::vector<EncodingFact> facts{{"rotary_dim", static_cast<double>(rotary_dim)}};
  if (p.scaling == RotaryScaling::proportional)
    facts.push_back({"turning_pairs", static_cast<double>(proportionalPairs(p, shape.head_dim))});
  if (p.scaling == RotaryScaling::ntk || p.scaling == RotaryScaling::dynamic)
    facts.push_back({"effective_base", effectiveBase(p, rotary_dim, shape.keys())});
  if (p.scaling == RotaryScaling::yarn) {
    const YarnBounds bounds = yarnBounds(p, rotary_dim);
    facts.push_back({"yarn_low", bounds.low});
    facts.push_back({"yarn_high", bounds.high});
  }
  if (isYarn(p) || p.scaling == RotaryScaling::longrope) facts.push_back({"attention_factor", attentionFactor(p)});
  if (isYarn(p)) facts.push_back({"softmax_scale_multiplier", softmaxScaleMultiplier(p)});
  return facts;
}

std::string rotarySubstitution(const P& p, const Shape& shape) {
  const std::int64_t r = rotaryDim(p, shape.head_dim);
  const bool longrope = p.scaling == RotaryScaling::longrope;
  const bool scaled_length =
      isYarn(p) || longrope || p.scaling == RotaryScaling::llama3 || p.scaling == RotaryScaling::dynamic;
  const double length = p.scaling == RotaryScaling::dynamic ? p.max_length : p.original_length;
  std::string text = join("b = ", screenNumber(p.base), ", r = ", r, ", p = 0…", r / 2 - 1);
  if (p.scaling == RotaryScaling::proportional)
    text += join(", ", proportionalPairs(p, shape.head_dim), "/", r / 2, " ↻");
  if (p.scaling != RotaryScaling::none && !longrope) text += ", s = " + screenNumber(p.factor);
  if (scaled_length) text += ", L = " + screenNumber(length);
  // The base belongs to one length: it is said which.
  if (p.scaling == RotaryScaling::dynamic)
    text += ", l = " + screenNumber(dynamicLength(p, shape.keys())) +
            ", b′ = " + screenNumber(effectiveBase(p, r, shape.keys()));
  if (isYarn(p) || longrope) text += ", att = " + screenNumber(attentionFactor(p));
  return text;
}

}  // namespace posiscope::schemes
