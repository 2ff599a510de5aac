// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/properties.h"

#include <algorithm>

namespace posiscope::measures {
namespace {

/// Mean scores at the offsets 0, 1, … of one head.
using Scores = std::vector<double>;

/// The content prefers no direction, so this is the expectation over random queries and keys, without its noise.
template <class T>
Scores meanScores(const Probe<T>& probe, std::int64_t head, bool one_query) {
  const std::int64_t n = probe.tokens();
  const std::vector<std::int64_t> rows = one_query ? std::vector{n - 1} : spreadRows(n, n);
  // A function of the tokens is averaged over some.
  const std::int64_t draws = probe.encoding().input.transform ? 4 : 1;
  Scores sums(static_cast<std::size_t>(n)), counts(static_cast<std::size_t>(n));
  for (std::int64_t draw = 0; draw < draws; ++draw)
    for (std::int64_t block = 0; block < probe.blocks(); ++block) {
      ProbeContent content{Tokens::neutral};
      content.draw = draw;
      content.block = block;
      const Table<T> logits = probe.logits(probe.head(head, content), rows);
      for (std::size_t r = 0; r < rows.size(); ++r)
        for (std::int64_t j = 0; j <= rows[r]; ++j) {
          const auto offset = static_cast<std::size_t>(rows[r] - j);
          sums[offset] += static_cast<double>(logits.row(static_cast<std::int64_t>(r))[static_cast<std::size_t>(j)]);
          counts[offset] += 1;
        }
    }
  for (std::size_t k = 0; k < sums.size(); ++k) sums[k] /= counts[k];
  return sums;
}

struct Course {
  double fall = 0;          ///< highest minus lowest, relative to the largest
  double rise = 0;          ///< the largest rise from one offset to the next, relative to the largest
  double first_rise = 0;    ///< the first one
  std::int64_t after = -1;  ///< the offset after which it rises first; −1 = nowhere
  std::int64_t head = 0;
};

Course courseOf(const Scores& y, double tolerance) {
  Course c;
  double largest = 0;
  for (const double v : y) largest = std::max(largest, std::abs(v));
  if (!(largest > 0)) return c;
  const auto [low, high] = std::ranges::minmax(y);
  c.fall = (high - low) / largest;
  for (std::size_t n = 0; n + 1 < y.size(); ++n) {
    const double rise = (y[n + 1] - y[n]) / largest;
    c.rise = std::max(c.rise, rise);
    if (rise <= tolerance || c.after >= 0) continue;
    c.after = static_cast<std::int64_t>(n);
    c.first_rise = rise;
  }
  return c;
}

/// Of all heads the one that rises first; else the one that falls least.
bool comesBefore(const Course& a, const Course& b) {
  if ((a.after >= 0) != (b.after >= 0)) return a.after >= 0;
  return a.after >= 0 ? a.after < b.after : a.fall < b.fall;
}

}  // namespace

template <class T>
std::vector<Property> decay(const Subject<T>& subject, bool offset_only) {
  const double tolerance = roundingTolerance<T>();
  // Beyond the offset, the last query of a long sequence shows what acts only far out; a table has no such query.
  const bool one_query = offset_only || (subject.whole && !readsEmbeddings(subject.far.encoding()));
  const Probe<T>& probe = one_query ? subject.longest() : subject.near;
  Course course;
  const std::vector<std::int64_t> heads = probe.heads(4);
  for (const std::int64_t h : heads) {
    Course c = courseOf(meanScores(probe, h, one_query), tolerance);
    c.head = h;
    if (h == heads.front() || comesBefore(c, course)) course = c;
  }
  const std::string last = brief(static_cast<double>(probe.tokens() - 1));
  const std::string head = join("h = ", course.head);
  const std::string allowed = " (tolerance " + brief(tolerance) + ")", allowed_zh = "（容差 " + brief(tolerance) + "）";
  Property monotone = decided("monotone_decay", {"decays monotonically", "单调衰减"}, course.rise, tolerance, {});
  Property first{"first_rise", {"first rise after", "首次回升于"}};
  first.unit = "tokens";
  if (course.after >= 0) {
    first.value = static_cast<double>(course.after);
    first.word = {join("offset ", course.after), join("偏移 ", course.after)};
    monotone.sentence = {
        "The mean score rises from one offset to the next by up to " + brief(course.rise) + " of the largest" +
            allowed + ", " + head + ".",
        "平均分数在相邻偏移间最多回升最大值的 " + brief(course.rise) + allowed_zh + "，" + head + "。"};
    first.sentence = {join("After offset ", course.after, " the mean score rises by ", brief(course.first_rise),
                           " of the largest, ", head, "."),
                      join("偏移 ", course.after, " 之后平均分数首次回升，幅度为最大值的 ", brief(course.first_rise),
                           "，", head, "。")};
    return {monotone, first};
  }
  first.word = {"nowhere", "无"};
  first.sentence = {"The mean score does not rise up to offset " + last + ".",
                    "到偏移 " + last + " 为止平均分数没有回升。"};
  monotone.sentence = first.sentence;
  if (course.fall <= tolerance) {
    monotone.answer = Property::Answer::neither;
    monotone.word = {"constant", "恒定"};
    monotone.value = course.fall;
    monotone.sentence = {
        "The mean score is the same at every offset up to " + last + ": " + brief(course.fall) + allowed + ".",
        "到偏移 " + last + " 为止平均分数处处相同：" + brief(course.fall) + allowed_zh + "。"};
  }
  return {monotone, first};
}

template std::vector<Property> decay(const Subject<float>&, bool);
template std::vector<Property> decay(const Subject<double>&, bool);

}  // namespace posiscope::measures
