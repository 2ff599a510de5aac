// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/properties.h"

#include <algorithm>

namespace posiscope::measures {
namespace {

template <class T>
double norm(std::span<const T> row) {
  double sum = 0;
  for (const T v : row) sum += static_cast<double>(v) * static_cast<double>(v);
  return std::sqrt(sum);
}

/// The largest |‖after‖/‖before‖ − 1| of the rows.
struct Stretch {
  double change = 0;
  double token = 0;
  bool touched = false;

  /// `first`: the position of the first row, counted from that of the question.
  template <class T>
  void look(const Table<T>& before, const Table<T>& after, double first) {
    if (before.values == after.values) return;
    touched = true;
    for (std::int64_t t = 0; t < before.rows; ++t) {
      const double length = norm(before.row(t));
      const double by = length > 0 ? std::abs(norm(after.row(t)) / length - 1) : 0;
      if (by > change) change = by, token = first + static_cast<double>(t);
    }
  }
  template <class T>
  void look(const Probe<T>& probe, std::int64_t heads, double first) {
    for (const std::int64_t h : probe.heads(heads)) {
      const ProbedHead<T> head = probe.head(h, {Tokens::distinct});
      look(head.x, head.input, first);
      look(head.plain_q, head.q, first);
      look(head.plain_k, head.k, first);
    }
  }
};

Property untouched(std::int64_t tokens, double tolerance) {
  Property p = decided(
      "keeps_norms", 0, tolerance,
      {join("Queries, keys and embeddings of ", tokens, " tokens stay as they are: position enters at the logits."),
       join("在 ", tokens, " 个词元上，查询、键和词嵌入保持不变：位置只作用于 logits。")});
  p.word = {"yes, not touched", "是（未改动）"};
  return p;
}

/// The largest product that content makes inside a score of its own, as a share of scale · ‖q‖ ‖k‖, and where.
struct ScoredProduct {
  double tolerance = 0;
  double most = 0;
  std::string place;

  /// Equal queries and keys come as close to the product of the lengths as any.
  template <class T>
  void look(const Probe<T>& probe, const std::string& moved) {
    const std::vector<std::int64_t> rows = spreadRows(probe.tokens(), 16);
    for (const std::int64_t h : probe.heads(2)) {
      const ProbedHead<T> head = probe.head(h, {Tokens::equal, true});
      ProbedHead<T> nothing = head;
      std::ranges::fill(nothing.q.values, T(0));
      std::ranges::fill(nothing.k.values, T(0));
      const Table<T> logits = probe.logits(head, rows);
      const Table<T> without = probe.logits(nothing, rows);  // what position adds to any content is no product
      const double scale = std::abs(probe.encoding().logit_scale);
      for (std::size_t r = 0; r < rows.size(); ++r) {
        const auto row = static_cast<std::int64_t>(r);
        const double query = scale * norm(head.q.row(rows[r]));
        for (std::int64_t j = 0; j <= rows[r]; ++j) {
          const auto key = static_cast<std::size_t>(j);
          const auto aside = static_cast<double>(without.row(row)[key]);
          // The difference of two large numbers carries their rounding.
          const double product =
              std::max(0.0, std::abs(static_cast<double>(logits.row(row)[key]) - aside) - tolerance * std::abs(aside));
          const double allowed = query * norm(head.k.row(j));
          if (!(product > most * allowed) || !std::isfinite(product)) continue;
          most = product / allowed;
          place = join("(", rows[r], ", ", j, "), ", moved, "h = ", h);
        }
      }
    }
  }
};

/// Inside a score of its own there are no vectors to measure, but vectors of these lengths have no larger product.
template <class T>
Property insideScore(const Subject<T>& subject, double tolerance) {
  ScoredProduct scored{tolerance, 0, {}};
  scored.look(subject.longest(), "");
  for (const Moved<T>& there : movedProbes(subject)) scored.look(there.probe, join("s = ", there.by, ", "));
  const std::string found = brief(scored.most), allowed = "1 + " + brief(tolerance);
  Property p =
      decided("keeps_norms", scored.most, 1 + tolerance,
              {join("Position acts inside the score. Vectors as long as a query and an equal key have no larger "
                    "product than scale · ‖q‖ ‖k‖; the part of the score that content makes reaches ",
                    found, " of it (up to ", allowed, " may keep norms), at ", scored.place, "."),
               join("位置在分数内部起作用。与查询及相同的键等长的向量，乘积不超过 缩放 · ‖q‖ "
                    "‖k‖；分数中由内容决定的部分达到它的 ",
                    found, " 倍（不超过 ", allowed, " 才可能保持范数），位于 ", scored.place, "。")});
  if (p.answer == Property::Answer::yes) {
    // Shorter vectors would not exceed it either.
    p.answer = Property::Answer::neither;
    p.word = {"not exceeded", "未超出"};
  }
  addSample(p, subject.longest().asked(2, 16), subject.longest().shape().num_heads);
  return p;
}

/// The largest difference of the logits of (i, j) and (j, i), relative to the largest logit, and where.
struct Asymmetry {
  double relative = 0;
  std::string place;

  template <class T>
  void look(const Probe<T>& probe, const std::vector<std::int64_t>& rows, const std::string& moved) {
    ProbeContent content{Tokens::equal};
    content.same_projection = true;
    probe.eachHead(probe.asked(4, std::ssize(rows)), content, [&](const ProbedHead<T>& head) {
      const Table<T> logits = probe.logits(head, rows);
      double largest = 0;
      for (const T v : logits.values)
        if (std::isfinite(v)) largest = std::max(largest, std::abs(static_cast<double>(v)));
      const auto at = [&](std::size_t row, std::size_t col) {
        return static_cast<double>(logits.row(static_cast<std::int64_t>(row))[static_cast<std::size_t>(rows[col])]);
      };
      for (std::size_t a = 0; a < rows.size() && largest > 0; ++a)
        for (std::size_t b = 0; b < a; ++b) {
          const double difference = std::abs(at(a, b) - at(b, a)) / largest;
          if (!(difference > relative)) continue;
          relative = difference;
          place = join("(", rows[a], ", ", rows[b], "), ", moved, "h = ", head.head);
        }
    });
  }
};

}  // namespace

template <class T>
Property symmetric(const Subject<T>& subject) {
  const Probe<T>& probe = subject.longest();
  Asymmetry found;
  // The last rows of a long sequence are where a scheme for long ones acts.
  const std::vector<std::int64_t> rows = spreadRows(probe.tokens(), subject.whole ? 12 : 32);
  found.look(probe, rows, "");
  const std::vector<Moved<T>> moved = movedProbes(subject);
  for (const Moved<T>& there : moved)
    found.look(there.probe, spreadRows(there.probe.tokens(), 32), join("s = ", there.by, ", "));
  const double tolerance = roundingTolerance<T>();
  const Text text = differenceText(found.relative, tolerance, found.place);
  const Text also = movedAnything(subject, moved) ? Text{", also with all positions moved by 1, 7 or 1000,",
                                                         "（包括所有位置移动 1、7 或 1000 之后）"}
                                                  : Text{};
  Property p = decided(
      "symmetric", found.relative, tolerance,
      {"With equal tokens and q = k" + also.en + " the logits of (i, j) and (j, i) differ by up to " + text.en + ".",
       "词元相同且 q = k 时" + also.zh + "，(i, j) 与 (j, i) 的 logits 至多相差" + text.zh + "。"});
  addSample(p, probe.asked(4, std::ssize(rows)), probe.shape().num_heads);
  return p;
}

template <class T>
Property keepsNorms(const Subject<T>& subject) {
  const Probe<T>& probe = subject.longest();
  Stretch stretch;
  stretch.look(probe, subject.whole ? 2 : 4, 0);
  for (const Moved<T>& there : movedProbes(subject)) stretch.look(there.probe, 4, there.by);
  const double tolerance = roundingTolerance<T>();
  if (!stretch.touched)
    return probe.encoding().logits.score.prepare ? insideScore(subject, tolerance)
                                                 : untouched(probe.tokens(), tolerance);
  const std::string by = brief(stretch.change), allowed = brief(tolerance);
  const bool input = probe.encoding().input.hasTable() || probe.encoding().input.transform;
  return decided("keeps_norms", stretch.change, tolerance,
                 {join("The length of ", input ? "an embedding" : "a query or key", " changes by up to ", by,
                       " of it (tolerance ", allowed, "), at token ", stretch.token, "."),
                  join(input ? "词嵌入" : "查询或键", "的长度至多改变 ", by, " 倍（容差 ", allowed, "），位于词元 ",
                       stretch.token, "。")});
}

template Property symmetric(const Subject<float>&);
template Property symmetric(const Subject<double>&);
template Property keepsNorms(const Subject<float>&);
template Property keepsNorms(const Subject<double>&);

}  // namespace posiscope::measures
