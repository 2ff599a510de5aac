// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What depends on the offset alone, at every offset of a long sequence.
#include "core/bench/cases.h"
#include "core/bench/limits.h"
#include "core/parallel.h"
#include "core/slopes.h"

#include <algorithm>
#include <cmath>
#include <complex>

namespace posiscope::bench {
namespace {

constexpr std::int64_t head_dim = 64, heads = 8;
constexpr double rotary_base = 10000;

struct OffsetCase {
  const char* id;
  Text what;
  const char* measure;
  const char* scheme;
  ParamValues options;
  std::string key;  ///< the scheme's parameter that is changed from run to run
  double start;     ///< its usual value
  std::int64_t rows;
  double (*right)(std::int64_t row, std::int64_t offset);  ///< by the formula
};

double frequency(std::int64_t pair) {
  return std::pow(rotary_base, -2 * static_cast<double>(pair) / static_cast<double>(head_dim));
}

const std::vector<double>& rotarySteps() {
  static const std::vector<double> steps = [] {
    std::vector<double> s;
    for (std::int64_t p = 0; p < head_dim / 2; ++p) s.push_back(frequency(p));
    return s;
  }();
  return steps;
}

/// Scores of all-ones queries and keys, 1 at offset 0: the mean of cos(n·θ).
double decay(std::int64_t, std::int64_t n) {
  double sum = 0;
  for (const double step : rotarySteps()) sum += std::cos(static_cast<double>(n) * step);
  return sum / static_cast<double>(rotarySteps().size());
}

/// The bound of Su et al. 2021, §3.4.3, 1 at offset 0: the mean of |Σ exp(i·n·θ)| over the partial sums.
double bound(std::int64_t, std::int64_t n) {
  std::complex<double> partial = 0;
  double sum = 0;
  for (const double step : rotarySteps()) {
    partial += std::polar(1.0, static_cast<double>(n) * step);
    sum += std::abs(partial);
  }
  const auto pairs = static_cast<double>(rotarySteps().size());
  return sum / (pairs * (pairs + 1) / 2);
}

double bias(std::int64_t head, std::int64_t n) {
  static const std::vector<double> slopes = alibiSlopes(heads);
  return -slopes[static_cast<std::size_t>(head)] * static_cast<double>(n);
}

double valueAt(const Dataset& dataset, std::int64_t row, std::int64_t offset) {
  if (!dataset.maps.empty()) return static_cast<double>(dataset.maps.front().field->at(row, offset));
  return dataset.curves.front().y[static_cast<std::size_t>(offset)];
}

bool isWhole(const Dataset& dataset, const OffsetCase& c, std::int64_t offsets) {
  if (!dataset.maps.empty())
    return dataset.maps.front().field->rows() == c.rows && dataset.maps.front().field->cols() == offsets;
  return !dataset.curves.empty() && static_cast<std::int64_t>(dataset.curves.front().y.size()) == offsets;
}

/// Relative to the formula's value where that is large. Every so many offsets, the first and the last ones among them.
double largestError(const Dataset& dataset, const OffsetCase& c, std::int64_t offsets) {
  double largest = 0;
  const std::int64_t step = std::max<std::int64_t>(1, offsets / 4099);
  for (std::int64_t row = 0; row < c.rows; ++row)
    for (std::int64_t n = 0; n < offsets; n += n + step < offsets || n == offsets - 1 ? step : offsets - 1 - n) {
      const double right = c.right(row, n);
      const double off = std::abs(valueAt(dataset, row, n) - right) / std::max(1.0, std::abs(right));
      largest = off <= largest ? largest : off;  // also where it is NaN
    }
  return largest;
}

void naive(const OffsetCase& c, std::int64_t offsets, float* out) {
  parallelBlocks(c.rows * offsets, 4096, Job(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t cell = begin; cell < end; ++cell)
      out[cell] = static_cast<float>(c.right(cell / offsets, cell % offsets));
  });
}

Figure figureOf(const Situation& s, const OffsetCase& c) {
  constexpr double allowed_error = 1e-5;
  const std::int64_t offsets = s.isTiny() ? 512 : 1 << 20;
  Figure figure;
  figure.id = c.id;
  figure.what = {c.what.en + ", " + grouped(offsets) + " offsets", c.what.zh + "，" + grouped(offsets) + " 个偏移"};
  figure.target = {"≤ 50 ms", "≤ 50 毫秒"};
  Question question;
  question.measure = c.measure;
  question.options = c.options;
  question.scheme.id = c.scheme;
  question.shape.seq_len = offsets;
  question.shape.head_dim = head_dim;
  question.shape.num_heads = heads;
  const auto dataset = ask(question, s.job);
  if (!dataset) return without(figure, dataset.error());
  if (!isWhole(**dataset, c, offsets)) return without(figure, {"not every offset is answered", "并非每个偏移都有结果"});
  figure.error = largestError(**dataset, c, offsets);
  if (!(figure.error <= allowed_error)) return wrong(figure, figure.error, allowed_error);
  Floats out(static_cast<std::size_t>(c.rows * offsets));
  int turn = 0;
  const Turns turns = inTurns(
      {[&] { (void)ask(varied(question, c.key, c.start, ++turn), Job()); }, [&] { naive(c, offsets, out.data()); }},
      s.seconds(), s.job);
  figure.median = turns.medians[0];
  figure.naive_time = turns.medians[1];
  figure.runs = turns.rounds;
  figure.met = figure.median <= 50;
  return figure;
}

}  // namespace

std::vector<Figure> offsetFigures(const Situation& s) {
  const auto curves = [](const char* which) { return ParamValues{{"curves", std::string(which)}}; };
  std::vector<Figure> figures;
  for (const OffsetCase& c : {OffsetCase{"decay_offsets",
                                         {"rotary decay", "旋转编码的衰减"},
                                         "relative_decay",
                                         "rope",
                                         curves("ones"),
                                         "base",
                                         rotary_base,
                                         1,
                                         decay},
                              OffsetCase{"bound_offsets",
                                         {"rotary bound", "旋转编码的上界"},
                                         "relative_decay",
                                         "rope",
                                         curves("bound"),
                                         "base",
                                         rotary_base,
                                         1,
                                         bound},
                              OffsetCase{"bias_offsets",
                                         {"ALiBi bias of 8 heads", "8 个头的 ALiBi 偏置"},
                                         "bias_by_offset",
                                         "alibi",
                                         {},
                                         "max_bias",
                                         8,
                                         heads,
                                         bias}})
    figures.push_back(figureOf(s, c));
  return figures;
}

}  // namespace posiscope::bench
