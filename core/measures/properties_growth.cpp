// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/properties.h"

#include <algorithm>
#include <utility>

namespace posiscope::measures {
namespace {

/// Exponents up to this count as no growth: log n grows like n^0.17 between these lengths, extremes of random tables
/// like n^0.03.
constexpr double most_exponent = 0.1;

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

/// What the logits of the last query cannot exceed: norms where q·k is a dot product, and the bias.
template <class T>
double bound(const Probe<T>& probe, const ProbedHead<T>& head) {
  const auto groups = groupsOf(probe.encoding().rotation, probe.shape().head_dim);
  const std::int64_t last = probe.tokens() - 1;
  // With q = k = 0 only the bias is left.
  ProbedHead<T> silent = head;
  std::ranges::fill(silent.q.values, T(0));
  std::ranges::fill(silent.k.values, T(0));
  const Table<T> bias = probe.logits(silent, {last});
  double most = 0;
  for (std::int64_t j = 0; j <= last; ++j) {
    double dot = 0;
    for (const auto& dims : groups)
      dot += norm(std::as_const(head.q).row(last), dims) * norm(std::as_const(head.k).row(j), dims);
    const double added = std::abs(static_cast<double>(bias.values[static_cast<std::size_t>(j)]));
    most = std::max(most, std::abs(probe.encoding().logit_scale) * dot + added);
  }
  return most;
}

/// What position does to the logits of the last query, as far as it can be seen.
struct Size {
  double value = 0;
  bool limited = true;  ///< a score of its own never exceeds scale·‖q‖·‖k‖
};

template <class T>
Size sizeOf(const Probe<T>& probe) {
  const bool own = static_cast<bool>(probe.encoding().logits.score.prepare);
  const std::int64_t last = probe.tokens() - 1;
  ProbeContent content{Tokens::equal};
  content.same_projection = own;
  Size size{0, own};
  for (const std::int64_t h : probe.heads(4)) {
    const ProbedHead<T> head = probe.head(h, content);
    if (!own) {
      size.value = std::max(size.value, bound(probe, head));
      continue;
    }
    const Table<T> logits = probe.logits(head, {last});
    const auto here = static_cast<double>(logits.values.back());
    const double limit = bound(probe, head) * (1 + 1e-5);
    for (const T v : logits.values) {
      size.value = std::max(size.value, std::abs(static_cast<double>(v) - here));
      if (std::abs(static_cast<double>(v)) > limit) size.limited = false;
    }
  }
  return size;
}

/// The mean exponent from sizes[first] to the last, each length twice the one before.
double exponentOf(const std::vector<double>& sizes, std::size_t first) {
  if (!(sizes[first] > 0) || !(sizes.back() > 0)) return 0;
  return std::log2(sizes.back() / sizes[first]) / static_cast<double>(sizes.size() - 1 - first);
}

}  // namespace

template <class T>
Property boundedWithLength(const Subject<T>& subject) {
  const Text question{"bounded with length", "随长度有界"};
  std::vector<double> sizes;
  bool limited = true;
  for (std::int64_t n = std::min(subject.near.tokens(), subject.far.tokens() / 8 + 1); n < subject.far.tokens();
       n *= 2) {
    const auto probe =
        probeOf<T>(subject.scheme, subject.question.scheme.values, subject.question.shape, subject.question.content, n);
    if (!probe || probe->tokens() != n) continue;
    const Size size = sizeOf(*probe);
    sizes.push_back(size.value);
    limited = limited && size.limited;
  }
  const Size farthest = sizeOf(subject.far);
  sizes.push_back(farthest.value);
  limited = limited && farthest.limited;
  if (sizes.size() < 2)
    return decided("bounded", question, std::numeric_limits<double>::quiet_NaN(), most_exponent,
                   {"The scheme is defined at one length only.", "该方案只在一个长度上有定义。"});
  // The first steps may still fill the buckets of a clipped table.
  const double exponent = limited ? 0 : exponentOf(sizes, sizes.size() > 2 ? sizes.size() - 3 : 0);
  const std::string longest = brief(static_cast<double>(subject.far.tokens()));
  const std::string numbers = join(brief(sizes.front()), " → ", brief(sizes.back()));
  Property p = decided("bounded", question, exponent, most_exponent, {});
  if (limited)
    p.sentence = {"The score stays within scale·‖q‖·‖k‖ at every length up to " + longest + ".",
                  "在长度不超过 " + longest + " 时，分数始终不超过 scale·‖q‖·‖k‖。"};
  else
    p.sentence = {"What bounds the logits of the last query goes " + numbers + " up to " + longest +
                      " tokens, like n^" + brief(exponent) + " (" + brief(most_exponent) + ").",
                  "到 " + longest + " 个词元为止，末位查询的 logits 上界由 " + numbers + "，约按 n^" + brief(exponent) +
                      " 变化（" + brief(most_exponent) + "）。"};
  p.unit = "exponent";
  return p;
}

template Property boundedWithLength(const Subject<float>&);
template Property boundedWithLength(const Subject<double>&);

}  // namespace posiscope::measures
