// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <mutex>
#include <utility>

namespace posiscope {

/// A value made when it is first asked for, once, from any thread: encodings of 10⁵ tokens are made for their name
/// and facts alone, long before anybody looks at the numbers.
template <class Value>
class Lazy {
 public:
  explicit Lazy(std::function<Value()> make) : make_(std::move(make)) {}

  const Value& get() const {
    std::call_once(once_, [this] { value_ = make_(); });
    return value_;
  }

 private:
  std::function<Value()> make_;
  mutable std::once_flag once_;
  mutable Value value_{};
};

}  // namespace posiscope
