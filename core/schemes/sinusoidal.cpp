// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sinusoidal.h"

#include "core/base_range.h"
#include "core/schemes/schemes.h"

namespace posiscope::schemes {
namespace {

ParamTable<SinusoidalParams> sinusoidalTableOfParams() {
  using P = SinusoidalParams;
  ParamTable<P> t;
  t.choice("columns", &P::columns,
           {{"interleaved", {"interleaved", "交错"}}, {"concatenated", {"concatenated", "前后拼接"}}},
           {{"columns", "列的排列"},
            {"Sine and cosine side by side, or all sines before all cosines.",
             "正弦、余弦逐对相邻，或先排全部正弦再排全部余弦。"},
            "layout"});
  t.choice("frequencies", &P::frequencies, {{"paper", {"paper", "论文"}}, {"endpoint", {"endpoint", "端点"}}},
           {{"frequencies", "频率间隔"},
            {"The paper's b^(−2i/d), or its authors' code, whose last wavelength is exactly 2πb.",
             "论文公式 b^(−2i/d)，或作者代码的形式（最后一个波长恰为 2πb）。"},
            "freq"});
  t.real("base", &P::base, base_range,
         {{"base", "底数"}, {"Sets how slowly the last pair turns.", "决定最后一对转得有多慢。"}, "temperature"});
  t.real("scale", &P::scale, {0, 1000, 0, 2, false},
         {{"scale", "缩放"}, {"A number that multiplies the table.", "乘在整张表上的系数。"}});
  return t;
}

struct Sinusoidal {
  Outcome check(const SinusoidalParams&, const Shape& shape) const { return room<float>(shape); }

  template <class T>
  Expected<Encoding<T>> encode(const SinusoidalParams& p, const Shape& shape) const {
    if (Outcome ok = room<T>(shape); !ok) return fail(ok.error());
    Encoding<T> encoding;
    encoding.input = sinusoidalInput<T>(p, shape.keys(), shape.d_model, shape.first_position);
    encoding.input.term = [p, w = encoding.input.frequency, shape](std::int64_t row, std::int64_t col) {
      return sinusoidalTerm(p, w, shape.d_model, shape.first_position + static_cast<double>(row), col);
    };
    encoding.logit_scale = rootScale(shape);
    encoding.offset_only = false;
    encoding.warnings = baseWarnings(p.base);
    return encoding;
  }

  std::string substitution(const SinusoidalParams& p, const Shape& shape) const {
    const std::size_t count = sinusoidalFrequencies(p, shape.d_model).size();
    std::string text = join("b = ", screenNumber(p.base), ", d = ", screenNumber(static_cast<double>(shape.d_model)),
                            ", p = 0…", screenNumber(static_cast<double>(count) - 1));
    if (p.scale != 1) text += ", × " + screenNumber(p.scale);
    return text;
  }

 private:
  template <class T>
  static Outcome room(const Shape& shape) {
    return checkMemory("sinusoidal: the table", sinusoidalBytes<T>(shape.keys(), shape.d_model));
  }
};

}  // namespace

Scheme sinusoidal() {
  return makeScheme({.id = "sinusoidal",
                     .name = {"Sinusoidal", "正弦位置编码"},
                     .family = Family::absolute,
                     .year = 2017,
                     .reference = "Vaswani et al. 2017, arXiv:1706.03762",
                     .summary = {"Each pair of columns is a sine and a cosine; later pairs turn more slowly.",
                                 "每对列是一个正弦和一个余弦，越靠后的维度对转得越慢。"}},
                    sinusoidalTableOfParams(), Sinusoidal{});
}

}  // namespace posiscope::schemes
