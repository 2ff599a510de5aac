// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/random.h"
#include "core/schemes/offset_table.h"
#include "core/schemes/reading.h"
#include "core/schemes/schemes.h"

#include <cmath>

namespace posiscope::schemes {
namespace {

enum class Form { log, power };

struct KerpleParams {
  Form form = Form::log;
  std::vector<double> r1;
  std::vector<double> r2;
  Reading reading = Reading::symmetric;
  std::int64_t seed = 1;
};

/// The code keeps its parameters at or above this.
constexpr double smallest = 0.01;
constexpr double largest_power = 2;

ParamTable<KerpleParams> kerpleTable() {
  using P = KerpleParams;
  ParamTable<P> t;
  t.choice("form", &P::form,
           {{"log", {"−r1·ln(1 + r2·|n|)", "−r1·ln(1 + r2·|n|)"}}, {"power", {"−r1·|n|^r2", "−r1·|n|^r2"}}},
           {{"form", "形式"},
            {"Logarithmic, with fat tails, or a power of the distance; power 1 is ALiBi.",
             "对数形式（尾部较厚）或距离的幂；幂为 1 即 ALiBi。"}});
  t.list("r1", &P::r1,
         {{"r1", "r1"},
          {"Strength of each head, or one number for all; empty draws them from 0 to 2.",
           "每个头的强度，或所有头共用一个数；留空则在 0 到 2 之间抽取。"},
          "bias_p"})
      .unset({"from the seed", "由种子生成"});
  t.list("r2", &P::r2,
         {{"r2", "r2"},
          {"Scale of the distance (log) or its exponent (power, at most 2); empty draws them from 0 to 1.",
           "距离的缩放（log）或指数（power，至多为 2）；留空则在 0 到 1 之间抽取。"},
          "bias_a"})
      .unset({"from the seed", "由种子生成"});
  addReading(t);
  t.integer("seed", &P::seed, {0, 1e9, 0, 100, false},
            {{"seed", "随机种子"}, {"Which r1 and r2 are drawn when none are given.", "未给出 r1、r2 时抽取哪一组。"}});
  return t;
}

Outcome checkRates(std::string_view key, const std::vector<double>& rates, double limit, const Shape& shape) {
  const auto heads = static_cast<std::size_t>(shape.num_heads);
  if (rates.size() > 1 && rates.size() != heads)
    return fail(ErrorCode::bad_shape,
                join("kerple: ", key, " must have one entry or num_heads ", heads, ", got ", rates.size()),
                join("kerple：", key, " 必须有 1 项或 num_heads ", heads, " 项，得到 ", rates.size()));
  for (const double r : rates)
    if (!(r > 0) || r > limit)
      return fail(ErrorCode::out_of_range, join("kerple: ", key, " must be above 0 and at most ", limit, ", got ", r),
                  join("kerple：", key, " 必须大于 0 且不超过 ", limit, "，得到 ", r));
  return {};
}

/// The rate of head h: given, or uniform from 0 to `span`, kept above the code's smallest.
double rate(const std::vector<double>& given, std::string_view name, double span, const KerpleParams& p,
            std::int64_t h) {
  if (given.empty()) {
    const Stream stream(static_cast<std::uint64_t>(p.seed), join("kerple/", name));
    return std::max(smallest, span * stream.unit(static_cast<std::uint64_t>(h), 0));
  }
  return given.size() == 1 ? given.front() : given[static_cast<std::size_t>(h)];
}

struct Kerple {
  Outcome check(const KerpleParams& p, const Shape& shape) const {
    if (Outcome ok = checkRates("r1", p.r1, 1e6, shape); !ok) return ok;
    if (Outcome ok = checkRates("r2", p.r2, p.form == Form::power ? largest_power : 1e6, shape); !ok) return ok;
    return checkOffsetBias("kerple", shape, sizeof(float));
  }

  template <class T>
  Expected<Encoding<T>> encode(const KerpleParams& p, const Shape& shape) const {
    if (Outcome ok = checkOffsetBias("kerple", shape, sizeof(T)); !ok) return fail(ok.error());
    Encoding<T> encoding;
    encoding.logits.bias = offsetBias<T>(shape, [&p](std::int64_t head) {
      const double r1 = rate(p.r1, "r1", 2, p, head);
      const double r2 = rate(p.r2, "r2", 1, p, head);
      return [&p, r1, r2](std::int64_t n) {
        const auto distance = static_cast<double>(distanceOf(p.reading, n));
        return -r1 * (p.form == Form::log ? std::log1p(r2 * distance) : std::pow(distance, r2));
      };
    });
    std::get<OffsetBias<T>>(encoding.logits.bias).term = [p](std::int64_t head, std::int64_t n) {
      const auto distance = static_cast<double>(distanceOf(p.reading, n));
      const std::string r1 = "−" + screenNumber(rate(p.r1, "r1", 2, p, head)) + " · ";
      const std::string r2 = screenNumber(rate(p.r2, "r2", 1, p, head));
      if (p.form == Form::power) return r1 + screenNumber(distance) + "^" + r2;
      return r1 + "ln(1 + " + r2 + " · " + screenNumber(distance) + ")";
    };
    encoding.logit_scale = rootScale(shape);
    encoding.facts = {{"r1_of_head_0", rate(p.r1, "r1", 2, p, 0)}, {"r2_of_head_0", rate(p.r2, "r2", 1, p, 0)}};
    return encoding;
  }

  SchemeCost cost(const KerpleParams&, const Shape& shape) const { return {.learned = 2 * shape.num_heads}; }

  std::string substitution(const KerpleParams& p, const Shape&) const {
    return join("r1 = ", screenNumber(rate(p.r1, "r1", 2, p, 0)), ", r2 = ", screenNumber(rate(p.r2, "r2", 1, p, 0)));
  }
};

}  // namespace

Scheme kerple() {
  return makeScheme({.id = "kerple",
                     .name = {"KERPLE", "KERPLE 核偏置"},
                     .family = Family::bias,
                     .year = 2022,
                     .reference = "Chi et al. 2022, arXiv:2205.09921",
                     .summary = {"Subtracts a logarithm or a power of the distance, with two learned numbers a head.",
                                 "减去距离的对数或幂，每个头有两个可学习的数。"}},
                    kerpleTable(), Kerple{});
}

}  // namespace posiscope::schemes
