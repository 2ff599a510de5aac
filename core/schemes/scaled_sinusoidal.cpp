// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base_range.h"
#include "core/schemes/schemes.h"
#include "core/sinusoidal.h"

namespace posiscope::schemes {
namespace {

enum class Factor { start, trained };

struct ScaledParams {
  Factor factor = Factor::start;
  double scale = 1;
  double base = 10000;
};

ParamTable<ScaledParams> scaledTable() {
  using P = ScaledParams;
  ParamTable<P> t;
  t.choice("factor", &P::factor,
           {{"start", {"start value d^(−1/2)", "初始值 d^(−1/2)"}}, {"trained", {"trained", "训练所得"}}},
           {{"factor", "系数"},
            {"The learned number as it starts, or after training.", "可学习系数的初始值，或训练之后的值。"}});
  t.real("scale", &P::scale, {-1000, 1000, -2, 2, false},
         {{"trained factor", "训练所得系数"}, {"The number that multiplies the table.", "乘在整张表上的数。"}})
      .when("factor", {"trained"});
  t.real("base", &P::base, base_range,
         {{"base", "底数"}, {"Sets how slowly the last pair turns.", "决定最后一对转得有多慢。"}, "theta"});
  return t;
}

struct ScaledSinusoidal {
  Outcome check(const ScaledParams&, const Shape& shape) const {
    if (shape.d_model % 2 != 0)
      return fail(ErrorCode::bad_shape,
                  join("scaled_sinusoidal: d_model must be even (as many sines as cosines), got ", shape.d_model),
                  join("scaled_sinusoidal：d_model 必须为偶数（正弦与余弦一样多），得到 ", shape.d_model));
    return room<float>(shape);
  }

  template <class T>
  Expected<Encoding<T>> encode(const ScaledParams& p, const Shape& shape) const {
    if (Outcome ok = room<T>(shape); !ok) return fail(ok.error());
    const SinusoidalParams table{SinusoidalColumns::concatenated, SinusoidalFrequencies::paper, p.base,
                                 scaleOf(p, shape)};
    Encoding<T> encoding;
    encoding.input = sinusoidalInput<T>(table, shape.keys(), shape.d_model, shape.first_position);
    encoding.input.term = [table, w = encoding.input.frequency, shape](std::int64_t row, std::int64_t col) {
      return sinusoidalTerm(table, w, shape.d_model, shape.first_position + static_cast<double>(row), col);
    };
    encoding.logit_scale = rootScale(shape);
    encoding.offset_only = false;
    encoding.facts = {{"scale", table.scale}};
    encoding.warnings = baseWarnings(p.base);
    return encoding;
  }

  /// The factor is learned, also while it stands at its start value.
  SchemeCost cost(const ScaledParams&, const Shape&) const { return {.learned = 1}; }

  std::string substitution(const ScaledParams& p, const Shape& shape) const {
    return join("g = ", screenNumber(scaleOf(p, shape)), ", b = ", screenNumber(p.base),
                ", d = ", screenNumber(static_cast<double>(shape.d_model)));
  }

 private:
  static double scaleOf(const ScaledParams& p, const Shape& shape) {
    return p.factor == Factor::trained ? p.scale : 1.0 / std::sqrt(static_cast<double>(shape.d_model));
  }
  template <class T>
  static Outcome room(const Shape& shape) {
    return checkMemory("scaled_sinusoidal: the table", sinusoidalBytes<T>(shape.keys(), shape.d_model));
  }
};

}  // namespace

Scheme scaledSinusoidal() {
  return makeScheme({.id = "scaled_sinusoidal",
                     .name = {"Scaled sinusoidal", "缩放正弦位置编码"},
                     .family = Family::absolute,
                     .year = 2022,
                     .reference = "Hua et al. 2022, arXiv:2202.10447; x-transformers",
                     .summary = {"A sinusoidal table times one learned number, which starts at d_model^(−1/2).",
                                 "正弦位置表乘以一个可学习的数，初始值为 d_model^(−1/2)。"}},
                    scaledTable(), ScaledSinusoidal{});
}

}  // namespace posiscope::schemes
