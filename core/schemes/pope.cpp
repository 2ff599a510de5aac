// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dot.h"
#include "core/schemes/learned_weights.h"
#include "core/schemes/placed_terms.h"
#include "core/schemes/schemes.h"
#include "core/softplus.h"

#include <numbers>

namespace posiscope::schemes {
namespace {

enum class PhaseStart { zero, uniform };

struct PopeParams {
  double base = 10000;
  PhaseStart start = PhaseStart::zero;
  Array delta;  ///< (heads, head_dim), clamped to [−2π, 0]
  std::int64_t seed = 1;
};

ParamTable<PopeParams> popeTable() {
  using P = PopeParams;
  ParamTable<P> t;
  t.real("base", &P::base, {1, 1e12, 100, 1e7, true},
         {{"base", "底数"}, {"Sets how slowly the last dimension turns.", "决定最后一维转得有多慢。"}, "rope_theta"});
  t.choice("start", &P::start, {{"zero", {"zero", "零"}}, {"uniform", {"uniform", "均匀随机"}}},
           {{"initial phases", "初始相位"},
            {"Phases that are not given: all zero, or drawn evenly from −2π to 0.",
             "未给出的相位：全为零，或在 −2π 到 0 之间均匀抽取。"}});
  t.array("delta", &P::delta,
          {{"phases", "相位"},
           {"δ of shape (heads, head_dim), clamped to −2π … 0.", "δ，形状 (头数, head_dim)，截断到 −2π … 0。"}})
      .unset({"as set above", "如上设置"});
  addSeed(t);
  t.when("start", {"uniform"});
  return t;
}

/// One frequency for each dimension, in radians per token.
std::vector<double> frequenciesOf(const PopeParams& p, std::int64_t dim) {
  std::vector<double> frequency;
  for (std::int64_t d = 0; d < dim; ++d)
    frequency.push_back(std::pow(p.base, -static_cast<double>(d) / static_cast<double>(dim)));
  return frequency;
}

/// δ of one head.
std::vector<double> phasesOf(const PopeParams& p, std::int64_t head, std::int64_t dim) {
  const double lowest = -2 * std::numbers::pi;
  const Stream stream(static_cast<std::uint64_t>(p.seed), "pope/delta");
  std::vector<double> phases(static_cast<std::size_t>(dim));
  for (std::size_t d = 0; d < phases.size(); ++d) {
    const auto place = static_cast<std::uint64_t>(head * dim) + d;
    if (!p.delta.empty())
      phases[d] = std::clamp(p.delta.data()[place], lowest, 0.0);
    else if (p.start == PhaseStart::uniform)
      phases[d] = lowest * stream.unit(place, 0);
  }
  return phases;
}

/// softplus(x)·(cos, sin) of position·w + phase: one dimension becomes two, and the score a plain product.
template <class T>
Table<T> features(Rows<T> x, const std::vector<double>& frequency, const std::vector<double>& phase, double first) {
  Table<T> out = makeTable<T>(x.rows, 2 * x.cols);
  for (std::int64_t t = 0; t < x.rows; ++t)
    for (std::size_t d = 0; d < frequency.size(); ++d) {
      const double angle = (first + static_cast<double>(t)) * frequency[d] + phase[d];
      const double magnitude = softplus(static_cast<double>(x.row(t)[d]));
      out.row(t)[2 * d] = static_cast<T>(magnitude * std::cos(angle));
      out.row(t)[2 * d + 1] = static_cast<T>(magnitude * std::sin(angle));
    }
  return out;
}

/// The score of one head: Σ μ_q μ_k cos of the angle between them, which the frequencies and the phases δ give.
template <class T>
typename OwnScore<T>::RowScore scoreOf(const PopeParams& p, const HeadContent<T>& head, T scale,
                                       const std::vector<double>& frequency) {
  const Shape& s = *head.shape;
  const std::vector<double> none(frequency.size());
  const double asking = s.first_position + static_cast<double>(s.queryOffset());
  auto q = std::make_shared<const Table<T>>(features(head.q, frequency, none, asking));
  auto k = std::make_shared<const Table<T>>(
      features(head.k, frequency, phasesOf(p, head.head, s.head_dim), s.first_position));
  return [q, k, scale](std::int64_t i, std::span<T> row) {
    for (std::int64_t j = 0; j < k->rows; ++j) row[static_cast<std::size_t>(j)] = scale * dot(q->row(i), k->row(j));
  };
}

struct Pope {
  Outcome check(const PopeParams& p, const Shape& shape) const {
    return checkWeights("pope", "delta", p.delta, {shape.num_heads, shape.head_dim});
  }

  template <class T>
  Encoding<T> encode(const PopeParams& p, const Shape& shape) const {
    Encoding<T> encoding;
    encoding.logit_scale = rootScale(shape);
    encoding.logits.score.frequency = frequenciesOf(p, shape.head_dim);
    const auto scale = static_cast<T>(encoding.logit_scale);
    encoding.logits.score.prepare = [p, scale](const HeadContent<T>& head) {
      return scoreOf(p, head, scale, frequenciesOf(p, head.shape->head_dim));
    };
    // Nothing has turned between two tokens at one position; the phases are learned and stay.
    encoding.logits.terms = placedTerms<T>(
        [p, scale](const HeadContent<T>& head) {
          return scoreOf(p, head, scale, std::vector<double>(static_cast<std::size_t>(head.shape->head_dim)));
        },
        encoding.logits.score.prepare,
        {{"score, at equal positions", "分数，同一位置"}, {"what the angles add", "角度带来的变化"}});
    return encoding;
  }

  SchemeCost cost(const PopeParams&, const Shape& shape) const {
    // A phase for each dimension; two features of each, and a product twice as wide.
    const std::int64_t width = shape.num_heads * shape.head_dim;
    return {.learned = width, .per_token = 4 * width, .per_pair = width};
  }

  std::string substitution(const PopeParams& p, const Shape& shape) const {
    return join("b = ", screenNumber(p.base), ", d = ", shape.head_dim, ", k = 0…", shape.head_dim - 1);
  }
};

}  // namespace

Scheme pope() {
  return makeScheme(
      {.id = "pope",
       .name = {"PoPE", "PoPE 极坐标位置编码"},
       .family = Family::rotary,
       .year = 2025,
       .reference = "Gopalakrishnan et al. 2025, arXiv:2509.10534",
       .summary = {"Content sets only lengths, position only angles: every dimension is a pair of its own.",
                   "内容只决定长度，位置只决定角度：每一维自成一对。"}},
      popeTable(), Pope{});
}

}  // namespace posiscope::schemes
