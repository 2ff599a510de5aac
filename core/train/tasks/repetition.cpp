// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/tasks/list.h"

#include <algorithm>

namespace posiscope::train::tasks {
namespace {

/// Symbols, then the same ones again: in their order, sorted, or backwards.
class Repetition : public Task {
 public:
  Repetition(TaskKind kind, std::int64_t symbols, bool causal) : kind_(kind), symbols_(symbols), causal_(causal) {}

  std::int64_t vocab() const override { return symbols_ + 2; }
  std::string label(std::int64_t token) const override {
    return token < symbols_ ? std::to_string(token) : token == symbols_ ? "SEP" : "MASK";
  }
  std::int64_t tokens(const TaskSize& size) const override { return 2 * size.length + (causal_ ? 0 : 1); }

  void fill(Split, Draws draws, const TaskSize& size, std::span<std::int32_t> tokens,
            std::span<std::int32_t> targets) const override {
    const auto separator = static_cast<std::int32_t>(symbols_), mask = separator + 1;
    const auto m = static_cast<std::size_t>(size.length);
    // A decoder reads the answer one place behind; an encoder has a mask in each of its places.
    std::ranges::fill(tokens, mask);
    std::ranges::fill(targets, -1);
    for (std::size_t t = 0; t < m; ++t) tokens[t] = static_cast<std::int32_t>(draws.below(symbols_));
    tokens[m] = separator;
    const std::span<std::int32_t> answer = targets.last(m);
    std::ranges::copy(tokens.first(m), answer.begin());
    if (kind_ == TaskKind::sort) std::ranges::sort(answer);
    if (kind_ == TaskKind::reverse) std::ranges::reverse(answer);
    if (causal_) std::copy(answer.begin(), answer.end() - 1, tokens.begin() + static_cast<std::ptrdiff_t>(m) + 1);
  }

 private:
  TaskKind kind_;
  std::int64_t symbols_;
  bool causal_;
};

}  // namespace

Made repetition(const TaskSpec& spec, bool causal) {
  return std::make_shared<Repetition>(spec.kind, spec.symbols, causal);
}

}  // namespace posiscope::train::tasks
