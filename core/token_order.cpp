// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/token_order.h"

#include "core/random.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace posiscope {

TokensInOrder::TokensInOrder(TokenOrder order, std::int64_t count, std::int64_t repeat_after, std::int64_t seed)
    : order_(order), repeat_after_(std::max<std::int64_t>(1, repeat_after)) {
  if (order != TokenOrder::shuffled) return;
  shuffled_.resize(static_cast<std::size_t>(count));
  std::iota(shuffled_.begin(), shuffled_.end(), 0);
  const Stream stream(static_cast<std::uint64_t>(seed), "content/order");
  for (std::uint64_t left = shuffled_.size(); left > 1; --left)
    std::swap(shuffled_[left - 1], shuffled_[stream.below(left, left, 0)]);
}

}  // namespace posiscope
