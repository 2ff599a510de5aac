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
  std::int64_t token = 0;
  bool touched = false;

  template <class T>
  void look(const Table<T>& before, const Table<T>& after) {
    if (before.values == after.values) return;
    touched = true;
    for (std::int64_t t = 0; t < before.rows; ++t) {
      const double length = norm(before.row(t));
      const double by = length > 0 ? std::abs(norm(after.row(t)) / length - 1) : 0;
      if (by > change) change = by, token = t;
    }
  }
};

Property untouched(bool own_score, std::int64_t tokens, double tolerance) {
  Property p = decided(
      "keeps_norms", {"keeps norms", "保持范数"}, 0, tolerance,
      {join("Queries, keys and embeddings of ", tokens, " tokens stay as they are: position enters at the logits."),
       join("在 ", tokens, " 个词元上，查询、键和词嵌入保持不变：位置只作用于 logits。")});
  p.word = {"yes, not touched", "是（未改动）"};
  if (!own_score) return p;
  p.answer = Property::Answer::neither;
  p.value = std::numeric_limits<double>::quiet_NaN();
  p.word = {"inside the score", "在分数内部"};
  p.sentence = {"Queries and keys reach the score unchanged; what it does inside has no norm to look at.",
                "查询和键原样进入分数；分数内部没有可比较的范数。"};
  return p;
}

}  // namespace

template <class T>
Property symmetric(const Subject<T>& subject) {
  const Probe<T>& probe = subject.longest();
  // The last rows of a long sequence are where a scheme for long ones acts.
  const std::vector<std::int64_t> rows = spreadRows(probe.tokens(), subject.whole ? 12 : 32);
  ProbeContent content{Tokens::equal};
  content.same_projection = true;
  double found = 0;
  std::string place;
  for (const std::int64_t h : probe.heads(4)) {
    const Table<T> logits = probe.logits(probe.head(h, content), rows);
    double largest = 0;
    for (const T v : logits.values)
      if (std::isfinite(v)) largest = std::max(largest, std::abs(static_cast<double>(v)));
    for (std::size_t a = 0; a < rows.size() && largest > 0; ++a)
      for (std::size_t b = 0; b < a; ++b) {
        const auto there =
            static_cast<double>(logits.row(static_cast<std::int64_t>(a))[static_cast<std::size_t>(rows[b])]);
        const auto back =
            static_cast<double>(logits.row(static_cast<std::int64_t>(b))[static_cast<std::size_t>(rows[a])]);
        if (!(std::abs(there - back) / largest > found)) continue;
        found = std::abs(there - back) / largest;
        place = join("(", rows[a], ", ", rows[b], "), h = ", h);
      }
  }
  const double tolerance = roundingTolerance<T>();
  const Text text = differenceText(found, tolerance, place);
  return decided("symmetric", {"symmetric in direction", "方向对称"}, found, tolerance,
                 {"With equal tokens and q = k the logits of (i, j) and (j, i) differ by up to " + text.en + ".",
                  "词元相同且 q = k 时，(i, j) 与 (j, i) 的 logits 至多相差" + text.zh + "。"});
}

template <class T>
Property keepsNorms(const Subject<T>& subject) {
  const Probe<T>& probe = subject.longest();
  Stretch stretch;
  for (const std::int64_t h : probe.heads(subject.whole ? 2 : 4)) {
    const ProbedHead<T> head = probe.head(h, {Tokens::distinct});
    stretch.look(head.x, head.input);
    stretch.look(head.plain_q, head.q);
    stretch.look(head.plain_k, head.k);
  }
  const double tolerance = roundingTolerance<T>();
  if (!stretch.touched)
    return untouched(static_cast<bool>(probe.encoding().logits.score.prepare), probe.tokens(), tolerance);
  const std::string by = brief(stretch.change), allowed = brief(tolerance);
  const bool input = probe.encoding().input.hasTable() || probe.encoding().input.transform;
  return decided("keeps_norms", {"keeps norms", "保持范数"}, stretch.change, tolerance,
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
