// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/tasks/list.h"

namespace posiscope::train::tasks {
namespace {

/// a, b, "=" → (a ± b) mod p. A quarter of the pairs is never trained on.
class Modular : public Task {
 public:
  explicit Modular(const TaskSpec& spec) : modulus_(spec.modulus), operation_(spec.operation) {}

  std::int64_t vocab() const override { return modulus_ + 1; }
  Outcome check(const TaskSize& size, Split) const override {
    if (size.length == 3) return {};
    return fail(ErrorCode::out_of_range, join("modular: a sequence has 3 tokens, got ", size.length),
                join("modular：序列有 3 个词元，得到 ", size.length));
  }
  std::string label(std::int64_t token) const override { return token < modulus_ ? std::to_string(token) : "="; }
  std::int64_t tokens(const TaskSize&) const override { return 3; }

  void fill(Split split, Draws draws, const TaskSize&, std::span<std::int32_t> tokens,
            std::span<std::int32_t> targets) const override {
    const Stream sides(0, "modular/split");
    std::int64_t a = 0, b = 0;
    Split side{};
    do {
      a = draws.below(modulus_);
      b = draws.below(modulus_);
      side = sides.below(4, static_cast<std::uint64_t>(a * modulus_ + b), 0) == 0 ? Split::evaluation : Split::train;
    } while (side != split);
    const std::int64_t result = operation_ == ModularOperation::add ? a + b : a - b + modulus_;
    tokens[0] = static_cast<std::int32_t>(a);
    tokens[1] = static_cast<std::int32_t>(b);
    tokens[2] = static_cast<std::int32_t>(modulus_);
    targets[0] = targets[1] = -1;
    targets[2] = static_cast<std::int32_t>(result % modulus_);
  }

 private:
  std::int64_t modulus_;
  ModularOperation operation_;
};

}  // namespace

Made modular(const TaskSpec& spec) {
  // Both sides of the split must have a pair, or drawing one would never end.
  const Stream sides(0, "modular/split");
  std::int64_t evaluation = 0;
  for (std::int64_t pair = 0; pair < spec.modulus * spec.modulus; ++pair)
    evaluation += sides.below(4, static_cast<std::uint64_t>(pair), 0) == 0;
  if (evaluation == 0 || evaluation == spec.modulus * spec.modulus)
    return fail(ErrorCode::out_of_range,
                join("modular: with modulus ", spec.modulus, " no pair is left to evaluate; choose a larger one"),
                join("modular：模数为 ", spec.modulus, " 时没有可供评估的数对；请选更大的模数"));
  return std::make_shared<Modular>(spec);
}

}  // namespace posiscope::train::tasks
