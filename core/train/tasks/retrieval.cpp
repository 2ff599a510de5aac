// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/tasks/list.h"

namespace posiscope::train::tasks {
namespace {

/// The first token says how many places back to look.
class Retrieval : public Task {
 public:
  explicit Retrieval(const TaskSpec& spec) : symbols_(spec.symbols), low_(spec.low), high_(spec.high) {}

  std::int64_t vocab() const override { return symbols_ + high_ - low_ + 1; }
  std::string label(std::int64_t token) const override {
    return token < symbols_ ? std::to_string(token) : "−" + std::to_string(token - symbols_ + low_);
  }

  void fill(Split, Draws draws, const TaskSize&, std::span<std::int32_t> tokens,
            std::span<std::int32_t> targets) const override {
    const std::int64_t marker = draws.below(high_ - low_ + 1);
    const auto distance = static_cast<std::size_t>(low_ + marker);
    tokens[0] = static_cast<std::int32_t>(symbols_ + marker);
    for (std::size_t t = 1; t < tokens.size(); ++t) tokens[t] = static_cast<std::int32_t>(draws.below(symbols_));
    for (std::size_t t = 0; t < tokens.size(); ++t) targets[t] = t >= distance + 1 ? tokens[t - distance] : -1;
  }

 private:
  std::int64_t symbols_, low_, high_;
};

}  // namespace

Made retrieval(const TaskSpec& spec) { return std::make_shared<Retrieval>(spec); }

}  // namespace posiscope::train::tasks
