// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/tasks/list.h"

#include <numeric>

namespace posiscope::train::tasks {
namespace {

/// Random patches; each is to name its own number, or the symbol one row down.
class Image : public Task {
 public:
  explicit Image(const TaskSpec& spec)
      : symbols_(spec.symbols), target_(spec.target), patches_(spec.grid_height * spec.grid_width) {}

  std::int64_t vocab() const override { return symbols_; }
  std::int64_t classes() const override { return target_ == ImageTarget::index ? patches_ : symbols_; }
  Outcome check(const TaskSize& size, Split) const override {
    if (target_ == ImageTarget::below || size.grid->patches() <= patches_) return {};
    return fail(ErrorCode::out_of_range,
                join("image: the head names ", patches_, " patches, a grid of ", size.grid->patches(), " has more"),
                join("image：输出头只能说出 ", patches_, " 个图块，", size.grid->patches(), " 个图块的网格超出了"));
  }

  void fill(Split, Draws draws, const TaskSize& size, std::span<std::int32_t> tokens,
            std::span<std::int32_t> targets) const override {
    for (std::int32_t& token : tokens) token = static_cast<std::int32_t>(draws.below(symbols_));
    if (target_ == ImageTarget::index) return std::iota(targets.begin(), targets.end(), 0);
    const auto width = static_cast<std::size_t>(size.grid->width);
    for (std::size_t t = 0; t < tokens.size(); ++t) targets[t] = t + width < tokens.size() ? tokens[t + width] : -1;
  }

 private:
  std::int64_t symbols_;
  ImageTarget target_;
  std::int64_t patches_;
};

}  // namespace

Made image(const TaskSpec& spec) { return std::make_shared<Image>(spec); }

}  // namespace posiscope::train::tasks
