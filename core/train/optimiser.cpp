// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/optimiser.h"

#include "core/train/extent.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace posiscope::train {
namespace {

constexpr std::int64_t block = 4096;  // parameters that one thread does at a time: they stay in its first cache

}  // namespace

template <class T>
Optimiser<T>::Optimiser(const OptimiserSpec& spec, const Layout& layout, std::int64_t total_steps)
    : spec_(spec),
      total_(total_steps),
      position_(layout.position),
      words_(layout.parameters.front().size()),
      kernels_(&kernels<T>()),
      first_(layout.size),
      second_(spec.kind == OptimiserKind::adamw ? layout.size : 0),
      squares_((layout.size + block - 1) / block) {
  for (const Parameter& p : layout.parameters)
    for (std::int64_t begin = 0; begin < p.size(); begin += block)
      segments_.push_back({p.offset + begin, std::min(block, p.size() - begin), p.decayed});
}

template <class T>
void Optimiser<T>::restore(std::int64_t steps, std::span<const T> first, std::span<const T> second) {
  assert(static_cast<std::int64_t>(first.size()) == first_.size());
  assert(static_cast<std::int64_t>(second.size()) == second_.size());
  t_ = steps;
  std::ranges::copy(first, first_.data());
  std::ranges::copy(second, second_.data());
}

template <class T>
double Optimiser<T>::norm(const T* gradient, std::int64_t begin, std::int64_t end) {
  inBlocks(end - begin, block, [&](std::int64_t from, std::int64_t to) {
    squares_.data()[from / block] = kernels_->squares(to - from, gradient + begin + from);
  });
  double sum = 0;
  for (std::int64_t b = 0; b * block < end - begin; ++b) sum += squares_.data()[b];
  return std::sqrt(sum);
}

template <class T>
StepFacts Optimiser<T>::step(std::span<const T> gradient, std::span<T> parameters) {
  ++t_;
  const auto size = static_cast<std::int64_t>(gradient.size());
  StepFacts facts;
  facts.lr = learningRate(spec_, total_, t_);
  facts.norm = norm(gradient.data(), 0, size);
  facts.position_norm = norm(gradient.data(), position_, size);
  facts.word_norm = norm(gradient.data(), 0, words_);
  if (spec_.clip > 0) facts.clip = std::min(1.0, spec_.clip / (facts.norm + 1e-6));
  const auto steps = static_cast<double>(t_);
  const double correction1 = 1 - std::pow(spec_.beta1, steps), correction2 = 1 - std::pow(spec_.beta2, steps);
  inBlocks(static_cast<std::int64_t>(segments_.size()), 4, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const Segment& s = segments_[static_cast<std::size_t>(i)];
      const double decay = s.decayed ? facts.lr * spec_.weight_decay : 0.0;
      const T* g = gradient.data() + s.begin;
      T* p = parameters.data() + s.begin;
      if (spec_.kind == OptimiserKind::adamw)
        kernels_->adam({facts.lr, spec_.beta1, spec_.beta2, spec_.eps, decay, facts.clip, correction1, correction2},
                       s.size, g, first_.data() + s.begin, second_.data() + s.begin, p);
      else
        kernels_->momentum({facts.lr, spec_.momentum, decay, facts.clip}, s.size, g, first_.data() + s.begin, p);
    }
  });
  return facts;
}

template class Optimiser<float>;
template class Optimiser<double>;

}  // namespace posiscope::train
