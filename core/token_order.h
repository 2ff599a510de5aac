// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace posiscope {

/// How the tokens of random content follow each other. What an encoding that reads the content makes of the same tokens
/// again, or of the same tokens elsewhere, shows what of it is position.
enum class TokenOrder { plain, repeated, shuffled };

/// Which of `count` tokens as they are drawn stands at each place.
class TokensInOrder {
 public:
  /// `repeated`: the first `repeat_after` tokens again and again. `shuffled`: all of them once, in an order that
  /// depends on the seed and on `count`.
  TokensInOrder(TokenOrder order, std::int64_t count, std::int64_t repeat_after, std::int64_t seed);

  std::int64_t at(std::int64_t place) const {
    if (order_ == TokenOrder::repeated) return place % repeat_after_;
    return order_ == TokenOrder::plain ? place : shuffled_[static_cast<std::size_t>(place)];
  }

 private:
  TokenOrder order_;
  std::int64_t repeat_after_;
  std::vector<std::int64_t> shuffled_;
};

}  // namespace posiscope
