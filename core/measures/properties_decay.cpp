// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/properties.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace posiscope::measures {
namespace {

/// Mean scores at the offsets 0, 1, … of one head.
using Scores = std::vector<double>;

/// A function of the tokens is averaged over some.
template <class T>
std::int64_t drawsOf(const Probe<T>& probe) {
  return probe.encoding().input.transform ? 4 : 1;
}

/// Sums of the scores of one head, and of their steps from one offset to the next.
struct StepSums {
  double at_zero = 0;
  std::vector<double> steps;
  std::vector<std::int64_t> counts;
  std::int64_t queries = 0;

  /// A key whose score is no finite number makes no step.
  template <class T>
  void add(std::span<const T> logits, std::int64_t query) {
    const auto score = [&](std::int64_t n) { return static_cast<double>(logits[static_cast<std::size_t>(query - n)]); };
    if (!std::isfinite(score(0))) return;
    at_zero += score(0);
    ++queries;
    for (std::int64_t n = 0; n < query; ++n) {
      const double step = score(n + 1) - score(n);
      if (!std::isfinite(step)) continue;
      steps[static_cast<std::size_t>(n)] += step;
      ++counts[static_cast<std::size_t>(n)];
    }
  }

  Scores scores() const {
    Scores y{queries > 0 ? at_zero / static_cast<double>(queries) : 0};
    for (std::size_t n = 0; n < steps.size(); ++n)
      y.push_back(y.back() + (counts[n] > 0 ? steps[n] / static_cast<double>(counts[n]) : 0));
    return y;
  }
};

/// Of each of these heads. The content prefers no direction, so this is the expectation over random queries and keys,
/// without its noise. Far offsets have late queries only, so each step is the mean over those that have both of its
/// ends: where late queries are scaled up, the plain mean would rise although no query's own scores do.
template <class T>
std::vector<Scores> meanScores(const Probe<T>& probe, const AskedHeads& asked, const std::vector<std::int64_t>& rows) {
  const auto steps = static_cast<std::size_t>(probe.tokens() - 1);
  std::vector<StepSums> sums(asked.heads.size(),
                             {0, std::vector<double>(steps), std::vector<std::int64_t>(steps), 0});
  for (std::int64_t draw = 0; draw < drawsOf(probe); ++draw)
    for (std::int64_t block = 0; block < probe.blocks(); ++block) {
      ProbeContent content{Tokens::neutral};
      content.draw = draw;
      content.block = block;
      auto sum = sums.begin();
      probe.eachHead(asked, content, [&](const ProbedHead<T>& head) {
        const Table<T> logits = probe.logits(head, rows);
        for (std::size_t r = 0; r < rows.size(); ++r) sum->add(logits.row(static_cast<std::int64_t>(r)), rows[r]);
        ++sum;
      });
    }
  std::vector<Scores> means;
  for (const StepSums& sum : sums) means.push_back(sum.scores());
  return means;
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

/// Which queries of which probe the means are of.
template <class T>
struct Asked {
  const Probe<T>& probe;
  std::vector<std::int64_t> rows;
};

/// Some queries stand for all of a long sequence, the first and the last among them.
template <class T>
Asked<T> spread(const Probe<T>& probe) {
  constexpr std::int64_t most_queries = 64;
  return {probe, spreadRows(probe.tokens(), most_queries)};
}

template <class T>
Asked<T> askedOf(const Subject<T>& subject, bool of_tokens) {
  const auto all = [](const Probe<T>& probe) { return Asked<T>{probe, spreadRows(probe.tokens(), probe.tokens())}; };
  if (of_tokens) return {subject.longest(), {subject.longest().tokens() - 1}};
  if (subject.own) return all(*subject.own);
  // A function of the tokens is a mean over their content, which is to be cheap and not to waver.
  const bool by_content = static_cast<bool>(subject.far.encoding().input.transform);
  if (by_content || (subject.grid && !subject.whole)) return all(subject.near);
  // What acts only far out, or turns slowly, shows on a long sequence only.
  return spread(subject.longest());
}

/// On which grid the offsets are counted, and which queries were asked; empty where one tells all.
template <class T>
Text whereText(const Probe<T>& probe, std::int64_t queries, bool reads_grid) {
  const std::optional<Grid> grid = gridOfProbe(probe, reads_grid);
  const bool some = queries > 1 && queries < probe.tokens();
  if (!grid && !some) return {};
  if (!grid)
    return {join(" The mean is that of ", queries, " of ", probe.tokens(), " queries."),
            join("平均取自 ", probe.tokens(), " 个查询中的 ", queries, " 个。")};
  return {join(" On a grid of ", sidesText(*grid), ", counted in reading order",
               some ? join(", from ", queries, " of its ", probe.tokens(), " patches") : "", "."),
          join("以 ", sidesText(*grid), " 的网格测得，偏移按阅读顺序计",
               some ? join("，取自 ", probe.tokens(), " 个图块中的 ", queries, " 个") : "", "。")};
}

void append(Text& sentence, const Text& more) {
  sentence.en += more.en;
  sentence.zh += more.zh;
}

}  // namespace

template <class T>
std::vector<Property> decay(const Subject<T>& subject, bool of_tokens) {
  const double tolerance = roundingTolerance<T>();
  const auto [probe, rows] = askedOf(subject, of_tokens);
  const AskedHeads asked = probe.asked(4, std::ssize(rows) * probe.blocks() * drawsOf(probe));
  const std::vector<Scores> scores = meanScores(probe, asked, rows);
  Course course, steepest;
  std::int64_t constant = 0;
  for (std::size_t n = 0; n < scores.size(); ++n) {
    Course c = courseOf(scores[n], tolerance);
    c.head = asked.heads[n];
    constant += c.fall <= tolerance ? 1 : 0;
    if (n == 0 || comesBefore(c, course)) course = c;
    if (n == 0 || c.rise > steepest.rise) steepest = c;
  }
  const std::string last = brief(static_cast<double>(probe.tokens() - 1));
  const std::string head = join("h = ", course.head), steepest_head = join("h = ", steepest.head);
  const std::string allowed = " (tolerance " + brief(tolerance) + ")", allowed_zh = "（容差 " + brief(tolerance) + "）";
  const Text where = whereText(probe, std::ssize(rows), subject.grid);
  Property monotone = decided("monotone_decay", steepest.rise, tolerance, {});
  Property first = unanswered("first_rise");
  first.unit = "tokens";
  if (course.after >= 0) {
    first.value = static_cast<double>(course.after);
    first.word = {join("offset ", course.after), join("偏移 ", course.after)};
    monotone.sentence = {
        "The mean score rises from one offset to the next by up to " + brief(steepest.rise) + " of the largest" +
            allowed + ", " + steepest_head + ".",
        "平均分数在相邻偏移间最多回升最大值的 " + brief(steepest.rise) + allowed_zh + "，" + steepest_head + "。"};
    first.sentence = {join("After offset ", course.after, " the mean score rises by ", brief(course.first_rise),
                           " of the largest, ", head, "."),
                      join("偏移 ", course.after, " 之后平均分数首次回升，幅度为最大值的 ", brief(course.first_rise),
                           "，", head, "。")};
    append(monotone.sentence, where);
    append(first.sentence, where);
    addSample(first, asked, probe.shape().num_heads);
    return {monotone, first};
  }
  first.word = {"nowhere", "无"};
  first.sentence = {"The mean score does not rise up to offset " + last + ".",
                    "到偏移 " + last + " 为止平均分数没有回升。"};
  monotone.sentence = first.sentence;
  if (constant > 0 && constant < std::ssize(scores)) {
    monotone.sentence.en += join(" In ", constant, " of ", scores.size(),
                                 " heads it is the same at every offset: ", constant > 1 ? "one is " : "", head, ".");
    monotone.sentence.zh += join("在 ", scores.size(), " 个头中的 ", constant, " 个里处处相同：",
                                 constant > 1 ? "其一为 " : "", head, "。");
  } else if (constant > 0) {
    monotone.answer = Property::Answer::neither;
    monotone.word = {"constant", "恒定"};
    monotone.value = course.fall;
    monotone.sentence = {
        "The mean score is the same at every offset up to " + last + ": " + brief(course.fall) + allowed + ".",
        "到偏移 " + last + " 为止平均分数处处相同：" + brief(course.fall) + allowed_zh + "。"};
  }
  for (Property* p : {&monotone, &first}) {
    append(p->sentence, where);
    addSample(*p, asked, probe.shape().num_heads);
  }
  return {monotone, first};
}

template std::vector<Property> decay(const Subject<float>&, bool);
template std::vector<Property> decay(const Subject<double>&, bool);

}  // namespace posiscope::measures
