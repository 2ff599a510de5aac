// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile.h"
#include "core/schemes/offset_table.h"
#include "core/schemes/reading.h"
#include "core/schemes/schemes.h"

#include <cmath>

namespace posiscope::schemes {
namespace {

struct SandwichParams {
  std::int64_t bar_d = 128;
  double base = 10000;
  Reading reading = Reading::symmetric;
};

ParamTable<SandwichParams> sandwichTable() {
  using P = SandwichParams;
  ParamTable<P> t;
  t.integer("bar_d", &P::bar_d, {2, 1 << 14, 2, 512, false},
            {{"summed width", "求和宽度"},
             {"Width of the sinusoidal table whose dot products are the bias; even.",
              "以其点积作为偏置的正弦位置表的宽度，必须为偶数。"},
             "d̄",
             "dimensions"});
  t.real("base", &P::base, {1, 1e12, 100, 1e6, true},
         {{"base", "底数"}, {"Base of the frequencies.", "频率的底数。"}, "temperature"});
  addReading(t);
  return t;
}

/// Σ_t cos(n / base^(2t/b)) for n = 0 … count − 1.
std::vector<double> cosineSums(const SandwichParams& p, std::int64_t count) {
  std::vector<double> sums(static_cast<std::size_t>(count), 0.0);
  PhaseRun::Lane cosines;
  PhaseRun::Lane sines;
  for (std::int64_t t = 0; t < p.bar_d / 2; ++t) {
    const double frequency = std::pow(p.base, -2.0 * static_cast<double>(t) / static_cast<double>(p.bar_d));
    const PhaseRun run(frequency);
    for (std::int64_t n = 0; n < count; n += PhaseRun::width) {
      run.fill(static_cast<double>(n) * frequency, cosines, sines);
      const std::int64_t end = std::min(count, n + PhaseRun::width);
      for (std::int64_t m = n; m < end; ++m)
        sums[static_cast<std::size_t>(m)] += cosines[static_cast<std::size_t>(m - n)];
    }
  }
  return sums;
}

struct Sandwich {
  Outcome check(const SandwichParams& p, const Shape& shape) const {
    if (p.bar_d % 2 != 0)
      return fail(ErrorCode::bad_value, join("sandwich: bar_d must be even, got ", p.bar_d),
                  join("sandwich：bar_d 必须是偶数，得到 ", p.bar_d));
    return checkOffsetBias("sandwich", shape, sizeof(float));
  }

  template <class T>
  Expected<Encoding<T>> encode(const SandwichParams& p, const Shape& shape) const {
    if (Outcome ok = checkOffsetBias("sandwich", shape, sizeof(T)); !ok) return fail(ok.error());
    const std::vector<double> sums = cosineSums(p, shape.keys());
    const auto heads = static_cast<double>(shape.num_heads);
    Encoding<T> encoding;
    encoding.logits.bias = offsetBias<T>(shape, [&](std::int64_t head) {
      const double ratio = 8.0 * static_cast<double>(head + 1) / heads;
      return [&, ratio](std::int64_t n) { return sums[static_cast<std::size_t>(distanceOf(p.reading, n))] / ratio; };
    });
    std::get<OffsetBias<T>>(encoding.logits.bias).term = [reading = p.reading, heads](std::int64_t head,
                                                                                      std::int64_t n) {
      return "Σₚ cos(" + screenNumber(static_cast<double>(distanceOf(reading, n))) + " · θₚ) / " +
             screenNumber(8.0 * static_cast<double>(head + 1) / heads);
    };
    encoding.logit_scale = rootScale(shape);
    encoding.facts = {{"bias_at_0_of_head_0", sums.front() * heads / 8.0}, {"bias_at_0_of_last", sums.front() / 8.0}};
    return encoding;
  }

  std::string substitution(const SandwichParams& p, const Shape& shape) const {
    return join("d̄ = ", p.bar_d, ", b = ", screenNumber(p.base), ", H = ", shape.num_heads);
  }
};

}  // namespace

Scheme sandwich() {
  return makeScheme({.id = "sandwich",
                     .name = {"Sandwich", "Sandwich 正弦偏置"},
                     .family = Family::bias,
                     .year = 2022,
                     .reference = "Chi et al. 2022, arXiv:2212.10356",
                     .summary = {"The dot product of two sinusoidal vectors, weakened from head to head, is the bias.",
                                 "以两个正弦位置向量的点积作为偏置，逐头减弱。"}},
                    sandwichTable(), Sandwich{});
}

}  // namespace posiscope::schemes
