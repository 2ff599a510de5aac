// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/fope.h"

#include "core/attention/head_inputs.h"
#include "core/dot.h"
#include "core/rotary.h"
#include "core/schemes/learned_weights.h"
#include "core/schemes/schemes.h"

#include <numbers>

namespace posiscope::schemes {
namespace {

RotaryParams rotaryOf(const FopeParams& p) { return {.pairing = p.pairing, .base = p.base}; }

/// C of one key head, [kept, kept]: given, or the identity and a little noise as a model starts with.
std::vector<double> coefficients(const FopeParams& p, const Array& given, const char* name, std::int64_t key_head,
                                 std::int64_t kept) {
  const std::int64_t count = kept * kept;
  if (!given.empty()) return {given.data() + key_head * count, given.data() + (key_head + 1) * count};
  const Drawing drawing{p.seed, join("fope/", name, "/", key_head), p.noise};
  std::vector<double> values = weightsOf<double>({}, count, drawing);
  for (std::int64_t k = 0; k < kept; ++k) values[static_cast<std::size_t>(k * kept + k)] += 1;
  return values;
}

/// One row of cos' or sin': the kept frequencies mixed, then the constant.
void mix(const std::vector<double>& waves, const std::vector<double>& c, double fill, std::span<double> row) {
  const std::size_t kept = waves.size();
  for (std::size_t o = 0; o < row.size(); ++o) {
    row[o] = o < kept ? 0.0 : fill;
    for (std::size_t k = 0; k < kept && o < kept; ++k) row[o] += waves[k] * c[k * kept + o];
  }
}

ParamTable<FopeParams> fopeTable() {
  using P = FopeParams;
  ParamTable<P> t;
  t.real("base", &P::base, {1, 1e12, 100, 1e7, true},
         {{"base", "底数"}, {"Sets how slowly the last pair turns.", "决定最后一个维度对转得有多慢。"}, "rope_theta"});
  t.real("train_length", &P::train_length, {1, 1e9, 16, 1 << 17, true},
         {{"trained length", "训练长度"},
          {"Pairs that do not complete a turn within it are replaced by constants.",
           "在此长度内转不满一圈的维度对以常数代替。"},
          "max_sequence_length",
          "tokens"});
  t.integer("pad_sin", &P::pad_sin, {0, 1, 0, 1, false},
            {{"filled sine", "填充的正弦"},
             {"Sine of the replaced pairs: 1 as in the code, which also turns and stretches them, 0 as in the text.",
              "被替换维度对的正弦：1 与代码相同，会附带旋转和拉伸；0 与论文文字相同。"}});
  t.real("noise", &P::noise, {0, 10, 0, 1, false},
         {{"noise", "噪声"},
          {"Deviation from the identity of coefficients that are not given.", "未给出的系数偏离单位矩阵的标准差。"}});
  t.choice("pairing", &P::pairing,
           {{"interleaved", {"interleaved", "相邻配对"}}, {"half", {"half-split", "前后半配对"}}},
           {{"pairing", "配对方式"},
            {"Which two dimensions turn together: neighbours, or p and p + half.",
             "哪两个维度一起旋转：相邻两维，或 p 与 p + 一半。"}});
  t.array("cos_coef", &P::cos_coef,
          {{"cosine coefficients", "余弦系数"},
           {"Shape (key heads, kept pairs, kept pairs).", "形状 (键头数, 保留的维度对, 保留的维度对)。"}});
  t.array("sin_coef", &P::sin_coef,
          {{"sine coefficients", "正弦系数"},
           {"Shape (key heads, kept pairs, kept pairs).", "形状 (键头数, 保留的维度对, 保留的维度对)。"}});
  addSeed(t);
  return t;
}

/// Rows of one head after the linear map (a, b) → (a cos' − b sin', a sin' + b cos').
template <class T>
Table<T> turned(Rows<T> rows, const FopeTurns& turns, Pairing pairing) {
  RotationPart layout;
  layout.pairing = pairing;
  layout.rotary_dim = rows.cols;
  Table<T> out = makeTable<T>(rows.rows, rows.cols);
  for (std::int64_t t = 0; t < rows.rows; ++t)
    for (std::int64_t p = 0; p < layout.pairs(); ++p) {
      const auto first = static_cast<std::size_t>(layout.firstDim(p));
      const auto second = static_cast<std::size_t>(layout.secondDim(p));
      const auto a = static_cast<double>(rows.row(t)[first]), b = static_cast<double>(rows.row(t)[second]);
      const double c = turns.cosine.row(t)[static_cast<std::size_t>(p)];
      const double s = turns.sine.row(t)[static_cast<std::size_t>(p)];
      out.row(t)[first] = static_cast<T>(a * c - b * s);
      out.row(t)[second] = static_cast<T>(a * s + b * c);
    }
  return out;
}

struct Fope {
  Outcome check(const FopeParams& p, const Shape& shape) const {
    if (Outcome ok = checkRotary("fope", rotaryOf(p), shape.head_dim); !ok) return ok;
    const auto kept = static_cast<std::int64_t>(fopeKept(p, shape.head_dim).size());
    const std::vector<std::int64_t> wanted{shape.kvHeads(), kept, kept};
    if (Outcome ok = checkWeights("fope", "cos_coef", p.cos_coef, wanted); !ok) return ok;
    return checkWeights("fope", "sin_coef", p.sin_coef, wanted);
  }

  template <class T>
  Encoding<T> encode(const FopeParams& p, const Shape& shape) const {
    Encoding<T> encoding;
    encoding.logit_scale = rootScale(shape);
    encoding.offset_only = false;  // only with diagonal coefficients
    encoding.facts = {{"kept_pairs", static_cast<double>(fopeKept(p, shape.head_dim).size())}};
    encoding.logits.score.no_angle = {
        "Each pair mixes several frequencies here: its cos′ and sin′ are those of no single angle.",
        "此处每个维度对混合多个频率：其 cos′ 与 sin′ 不对应任何单一角度。"};
    encoding.logits.score.prepare = [p, scale = static_cast<T>(encoding.logit_scale)](const HeadContent<T>& head) {
      const Shape& s = *head.shape;
      const std::int64_t key_head = attention::keyHead(s, head.head);
      const double asking = s.first_position + static_cast<double>(s.queryOffset());
      auto q =
          std::make_shared<const Table<T>>(turned(head.q, fopeTurns(p, s, key_head, asking, s.queries()), p.pairing));
      auto k = std::make_shared<const Table<T>>(
          turned(head.k, fopeTurns(p, s, key_head, s.first_position, s.keys()), p.pairing));
      return typename OwnScore<T>::RowScore([q, k, scale](std::int64_t i, std::span<T> row) {
        for (std::int64_t j = 0; j < k->rows; ++j) row[static_cast<std::size_t>(j)] = scale * dot(q->row(i), k->row(j));
      });
    };
    return encoding;
  }

  SchemeCost cost(const FopeParams&, const Shape& shape) const {
    // The coefficients are drawn once and stay; every pair of a query and a key head turns.
    return {.per_token = 2 * shape.head_dim * (shape.num_heads + shape.kvHeads())};
  }

  std::string substitution(const FopeParams& p, const Shape& shape) const {
    return join("b = ", screenNumber(p.base), ", L = ", screenNumber(p.train_length),
                ", K = ", fopeKept(p, shape.head_dim).size(), " / ", shape.head_dim / 2);
  }
};

}  // namespace

std::vector<double> fopeKept(const FopeParams& p, std::int64_t head_dim) {
  std::vector<double> kept = inverseFrequencies(rotaryOf(p), head_dim, 1);
  std::erase_if(kept, [&](double w) { return !(w > 2 * std::numbers::pi / p.train_length); });
  return kept;
}

FopeTurns fopeTurns(const FopeParams& p, const Shape& shape, std::int64_t key_head, double first, std::int64_t tokens) {
  const std::vector<double> kept = fopeKept(p, shape.head_dim);
  const auto count = static_cast<std::int64_t>(kept.size());
  const std::vector<double> c = coefficients(p, p.cos_coef, "cos_coef", key_head, count);
  const std::vector<double> s = coefficients(p, p.sin_coef, "sin_coef", key_head, count);
  FopeTurns turns{makeTable<double>(tokens, shape.head_dim / 2), makeTable<double>(tokens, shape.head_dim / 2)};
  std::vector<double> cosines(kept.size()), sines(kept.size());
  for (std::int64_t t = 0; t < tokens; ++t) {
    for (std::size_t k = 0; k < kept.size(); ++k) {
      const double angle = (first + static_cast<double>(t)) * kept[k];
      cosines[k] = std::cos(angle);
      sines[k] = std::sin(angle);
    }
    mix(cosines, c, 1.0, turns.cosine.row(t));
    mix(sines, s, static_cast<double>(p.pad_sin), turns.sine.row(t));
  }
  return turns;
}

Scheme fope() {
  return makeScheme({.id = "fope",
                     .name = {"FoPE", "FoPE 傅里叶位置编码"},
                     .family = Family::rotary,
                     .year = 2024,
                     .reference = "Hua et al. 2024, arXiv:2412.17739",
                     .summary = {"Each pair turns by a mixture of frequencies; those too slow to train are dropped.",
                                 "每个维度对按多个频率的混合变换；训练中转得太慢的频率被去掉。"}},
                    fopeTable(), Fope{});
}

}  // namespace posiscope::schemes
