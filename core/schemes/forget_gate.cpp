// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/forget_gate.h"

#include "core/dot.h"
#include "core/schemes/forget_bias.h"
#include "core/schemes/learned_weights.h"
#include "core/schemes/schemes.h"

#include <cmath>

namespace posiscope::schemes {
namespace {

void addGates(ParamTable<ForgetGateParams>& t) {
  using P = ForgetGateParams;
  t.choice("mode", &P::mode,
           {{"causal", {"causal", "因果"}},
            {"bidirectional", {"bidirectional", "双向"}},
            {"per_row", {"per query", "逐查询"}}},
           {{"mode", "模式"},
            {"One gate a token toward the past, two gates for both directions, or gates that each query sets itself.",
             "每个词元一个面向过去的门；两个方向各一个门；或由每个查询自己决定门。"}});
  t.real("post_log_scale", &P::post_log_scale, {0, 100, 0, 4, false},
         {{"strength", "强度"},
          {"Multiplies the logarithms of the gates; 0 means no position.", "乘在门的对数上；0 表示没有位置信息。"},
          "post_log_scale"});
  t.real("gate_bias", &P::gate_bias, {-1000, 1000, -5, 10, false},
         {{"gate bias", "门的偏置"},
          {"b where it is not given: 5 forgets half in about 100 tokens.",
           "未给出 b 时的取值：5 约每 100 个词元遗忘一半。"},
          "forget_gate_init"})
      .when("mode", {"causal", "bidirectional"});
  t.integer("gate_dim", &P::gate_dim, {1, 4096, 1, 64, true},
            {{"gate width", "门的宽度"},
             {"Width of the queries and keys that make the gates.", "用于产生门的查询和键的宽度。"},
             "gate_dim",
             "dimensions"})
      .when("mode", {"per_row"});
}

void addArrays(ParamTable<ForgetGateParams>& t) {
  using P = ForgetGateParams;
  const std::vector<std::string> tokenwise{"causal", "bidirectional"};
  const std::string drawn_en = "; otherwise drawn, and read from the token after an RMS norm.";
  const std::string drawn_zh = "；未给出时随机抽取，并从 RMS 归一化后的词元读取。";
  t.array(
       "w", &P::w,
       {{"gate weights", "门的权重"}, {"w of shape (heads, d_model)" + drawn_en, "w，形状 (头数, d_model)" + drawn_zh}})
      .when("mode", tokenwise);
  t.array("b", &P::b, {{"gate biases", "门的偏置表"}, {"b of shape (heads).", "b，形状 (头数)。"}})
      .unset({"the gate bias", "门的偏置"})
      .when("mode", tokenwise);
  t.array("w_rev", &P::w_rev,
          {{"weights, future", "权重（未来）"}, {"Like w, toward the future.", "与 w 相同，面向未来。"}})
      .when("mode", {"bidirectional"});
  t.array("b_rev", &P::b_rev,
          {{"biases, future", "偏置（未来）"}, {"Like b, toward the future.", "与 b 相同，面向未来。"}})
      .unset({"the gate bias", "门的偏置"})
      .when("mode", {"bidirectional"});
  t.array("q_gate", &P::q_gate,
          {{"gate queries", "门的查询"}, {"Shape (heads, tokens, gate width).", "形状 (头数, 词元数, 门的宽度)。"}})
      .when("mode", {"per_row"});
  t.array("k_gate", &P::k_gate,
          {{"gate keys", "门的键"}, {"Shape (heads, tokens, gate width).", "形状 (头数, 词元数, 门的宽度)。"}})
      .when("mode", {"per_row"});
}

ParamTable<ForgetGateParams> forgetTable() {
  ParamTable<ForgetGateParams> t;
  addGates(t);
  addArrays(t);
  addSeed(t);
  return t;
}

Outcome checkGateRows(const ForgetGateParams& p, const Shape& shape, const char* key, const Array& rows) {
  if (rows.rank() == 3 && rows.shape[0] == shape.num_heads && rows.shape[1] >= shape.keys() &&
      rows.shape[2] == p.gate_dim)
    return {};
  const std::string wanted = shapeText({shape.num_heads, shape.keys(), p.gate_dim});
  return fail(ErrorCode::bad_shape,
              join("forget_gate: ", key, " must have shape (heads, tokens, gate_dim) with at least the tokens of ",
                   wanted, ", got ", shapeText(rows.shape)),
              join("forget_gate：", key, " 的形状必须是（头数, 词元数, gate_dim），词元数不少于 ", wanted, "，得到 ",
                   shapeText(rows.shape)));
}

bool readsTokens(const ForgetGateParams& p) { return p.mode != ForgetMode::per_row || p.q_gate.empty(); }

struct ForgetGate {
  Outcome check(const ForgetGateParams& p, const Shape& shape) const {
    for (const auto& [key, array] : {std::pair{"w", &p.w}, {"w_rev", &p.w_rev}})
      if (Outcome ok = checkWeights("forget_gate", key, *array, {shape.num_heads, shape.d_model}); !ok) return ok;
    for (const auto& [key, array] : {std::pair{"b", &p.b}, {"b_rev", &p.b_rev}})
      if (Outcome ok = checkWeights("forget_gate", key, *array, {shape.num_heads}); !ok) return ok;
    if (p.q_gate.empty() != p.k_gate.empty())
      return fail(ErrorCode::bad_value,
                  join("forget_gate: q_gate and k_gate must be given together, got only ",
                       p.q_gate.empty() ? "k_gate" : "q_gate"),
                  join("forget_gate：q_gate 和 k_gate 必须一同给出，只得到 ", p.q_gate.empty() ? "k_gate" : "q_gate"));
    if (p.q_gate.empty() || p.mode != ForgetMode::per_row) return {};
    if (Outcome ok = checkGateRows(p, shape, "q_gate", p.q_gate); !ok) return ok;
    return checkGateRows(p, shape, "k_gate", p.k_gate);
  }

  template <class T>
  Encoding<T> encode(const ForgetGateParams& p, const Shape& shape) const {
    Encoding<T> encoding;
    encoding.logit_scale = rootScale(shape);
    encoding.logits.score.reads_input = readsTokens(p);
    const auto scale = static_cast<T>(encoding.logit_scale);
    encoding.logits.score.prepare = [p, scale](const HeadContent<T>& head) {
      auto bias = std::make_shared<const ForgetBias<T>>(p, head);
      return typename OwnScore<T>::RowScore([bias, scale, q = head.q, k = head.k](std::int64_t i, std::span<T> row) {
        bias->fill(i, row);
        for (std::int64_t j = 0; j < k.rows; ++j) row[static_cast<std::size_t>(j)] += scale * dot(q.row(i), k.row(j));
      });
    };
    encoding.logits.terms = termsOf<T>(p, scale);
    encoding.logits.stages = stagesOf<T>(p);
    return encoding;
  }

  SchemeCost cost(const ForgetGateParams& p, const Shape& shape) const {
    const std::int64_t heads = shape.num_heads;
    if (p.mode == ForgetMode::per_row) {
      const std::int64_t weights = 2 * heads * p.gate_dim * shape.d_model;
      return {.learned = weights, .per_token = weights, .per_pair = heads * (p.gate_dim + 1)};
    }
    const std::int64_t gates = heads * (p.mode == ForgetMode::bidirectional ? 2 : 1);
    return {.learned = gates * (shape.d_model + 1), .per_token = gates * (shape.d_model + 1), .per_pair = heads};
  }

  std::string substitution(const ForgetGateParams& p, const Shape& shape) const {
    std::string text = join("H = ", shape.num_heads);
    if (p.mode == ForgetMode::per_row)
      text += join(", g = ", p.gate_dim);
    else if (p.b.empty())
      text += ", b = " + screenNumber(p.gate_bias);
    if (p.post_log_scale != 1) text += ", × " + screenNumber(p.post_log_scale);
    return text;
  }

 private:
  template <class T>
  static ScoreTerms<T> termsOf(const ForgetGateParams& p, T scale) {
    ScoreTerms<T> terms;
    terms.names = {{"q·k, content", "q·k，内容"}, {"gates", "遗忘门"}};
    terms.prepare = [p, scale](const HeadContent<T>& head) {
      auto bias = std::make_shared<const ForgetBias<T>>(p, head);
      return typename ScoreTerms<T>::Fill(
          [bias, scale, q = head.q, k = head.k](std::size_t term, std::int64_t i, std::span<T> row) {
            if (term == 1) return bias->fill(i, row);
            for (std::int64_t j = 0; j < k.rows; ++j)
              row[static_cast<std::size_t>(j)] = scale * dot(q.row(i), k.row(j));
          });
    };
    return terms;
  }

  template <class T>
  static ScoreStages<T> stagesOf(const ForgetGateParams& p) {
    ScoreStages<T> stages;
    stages.stages = {
        {"gate", {"gates f", "门 f"}, {"gate", "门"}},
        {"bias", {"bias Σ ln f", "偏置 Σ ln f"}, {"sum of logarithms", "对数之和"}, true},
        {"kept", {"share kept Π f", "保留比例 Π f"}, {"share kept", "保留比例"}},
    };
    stages.prepare = [p](const HeadContent<T>& head) {
      auto bias = std::make_shared<const ForgetBias<T>>(p, head);
      return typename ScoreStages<T>::Fill([bias](std::size_t stage, std::int64_t i, std::span<T> row) {
        if (stage == 0) return bias->fillGates(i, row);
        bias->fill(i, row);
        if (stage == 2)
          for (T& value : row) value = std::exp(value);
      });
    };
    return stages;
  }
};

}  // namespace

Scheme forgetGate() {
  return makeScheme({.id = "forget_gate",
                     .name = {"Forget gates", "遗忘门（数据依赖的 ALiBi）"},
                     .family = Family::content,
                     .year = 2025,
                     .reference = "Lin et al. 2025 (Forgetting Transformer), arXiv:2503.02130",
                     .summary = {"ALiBi whose slope each token sets: its gate says how much of the past is kept.",
                                 "由每个词元决定斜率的 ALiBi：词元的门决定保留多少过去。"}},
                    forgetTable(), ForgetGate{});
}

}  // namespace posiscope::schemes
