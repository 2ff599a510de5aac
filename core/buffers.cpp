// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/buffers.h"

#include <algorithm>
#include <mutex>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace posiscope {
namespace {

/// Small ones come from the allocator without new pages.
constexpr std::size_t least_size = 1 << 14;
constexpr std::size_t most_buffers = 24;
constexpr std::size_t most_floats = std::size_t{64} << 20;  // 256 MiB

class FreeList {
 public:
  std::vector<float> take(std::size_t size) {
    const std::lock_guard lock(mutex_);
    const auto fits = [size](const std::vector<float>& b) { return b.size() >= size && b.size() <= 2 * size; };
    const auto found = std::ranges::find_if(free_, fits);
    if (found == free_.end()) return {};
    std::vector<float> taken = std::move(*found);
    free_.erase(found);
    return taken;
  }
  void give(std::vector<float> buffer) {
    if (buffer.size() < least_size || buffer.size() > most_floats) return;
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(buffer));
    std::size_t floats = 0;
    for (const std::vector<float>& b : free_) floats += b.capacity();
    while (free_.size() > most_buffers || floats > most_floats) {
      floats -= free_.front().capacity();
      free_.erase(free_.begin());
    }
  }

 private:
  std::mutex mutex_;
  std::vector<std::vector<float>> free_;  // oldest first
};

FreeList& freeList() {
  // Never destroyed: the last results may die after the static objects.
  static FreeList& list = *new FreeList;
  return list;
}

}  // namespace

std::vector<float> takeBuffer(std::size_t size) {
  std::vector<float> buffer;
  if (size >= least_size) buffer = freeList().take(size);
  buffer.resize(size);
  return buffer;
}

std::shared_ptr<const std::vector<float>> lendBuffer(std::vector<float> values) {
  auto* lent = new std::vector<float>(std::move(values));
  return {lent, [](std::vector<float>* buffer) {
            freeList().give(std::move(*buffer));
            delete buffer;
          }};
}

void keepFreedPages() {
#ifdef __GLIBC__
  // The largest block that the heap may hold, and the largest free end of it; and one heap for all threads, because
  // those of further threads give their pages back whenever they are empty.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  mallopt(M_ARENA_MAX, 1);
#endif
}

}  // namespace posiscope
