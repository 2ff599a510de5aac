// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/own_score_decay.h"

#include "core/measures/axes.h"
#include "core/measures/encoded.h"
#include "core/schemes/list.h"
#include "core/screen_number.h"
#include "core/steps.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace posiscope::measures {
namespace {

/// A score is prepared for all keys of a head before it is asked, and cannot be stopped on the way.
constexpr std::int64_t most_tokens = 8192;

/// The keys, and the queries that are looked at: the last two, or all of them where keys ahead count as well.
Shape curveShape(Shape shape, bool negative) {
  shape.seq_len = std::min(shape.seq_len, most_tokens);
  shape.seq_len_q = negative ? 0 : std::min<std::int64_t>(2, shape.seq_len);
  return shape;
}

using Score = OwnScore<double>::RowScore;

/// Two neighbouring queries laid over each other by offset.
class OffsetScores {
 public:
  explicit OffsetScores(std::int64_t keys)
      : keys_(keys),
        values_(static_cast<std::size_t>(2 * keys - 1), std::numeric_limits<double>::quiet_NaN()),
        row_(static_cast<std::size_t>(keys)) {}

  /// Takes the finite scores of query `i` at position `position` for the past, or for the keys ahead of it.
  void add(const Score& score, std::int64_t i, std::int64_t position, bool ahead) {
    score(i, row_);
    for (std::int64_t j = 0; j < keys_; ++j) {
      const std::int64_t n = position - j;
      const double value = row_[static_cast<std::size_t>(j)];
      if ((n < 0) != ahead || !std::isfinite(value)) continue;
      double& known = values_[static_cast<std::size_t>(n + keys_ - 1)];
      if (std::isnan(known)) known = value;
      largest_ = std::max(largest_, std::abs(value));
      difference_ = std::max(difference_, std::abs(value - known));
    }
  }
  /// Positions of a million tokens leave about 1e-10 of an angle.
  bool isFunction() const { return difference_ <= 1e-8 * largest_; }
  /// From offset `first` on.
  std::vector<double> from(std::int64_t first) const { return {values_.begin() + (first + keys_ - 1), values_.end()}; }

 private:
  std::int64_t keys_;
  std::vector<double> values_;  ///< offsets −(keys − 1) … keys − 1
  std::vector<double> row_;
  double largest_ = 0;
  double difference_ = 0;
};

/// Scores of one head at offset `first` and after; empty when they are no function of it.
std::vector<double> headScores(const Encoding<double>& encoding, const Shape& shape, const Mask& mask,
                               std::int64_t head, const Table<double>& ones, std::int64_t first) {
  const Rows<double> q{ones.values.data(), shape.queries(), ones.cols};
  const Score score = encoding.logits.score.prepare({head, q, rowsOf(ones), {}, &shape, &mask});
  OffsetScores scores(shape.keys());
  const std::int64_t last = shape.queries() - 1;
  for (std::int64_t i = last; i >= std::max<std::int64_t>(0, last - 1); --i)
    scores.add(score, i, i + shape.queryOffset(), false);
  for (std::int64_t i = 0; first < 0 && i <= std::min<std::int64_t>(1, last); ++i) scores.add(score, i, i, true);
  if (!scores.isFunction()) return {};
  std::vector<double> y = scores.from(first);
  for (double& v : y) v /= encoding.logit_scale;
  return y;
}

void addCurves(Dataset& dataset, const std::vector<std::int64_t>& heads, std::vector<std::vector<double>> scores,
               std::int64_t first, double fallback, bool normalise) {
  const bool alike = std::ranges::all_of(scores, [&](const auto& y) { return std::ranges::equal(y, scores[0]); });
  if (alike) scores.resize(1);
  std::vector<double> x;
  for (std::size_t n = 0; n < scores[0].size(); ++n) x.push_back(static_cast<double>(first) + static_cast<double>(n));
  for (std::size_t h = 0; h < scores.size(); ++h) {
    std::vector<double>& y = scores[h];
    const double start = y[static_cast<std::size_t>(-first)];
    const double divisor = start > 0 ? start : fallback;
    for (double& v : y) v /= normalise ? divisor : 1;
    Curve curve{"ones", {"q = k = 1 (all ones)", "q = k = 1（全 1）"}, CurveRole::line, x, std::move(y), -1};
    curve.term = [normalise, divisor](double n) {
      return join("score of q = k = 1 at i − j = ", screenNumber(n),
                  normalise ? join(", divided by ", screenNumber(divisor)) : "");
    };
    if (!alike) {
      const Text head = headText(heads[h]);
      curve.key += join(" head ", heads[h]);
      curve.label = {curve.label.en + ", " + head.en, curve.label.zh + "，" + head.zh};
      curve.head = static_cast<int>(heads[h]);
    }
    dataset.curves.push_back(std::move(curve));
  }
}

}  // namespace

Outcome addOwnScore(Dataset& dataset, const Question& question, const OwnScoreDecay& wanted, const Job& job) {
  const Shape shape = curveShape(question.shape, wanted.negative);
  const auto heads = headsShown(wanted.heads, shape.num_heads, 8, question);
  if (!heads) return fail(heads.error());
  // A rotation of two branches and the features made of q and k stand beside them.
  const double bytes = 8.0 * 6 * static_cast<double>(shape.keys()) * static_cast<double>(shape.head_dim);
  if (Outcome ok = checkMemory("the scores by offset", bytes); !ok) return ok;
  const auto encoding = encode<double>(*schemes::find(question.scheme.id), question.scheme.values, shape);
  if (!encoding) return fail(encoding.error());
  Table<double> ones = makeTable<double>(shape.keys(), shape.head_dim);
  std::ranges::fill(ones.values, 1.0);
  Mask mask;
  mask.causal = question.mask.causal;
  const std::int64_t first = wanted.negative ? 1 - shape.keys() : 0;
  std::vector<std::vector<double>> scores;
  Steps steps(job, heads->size());
  for (const std::int64_t head : *heads) {
    if (steps.next().stopped()) return stopped();
    scores.push_back(headScores(*encoding, shape, mask, head, ones, first));
    if (scores.back().empty()) return {};
  }
  addCurves(dataset, *heads, std::move(scores), first, static_cast<double>(shape.head_dim), wanted.normalise);
  if (shape.seq_len < question.shape.seq_len) {
    const std::string length = readable(static_cast<double>(shape.seq_len));
    dataset.scope = {"offsets below " + length, "小于 " + length + " 的偏移"};
  }
  if (dataset.curves.size() > 1 && wanted.heads.empty()) addScopeOfHeads(dataset, *heads, shape.num_heads);
  return {};
}

}  // namespace posiscope::measures
