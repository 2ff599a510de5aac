// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tables of sines and cosines, written whole, beside what writing costs.
#include "core/bench/cases.h"
#include "core/bench/limits.h"
#include "core/parallel.h"

#include <algorithm>
#include <cmath>

namespace posiscope::bench {
namespace {

constexpr double base = 10000;
constexpr std::int64_t width = 128;
/// Half a step of a float at 1, and what rounding adds.
constexpr double target_error = 6e-8;
/// More is not a matter of rounding any more.
constexpr double allowed_error = 1e-6;
constexpr std::int64_t rows_at_once = 256;

double frequency(std::int64_t pair) {
  return std::pow(base, -2 * static_cast<double>(pair) / static_cast<double>(width));
}

/// Which kinds of table there are: [tokens, pairs] of cosines, then of sines; or one of both, [tokens, width].
struct Kind {
  const char* id;
  const char* scheme;
  Text what;
};

std::vector<double> frequencies() {
  std::vector<double> result;
  for (std::int64_t p = 0; p < width / 2; ++p) result.push_back(frequency(p));
  return result;
}

/// The formula, cell by cell, in double: what a cell at (token, pair) is.
double cell(double angle, bool sine) { return sine ? std::sin(angle) : std::cos(angle); }

/// Place of a cell in the memory of a table that both kinds share, [tokens, pairs, 2] or two tables.
struct Layout {
  std::int64_t tokens;
  bool interleaved;
  std::size_t at(std::int64_t token, std::int64_t pair, bool sine) const {
    const std::int64_t pairs = width / 2;
    const std::int64_t index =
        interleaved ? (token * pairs + pair) * 2 + (sine ? 0 : 1) : ((sine ? tokens : 0) + token) * pairs + pair;
    return static_cast<std::size_t>(index);
  }
};

void naiveTable(const Layout& layout, const std::vector<double>& steps, float* out) {
  parallelBlocks(layout.tokens, rows_at_once, Job(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t t = begin; t < end; ++t)
      for (std::int64_t p = 0; p < width / 2; ++p) {
        const double angle = static_cast<double>(t) * steps[static_cast<std::size_t>(p)];
        for (const bool sine : {false, true}) out[layout.at(t, p, sine)] = static_cast<float>(cell(angle, sine));
      }
  });
}

double largestError(const Layout& layout, const std::vector<double>& steps, std::span<const float> found) {
  std::vector<double> of_block(static_cast<std::size_t>((layout.tokens + rows_at_once - 1) / rows_at_once));
  parallelBlocks(layout.tokens, rows_at_once, Job(), [&](std::int64_t begin, std::int64_t end) {
    double& largest = of_block[static_cast<std::size_t>(begin / rows_at_once)];
    for (std::int64_t t = begin; t < end; ++t)
      for (std::int64_t p = 0; p < width / 2; ++p) {
        const double angle = static_cast<double>(t) * steps[static_cast<std::size_t>(p)];
        for (const bool sine : {false, true}) {
          const double off = std::abs(static_cast<double>(found[layout.at(t, p, sine)]) - cell(angle, sine));
          largest = off <= largest ? largest : off;  // also where it is NaN
        }
      }
  });
  double largest = 0;
  for (const double off : of_block) largest = off <= largest ? largest : off;
  return largest;
}

/// The whole table, as a figure's export would ask for it.
bool fill(const Question& question, std::span<float> out, const Job& job) {
  const auto dataset = ask(question, job);
  if (!dataset) return false;
  std::size_t done = 0;
  for (const Map& map : (*dataset)->maps) {
    const std::int64_t rows = map.field->rows(), cols = map.field->cols();
    const auto cells = static_cast<std::size_t>(rows * cols);
    if (done + cells > out.size()) return false;
    const std::span<float> part = out.subspan(done, cells);
    if (const float* stored = map.field->stored())
      std::copy_n(stored, cells, part.begin());
    else
      map.field->sample({0, 0, static_cast<double>(rows), static_cast<double>(cols)}, rows, cols, Reduction::nearest,
                        part);
    done += cells;
  }
  return done == out.size();
}

Figure figureOf(const Situation& s, const Kind& kind) {
  const std::int64_t tokens = s.isTiny() ? 512 : 131072;
  const Layout layout{tokens, std::string(kind.scheme) == "sinusoidal"};
  Figure figure;
  figure.id = kind.id;
  figure.what = {kind.what.en + ", " + grouped(tokens) + " × 128", kind.what.zh + "，" + grouped(tokens) + " × 128"};
  figure.limit = "memset";
  figure.target = {"≤ 3 × memset, ≥ 20 × libm, error ≤ 6e-8", "≤ 3 倍 memset，≥ 20 倍于 libm，误差 ≤ 6e-8"};
  Question question;
  question.measure = "position_table";
  question.scheme.id = kind.scheme;
  question.shape.seq_len = tokens;
  question.shape.head_dim = question.shape.d_model = width;
  Floats out(static_cast<std::size_t>(tokens * width)), plain(static_cast<std::size_t>(tokens * width));
  if (!fill(question, out.span(), s.job))
    return without(figure, {"the table is not answered whole", "无法得到完整的表"});
  const std::vector<double> steps = frequencies();
  figure.error = largestError(layout, steps, out.span());
  if (!(figure.error <= allowed_error)) return wrong(figure, figure.error, allowed_error);
  int turn = 0;
  const Turns turns = inTurns({[&] { fill(varied(question, "base", base, ++turn), out.span(), Job()); },
                               [&] { fillWithMemset(plain); }, [&] { naiveTable(layout, steps, plain.data()); }},
                              s.seconds(), s.job);
  figure.median = turns.medians[0];
  figure.limit_time = turns.medians[1];
  figure.naive_time = turns.medians[2];
  figure.runs = turns.rounds;
  figure.met =
      figure.median <= 3 * figure.limit_time && 20 * figure.median <= figure.naive_time && figure.error <= target_error;
  s.machine.memset_rate = static_cast<double>(plain.bytes()) / figure.limit_time * 1e3;
  return figure;
}

}  // namespace

std::vector<Figure> tableFigures(const Situation& s) {
  return {figureOf(s, {"cos_sin_table", "rope", {"rotary cos and sin", "旋转编码的 cos 与 sin"}}),
          figureOf(s, {"sinusoidal_table", "sinusoidal", {"sinusoidal table", "正弦位置表"}})};
}

}  // namespace posiscope::bench
