// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/tasks/list.h"

#include <numeric>

namespace posiscope::train::tasks {
namespace {

/// A random cycle of symbols over and over: after the first round every next symbol can be known.
class Induction : public Task {
 public:
  explicit Induction(const TaskSpec& spec) : symbols_(spec.symbols), low_(spec.low), high_(spec.high) {}

  std::int64_t vocab() const override { return symbols_; }

  void fill(Split, Draws draws, const TaskSize&, std::span<std::int32_t> tokens,
            std::span<std::int32_t> targets) const override {
    const auto period = static_cast<std::size_t>(low_ + draws.below(high_ - low_ + 1));
    thread_local std::vector<std::int32_t> cycle;
    cycle.resize(static_cast<std::size_t>(symbols_));
    std::iota(cycle.begin(), cycle.end(), 0);
    // As many draws whatever the period is.
    for (std::int64_t i = 0; i < high_; ++i)
      std::swap(cycle[static_cast<std::size_t>(i)], cycle[static_cast<std::size_t>(i + draws.below(symbols_ - i))]);
    for (std::size_t t = 0; t < tokens.size(); ++t) {
      tokens[t] = cycle[t % period];
      targets[t] = t >= period ? cycle[(t + 1) % period] : -1;
    }
  }

 private:
  std::int64_t symbols_, low_, high_;
};

}  // namespace

Made induction(const TaskSpec& spec) {
  if (spec.high > spec.symbols)
    return fail(ErrorCode::out_of_range,
                join("induction: high, the longest period, must be at most the number of symbols ", spec.symbols,
                     ", got ", spec.high),
                join("induction：最长周期 high 不能超过符号数 symbols ", spec.symbols, "，得到 ", spec.high));
  return std::make_shared<Induction>(spec);
}

}  // namespace posiscope::train::tasks
