// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel.h"
#include "core/slopes.h"

#include "core/schemes/offset_table.h"
#include "core/schemes/schemes.h"

#include <algorithm>

namespace posiscope::schemes {
namespace {

enum class Form { symmetric, signed_, key_only, mpt };

struct AlibiParams {
  Form form = Form::symmetric;
  SlopeRule slopes = SlopeRule::code;
  double max_bias = 8;
  std::vector<double> key_padding;
};

ParamTable<AlibiParams> alibiTable() {
  using P = AlibiParams;
  ParamTable<P> t;
  t.choice("form", &P::form,
           {{"symmetric", {"−m·|n|", "−m·|n|"}},
            {"signed", {"−m·n", "−m·n"}},
            {"key_only", {"m·j (BLOOM)", "m·j（BLOOM）"}},
            {"mpt", {"m·(j − last) (MPT)", "m·(j − 末位)（MPT）"}}},
           {{"form", "形式"},
            {"Four forms in use; under a causal mask their weights are equal, without it they are not.",
             "常见的四种形式；因果掩码下权重相同，没有掩码时不同。"}});
  t.choice(
      "slopes", &P::slopes, {{"code", {"released code", "发布代码"}}, {"text", {"paper's text", "论文正文"}}},
      {{"slopes", "斜率规则"},
       {"Where the heads are not a power of two: the slopes of the power below and every second one of twice as "
        "many, as models are trained, or one series over all heads.",
        "头数不是 2 的幂时：取其下 2 的幂的斜率，再隔一个取两倍头数的斜率（模型训练所用）；或所有头同一等比数列。"}});
  t.real("max_bias", &P::max_bias, {0.1, 64, 1, 16, false},
         {{"max bias", "最大偏置"},
          {"The last slope of a power of two of heads is 2 to the power of minus this.",
           "头数为 2 的幂时，最后一个斜率是 2 的负此值次方。"},
          "alibi_bias_max"});
  t.list("key_padding", &P::key_padding,
         {{"key padding", "键填充"},
          {"1 for a real key, 0 for padding: real keys are counted alone, as BLOOM does; empty means all real.",
           "1 为真实键，0 为填充：像 BLOOM 那样只给真实键计数；空表示全部真实。"}})
      .unset({"all real", "全部真实"})
      .when("form", {"key_only"});
  return t;
}

bool byOffset(const AlibiParams& p) { return p.form == Form::symmetric || p.form == Form::signed_; }

/// What the slope multiplies for key j, in the forms that look at the key alone.
std::vector<double> keyPositions(const AlibiParams& p, const Shape& shape) {
  std::vector<double> positions(static_cast<std::size_t>(shape.keys()));
  double seen = 0;
  for (std::size_t j = 0; j < positions.size(); ++j) {
    if (p.form == Form::mpt) {
      positions[j] = static_cast<double>(j) - static_cast<double>(shape.keys() - 1);
    } else if (p.key_padding.empty()) {
      positions[j] = static_cast<double>(j);
    } else {
      seen += p.key_padding[j];
      positions[j] = (seen - 1) * p.key_padding[j];
    }
  }
  return positions;
}

template <class T>
OffsetBias<T> offsetBias(const AlibiParams& p, const Shape& shape, const std::vector<double>& slopes) {
  OffsetBias<T> bias;
  bias.heads = shape.num_heads;
  bias.max_offset = shape.keys() - 1;
  const std::int64_t width = 2 * bias.max_offset + 1;
  bias.values.resize(static_cast<std::size_t>(bias.heads * width));
  parallelBlocks(bias.heads, 1, Job(), [&](std::int64_t head, std::int64_t) {
    const double slope = slopes[static_cast<std::size_t>(head)];
    T* value = bias.values.data() + head * width;
    for (std::int64_t n = -bias.max_offset; n <= bias.max_offset; ++n) {
      const auto distance = static_cast<double>(p.form == Form::symmetric ? std::abs(n) : n);
      *value++ = static_cast<T>(-slope * distance);
    }
  });
  bias.term = [symmetric = p.form == Form::symmetric, slopes](std::int64_t head, std::int64_t n) {
    const double slope = slopes[static_cast<std::size_t>(head)];
    const std::string offset = screenNumber(static_cast<double>(n));
    const std::string factor = "\u2212" + screenFactor(slope, static_cast<double>(n)) + " · ";
    return factor + (symmetric ? "|" + offset + "|" : n < 0 ? "(" + offset + ")" : offset);
  };
  return bias;
}

template <class T>
PairBias<T> keyBias(const AlibiParams& p, const Shape& shape, const std::vector<double>& slopes) {
  const std::vector<double> positions = keyPositions(p, shape);
  PairBias<T> bias;
  bias.fill = [positions, slopes](std::int64_t head, std::int64_t, std::span<T> row) {
    const double slope = slopes[static_cast<std::size_t>(head)];
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = static_cast<T>(slope * positions[j]);
  };
  const std::string last = p.form == Form::mpt ? " \u2212 " + screenNumber(static_cast<double>(shape.keys() - 1)) : "";
  bias.term = [positions, slopes, last](std::int64_t head, std::int64_t, std::int64_t j) {
    const double position = positions[static_cast<std::size_t>(j)];
    const std::string factor = screenFactor(slopes[static_cast<std::size_t>(head)], position) + " · ";
    if (!last.empty()) return factor + "(" + screenNumber(static_cast<double>(j)) + last + ")";
    return factor + (position < 0 ? "(" + screenNumber(position) + ")" : screenNumber(position));
  };
  return bias;
}

struct Alibi {
  Outcome check(const AlibiParams& p, const Shape& shape) const {
    if (p.form == Form::key_only && !p.key_padding.empty()) {
      if (static_cast<std::int64_t>(p.key_padding.size()) != shape.keys())
        return fail(ErrorCode::bad_shape,
                    join("alibi: key_padding must have seq_len ", shape.keys(), " entries, got ", p.key_padding.size()),
                    join("alibi：key_padding 必须有 seq_len ", shape.keys(), " 项，得到 ", p.key_padding.size()));
      const auto odd = std::ranges::find_if(p.key_padding, [](double v) { return v != 0 && v != 1; });
      if (odd != p.key_padding.end())
        return fail(ErrorCode::bad_value, join("alibi: key_padding entries must be 0 or 1, got ", *odd),
                    join("alibi：key_padding 的每一项必须是 0 或 1，得到 ", *odd));
    }
    return byOffset(p) ? checkOffsetBias("alibi", shape, sizeof(float)) : Outcome{};
  }

  template <class T>
  Expected<Encoding<T>> encode(const AlibiParams& p, const Shape& shape) const {
    if (Outcome ok = checkOffsetBias("alibi", shape, sizeof(T)); byOffset(p) && !ok) return fail(ok.error());
    const std::vector<double> slopes = alibiSlopes(shape.num_heads, p.max_bias, p.slopes);
    Encoding<T> encoding;
    encoding.offset_only = byOffset(p);
    if (byOffset(p))
      encoding.logits.bias = offsetBias<T>(p, shape, slopes);
    else
      encoding.logits.bias = keyBias<T>(p, shape, slopes);
    encoding.logit_scale = rootScale(shape);
    const auto [least, greatest] = std::ranges::minmax(slopes);
    encoding.facts = {{"smallest_slope", least}, {"largest_slope", greatest}};
    return encoding;
  }

  std::string substitution(const AlibiParams& p, const Shape& shape) const {
    const std::vector<double> slopes = alibiSlopes(shape.num_heads, p.max_bias, p.slopes);
    return join("H = ", shape.num_heads, ", m₀ = ", screenNumber(slopes.front()));
  }
};

}  // namespace

Scheme alibi() {
  return makeScheme({.id = "alibi",
                     .name = {"ALiBi", "ALiBi 线性偏置"},
                     .family = Family::bias,
                     .year = 2021,
                     .reference = "Press et al. 2021, arXiv:2108.12409",
                     .summary = {"Subtracts a slope times the distance; each head has its own slope.",
                                 "减去“斜率 × 距离”，每个头有自己的斜率。"}},
                    alibiTable(), Alibi{});
}

}  // namespace posiscope::schemes
