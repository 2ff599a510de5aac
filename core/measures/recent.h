// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <utility>

namespace posiscope::measures {

/// The last few answers of a pure function, newest first: at most 8 of them and, but for the newest, 256 MiB. Safe
/// from any thread.
template <class Key, class Value>
class Recent {
 public:
  using Pointer = std::shared_ptr<const Value>;

  Pointer find(const Key& key) {
    const std::lock_guard lock(mutex_);
    for (auto it = entries_.begin(); it != entries_.end(); ++it)
      if (it->key == key) {
        entries_.splice(entries_.begin(), entries_, it);
        return it->value;
      }
    return nullptr;
  }

  void remember(Key key, Pointer value, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    entries_.push_front({std::move(key), std::move(value), bytes});
    std::size_t sum = 0;
    std::size_t kept = 0;
    for (auto it = entries_.begin(); it != entries_.end(); ++it, ++kept) {
      sum += it->bytes;
      if (kept < most_entries && (kept == 0 || sum <= most_bytes)) continue;
      entries_.erase(it, entries_.end());
      return;
    }
  }

 private:
  struct Entry {
    Key key;
    Pointer value;
    std::size_t bytes;
  };
  static constexpr std::size_t most_entries = 8;
  static constexpr std::size_t most_bytes = std::size_t{256} << 20;
  std::mutex mutex_;
  std::list<Entry> entries_;
};

}  // namespace posiscope::measures
