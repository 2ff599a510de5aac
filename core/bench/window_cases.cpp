// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Windows of maps that nobody could store, at the resolution of a screen.
#include "core/bench/cases.h"
#include "core/bench/limits.h"
#include "core/measures/list.h"
#include "core/slopes.h"
#include "core/slow_field.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace posiscope::bench {
namespace {

constexpr std::int64_t width = 128;
constexpr double base = 10000;

struct Screen {
  std::int64_t tokens, height, width;
};

Screen screenOf(const Situation& s) { return s.isTiny() ? Screen{512, 40, 50} : Screen{1 << 20, 800, 1000}; }

/// The whole map, an uneven part of it, and one pixel for each cell in its middle.
std::array<FieldWindow, 3> windowsOf(const Screen& screen) {
  const auto n = static_cast<double>(screen.tokens);
  return {{{0, 0, n, n},
           {n / 7, n / 5, n / 9.3, n / 11.7},
           {std::floor(n / 2), std::floor(n / 2) - 30, static_cast<double>(screen.height),
            static_cast<double>(screen.width)}}};
}

/// Dot products of the rows of a sinusoidal table.
double similarity(std::int64_t offset) {
  double sum = 0;
  for (std::int64_t p = 0; p < width / 2; ++p)
    sum += std::cos(static_cast<double>(offset) *
                    std::pow(base, -2 * static_cast<double>(p) / static_cast<double>(width)));
  return sum;
}

double bias(std::int64_t offset) { return -alibiSlopes(8).front() * std::abs(static_cast<double>(offset)); }

struct ToeplitzCase {
  const char* id;
  const char* scheme;
  Text what;
  double (*right)(std::int64_t offset);
};

Question questionOf(const ToeplitzCase& c, const Screen& screen) {
  Question question;
  question.measure = "similarity";
  question.options["normalize"] = std::string("dot");
  question.scheme.id = c.scheme;
  question.shape.seq_len = screen.tokens;
  question.shape.d_model = width;
  return question;
}

/// Of the window in which a pixel is a cell, relative to large values.
double largestError(const Field& field, const ToeplitzCase& c, const Screen& screen, std::span<float> out) {
  const FieldWindow window = windowsOf(screen).back();
  field.sample(window, screen.height, screen.width, Reduction::nearest, out);
  double largest = 0;
  for (std::int64_t y = 0; y < screen.height; y += 7)
    for (std::int64_t x = 0; x < screen.width; x += 7) {
      const std::int64_t offset = static_cast<std::int64_t>(window.row) + y - static_cast<std::int64_t>(window.col) - x;
      const double right = c.right(offset);
      const double found = static_cast<double>(out[static_cast<std::size_t>(y * screen.width + x)]);
      const double off = std::abs(found - right) / std::max(1.0, std::abs(right));
      largest = off <= largest ? largest : off;  // also where it is NaN
    }
  return largest;
}

/// One of the whole map of `tokens`, or why there is none.
Expected<std::shared_ptr<const Field>> wholeField(const Question& question, const Job& job) {
  const auto dataset = ask(question, job);
  if (!dataset) return fail(dataset.error());
  const Dataset& d = **dataset;
  if (!d.maps.empty() && d.maps.front().field->rows() == question.shape.seq_len) return d.maps.front().field;
  return fail(ErrorCode::not_supported,
              d.scope.en.empty() ? "there is no map of all tokens" : "not the whole map: " + d.scope.en,
              d.scope.zh.empty() ? "没有覆盖全部词元的图" : "不是整张图：" + d.scope.zh);
}

Figure figureOf(const Situation& s, const ToeplitzCase& c) {
  constexpr double allowed_error = 2e-5;
  const Screen screen = screenOf(s);
  Figure figure;
  figure.id = c.id;
  figure.what = {join(c.what.en, ", ", grouped(screen.tokens), "² at ", screen.width, " × ", screen.height),
                 join(c.what.zh, "，", grouped(screen.tokens), "²，", screen.width, " × ", screen.height, " 像素")};
  figure.target = {"≤ 200 ms, slowest of three windows", "≤ 200 毫秒（三个窗口中最慢的）"};
  const auto field = wholeField(questionOf(c, screen), s.job);
  if (!field) return without(figure, field.error());
  Floats out(static_cast<std::size_t>(screen.height * screen.width));
  figure.error = largestError(**field, c, screen, out.span());
  if (!(figure.error <= allowed_error)) return wrong(figure, figure.error, allowed_error);
  std::vector<std::function<void()>> works;
  for (const FieldWindow& window : windowsOf(screen))
    works.push_back(
        [&, window] { (*field)->sample(window, screen.height, screen.width, Reduction::mean, out.span()); });
  const Turns turns = inTurns(works, s.seconds(), s.job);
  figure.median = std::ranges::max(turns.medians);
  figure.runs = turns.rounds;
  figure.met = figure.median <= 200;
  return figure;
}

/// Attention weights: a draft first, where the field has one, and then the truth.
struct Picture {
  double first = not_timed;  ///< from the question to a first picture, in milliseconds
  double final = not_timed;  ///< until the last one
  double error = not_timed;  ///< of the sum of one row
};

Question attentionQuestion(const Screen& screen, int turn) {
  Question question;
  question.measure = "attention_weights";
  // Where the measure can do without the whole map, it is asked to.
  if (findParam(measures::find(question.measure)->options, "long_maps"))
    question.options["long_maps"] = std::string("streamed");
  question.scheme.id = "rope";
  question.shape.seq_len = screen.tokens;
  question.shape.num_heads = 1;
  question.shape.head_dim = question.shape.d_model = 64;
  question.content.seed = turn;  // so that no sum of an earlier turn is known
  return question;
}

/// A row of weights sums to 1.
double sumError(const Field& field, const Screen& screen) {
  std::vector<float> row(static_cast<std::size_t>(screen.tokens));
  const double middle = std::floor(static_cast<double>(screen.tokens) / 2);
  const FieldWindow window{middle, 0, 1, static_cast<double>(screen.tokens)};
  if (const SlowField* slow = slowField(field); slow && !slow->refine(window, 1, Job())) return INFINITY;
  field.sample(window, 1, screen.tokens, Reduction::nearest, row);
  double sum = 0;
  for (const float weight : row) sum += static_cast<double>(weight);
  return std::abs(sum - 1);
}

Expected<Picture> pictureOf(const Screen& screen, int turn, const Job& job) {
  Expected<std::shared_ptr<const Field>> field = fail(ErrorCode::cancelled, "");
  Floats out(static_cast<std::size_t>(screen.height * screen.width));
  const FieldWindow window = windowsOf(screen).front();
  const auto draw = [&] { (*field)->sample(window, screen.height, screen.width, Reduction::nearest, out.span()); };
  bool whole = true;
  Picture picture;
  picture.first = timed([&] {
    field = wholeField(attentionQuestion(screen, turn), job);
    if (field) draw();
  });
  if (!field) return fail(field.error());
  picture.final = picture.first + timed([&] {
                    const SlowField* slow = slowField(**field);
                    if (!slow) return;
                    whole = slow->refine(window, screen.height, job);
                    draw();
                  });
  if (!whole) return fail(ErrorCode::cancelled, "");
  picture.error = sumError(**field, screen);
  return picture;
}

std::vector<Figure> attentionPictures(const Situation& s) {
  constexpr double allowed_error = 1e-3;
  const Screen screen = screenOf(s);
  Figure first, final;
  first.id = "window_attention_first";
  final.id = "window_attention_final";
  const std::string size = join(grouped(screen.tokens), "² × 64 at ", screen.width, " × ", screen.height);
  first.what = {"attention, first picture, " + size, "注意力，首次画面，" + size};
  final.what = {"attention, final picture, " + size, "注意力，最终画面，" + size};
  first.target = {"≤ 100 ms", "≤ 100 毫秒"};
  final.target = {"≤ 1.5 s", "≤ 1.5 秒"};
  std::vector<double> firsts, finals;
  Deadline deadline(s.isTiny() ? 5 : 60);
  deadline.follow(s.job);
  for (int turn = 1; turn <= (s.isTiny() ? 1 : 4); ++turn) {
    const Expected<Picture> picture = pictureOf(screen, turn, deadline.job());
    if (!picture) return {without(first, picture.error()), without(final, picture.error())};
    if (!(picture->error <= allowed_error))
      return {wrong(first, picture->error, allowed_error), wrong(final, picture->error, allowed_error)};
    if (turn == 1 && !s.isTiny()) continue;  // pages are touched for the first time
    firsts.push_back(picture->first);
    finals.push_back(picture->final);
    final.error = picture->error;
  }
  first.median = medianOf(firsts);
  final.median = medianOf(finals);
  first.runs = final.runs = static_cast<int>(firsts.size());
  first.met = first.median <= 100;
  final.met = final.median <= 1500;
  return {first, final};
}

}  // namespace

std::vector<Figure> windowFigures(const Situation& s) {
  std::vector<Figure> figures{
      figureOf(s, {"window_similarity", "sinusoidal", {"similarity of positions", "位置相似度"}, similarity}),
      figureOf(s, {"window_bias", "alibi", {"ALiBi bias", "ALiBi 偏置"}, bias})};
  for (Figure& figure : attentionPictures(s)) figures.push_back(std::move(figure));
  return figures;
}

}  // namespace posiscope::bench
