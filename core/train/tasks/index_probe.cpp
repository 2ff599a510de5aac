// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/tasks/list.h"

#include <algorithm>
#include <numeric>

namespace posiscope::train::tasks {
namespace {

/// Equal words at every place; which place is it? One example is the whole data set.
class IndexProbe : public Task {
 public:
  explicit IndexProbe(const TaskSpec& spec) : bos_(spec.bos), classes_(spec.length) {}

  std::int64_t vocab() const override { return 2; }
  std::int64_t classes() const override { return classes_; }
  Outcome check(const TaskSize& size, Split) const override {
    if (size.length <= classes_) return {};
    return fail(ErrorCode::out_of_range,
                join("index: the head names ", classes_, " places, a sequence of ", size.length, " has more"),
                join("index：输出头只能说出 ", classes_, " 个位置，长度为 ", size.length, " 的序列超出了"));
  }

  void fill(Split, Draws, const TaskSize&, std::span<std::int32_t> tokens,
            std::span<std::int32_t> targets) const override {
    std::ranges::fill(tokens, 0);
    if (bos_) tokens[0] = 1;
    std::iota(targets.begin(), targets.end(), 0);
  }

 private:
  bool bos_;
  std::int64_t classes_;
};

}  // namespace

Made indexProbe(const TaskSpec& spec) { return std::make_shared<IndexProbe>(spec); }

}  // namespace posiscope::train::tasks
