// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dot.h"
#include "core/measures/properties.h"

#include <algorithm>
#include <utility>

namespace posiscope::measures {
namespace {

/// Exponents up to this count as no growth: between these lengths log n grows like n^0.18, the norms of a table whose
/// slow waves have not come round like n^0.05.
constexpr double most_exponent = 0.15;

/// The dimensions of a head in groups that a rotation keeps apart: |q·k| ≤ Σ ‖q_g‖ ‖k_g‖, and turning changes nothing.
std::vector<std::vector<std::int64_t>> groupsOf(const std::optional<RotationPart>& rotation, std::int64_t dim) {
  if (!rotation) {
    std::vector<std::int64_t> all;
    for (std::int64_t d = 0; d < dim; ++d) all.push_back(d);
    return {all};
  }
  std::vector<std::vector<std::int64_t>> groups{{}};
  for (std::int64_t d = 0; d < dim; ++d)
    if (d < rotation->first_dim || d >= rotation->endDim()) groups.front().push_back(d);
  for (std::int64_t p = 0; p < rotation->pairs(); ++p)
    groups.push_back({rotation->firstDim(p), rotation->secondDim(p)});
  return groups;
}

template <class T>
double norm(std::span<const T> row, const std::vector<std::int64_t>& dims) {
  double sum = 0;
  for (const std::int64_t d : dims) {
    const auto v = static_cast<double>(row[static_cast<std::size_t>(d)]);
    sum += v * v;
  }
  return std::sqrt(sum);
}

/// The norms of each row's groups, [rows, groups].
template <class T>
Table<double> groupNorms(const Table<T>& rows, const std::vector<std::vector<std::int64_t>>& groups) {
  Table<double> norms = makeTable<double>(rows.rows, static_cast<std::int64_t>(groups.size()));
  for (std::int64_t t = 0; t < rows.rows; ++t)
    std::ranges::transform(groups, norms.row(t).begin(), [&](const auto& dims) { return norm(rows.row(t), dims); });
  return norms;
}

/// scale · Σ ‖q_g‖ ‖k_g‖ of the queries and the keys before them: what their products cannot exceed, however they turn.
/// Where the input is changed its rows stand for both: projections only multiply their lengths by up to a constant.
template <class T>
double productBound(const Probe<T>& probe, const ProbedHead<T>& head) {
  const InputPart<T>& part = probe.encoding().input;
  const bool input = part.hasTable() || part.transform;
  const auto groups = groupsOf(input ? std::nullopt : probe.encoding().rotation, input ? head.input.cols : head.q.cols);
  const Table<double> q = groupNorms(input ? head.input : head.q, groups);
  const Table<double> k = input ? q : groupNorms(head.k, groups);
  double most = 0;
  for (const std::int64_t i : spreadRows(probe.tokens(), 32))
    for (std::int64_t j = 0; j <= i; ++j)
      most = std::max(most, dot<double>(std::as_const(q).row(i), std::as_const(k).row(j)));
  return std::abs(probe.encoding().logit_scale) * most;
}

/// The logits of the last query with q = k = 0: what position adds whatever the content.
template <class T>
Table<T> addedLogits(const Probe<T>& probe, ProbedHead<T> head) {
  std::ranges::fill(head.q.values, T(0));
  std::ranges::fill(head.k.values, T(0));
  return probe.logits(head, {probe.tokens() - 1});
}

/// Two things that may grow, each by itself, so that a small slope is seen beside a large product.
struct Size {
  double bound = 0;     ///< what q·k cannot exceed
  double seen = 0;      ///< what position was seen to change in it
  double added = 0;     ///< what position adds whatever the content
  bool bounded = true;  ///< no product was above its bound
};

template <class T>
Size sizeOf(const Probe<T>& probe) {
  ProbeContent content{Tokens::equal};
  content.same_projection = static_cast<bool>(probe.encoding().logits.score.prepare);
  const std::int64_t last = probe.tokens() - 1;
  Size size;
  for (const std::int64_t h : probe.heads(4)) {
    const ProbedHead<T> head = probe.head(h, content);
    const double bound = productBound(probe, head);
    const Table<T> logits = probe.logits(head, {last});
    const Table<T> added = addedLogits(probe, head);
    size.bound = std::max(size.bound, bound);
    for (std::size_t j = 0; j < logits.values.size(); ++j) {
      const auto product = static_cast<double>(logits.values[j] - added.values[j]);
      size.seen =
          std::max(size.seen, std::abs(product - static_cast<double>(logits.values.back() - added.values.back())));
      size.added = std::max(size.added, std::abs(static_cast<double>(added.values[j] - added.values.back())));
      if (content.same_projection && std::abs(product) > bound * (1 + 1e-5) + 1e-5) size.bounded = false;
    }
  }
  return size;
}

/// How a part grows over the last lengths, each twice the one before; the first ones may still fill clipped tables.
struct Growth {
  double exponent = 0;
  double first = 0, last = 0;
};

Growth growthOf(const std::vector<Size>& sizes, double Size::*part) {
  const std::size_t from = sizes.size() > 2 ? sizes.size() - 3 : 0;
  Growth growth{0, sizes[from].*part, sizes.back().*part};
  constexpr double nothing = 1e-9;
  if (growth.last > nothing)
    growth.exponent =
        std::log2(growth.last / std::max(nothing, growth.first)) / static_cast<double>(sizes.size() - 1 - from);
  return growth;
}

}  // namespace

template <class T>
Property boundedWithLength(const Subject<T>& subject) {
  const Text question{"bounded with length", "随长度有界"};
  std::vector<Size> sizes;
  const std::int64_t longest = subject.far.tokens();
  for (std::int64_t n = std::max<std::int64_t>(1, longest / 8); n < longest; n *= 2) {
    const auto probe =
        probeOf<T>(subject.scheme, subject.question.scheme.values, subject.question.shape, subject.question.content, n);
    if (probe && probe->tokens() == n) sizes.push_back(sizeOf(*probe));
  }
  sizes.push_back(sizeOf(subject.far));
  if (sizes.size() < 2)
    return decided("bounded", question, std::numeric_limits<double>::quiet_NaN(), most_exponent,
                   {"The scheme is defined at one length only.", "该方案只在一个长度上有定义。"});
  // A score that is more than the product of two vectors has no such bound; what is seen must do.
  const bool bounded = std::ranges::all_of(sizes, &Size::bounded);
  const Growth product = growthOf(sizes, bounded ? &Size::bound : &Size::seen), added = growthOf(sizes, &Size::added);
  const bool adds = added.exponent > product.exponent;
  const Growth& growth = adds ? added : product;
  const Text what = adds      ? Text{"what position adds to the logits", "位置加到 logits 上的量"}
                    : bounded ? Text{"the bound of q·k in the logits", "logits 中 q·k 的上界"}
                              : Text{"what position changes in the logits", "位置引起的 logits 变化"};
  const std::string numbers = join(brief(growth.first), " → ", brief(growth.last));
  const std::string law = "n^" + brief(growth.exponent), most = "n^" + brief(most_exponent);
  const std::string to = brief(static_cast<double>(longest));
  Property p = decided(
      "bounded", question, growth.exponent, most_exponent,
      {"Up to " + to + " tokens " + what.en + " goes " + numbers + ", like " + law + " (bounded: up to " + most + ").",
       "到 " + to + " 个词元为止，" + what.zh + "由 " + numbers + "，约按 " + law + " 变化（不超过 " + most +
           " 视为有界）。"});
  p.unit = "exponent";
  return p;
}

template Property boundedWithLength(const Subject<float>&);
template Property boundedWithLength(const Subject<double>&);

}  // namespace posiscope::measures
