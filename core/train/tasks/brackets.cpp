// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/tasks/list.h"

namespace posiscope::train::tasks {
namespace {

/// Opening (0) and closing (1) brackets → how deep one is after each.
class Brackets : public Task {
 public:
  explicit Brackets(std::int64_t max_depth) : max_depth_(max_depth) {}

  std::int64_t vocab() const override { return 2; }
  std::int64_t classes() const override { return max_depth_ + 1; }

  void fill(Split, Draws draws, const TaskSize&, std::span<std::int32_t> tokens,
            std::span<std::int32_t> targets) const override {
    std::int32_t depth = 0;
    for (std::size_t t = 0; t < tokens.size(); ++t) {
      const std::int64_t bit = draws.below(2);  // drawn whether it decides or not
      const std::int32_t close = depth == 0 ? 0 : depth == max_depth_ ? 1 : static_cast<std::int32_t>(bit);
      depth += close == 1 ? -1 : 1;
      tokens[t] = close;
      targets[t] = depth;
    }
  }

 private:
  std::int64_t max_depth_;
};

}  // namespace

Made brackets(const TaskSpec& spec) { return std::make_shared<Brackets>(spec.max_depth); }

}  // namespace posiscope::train::tasks
