// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>

namespace posiscope::train {

/// Numbers that start on a cache line. Vector code may treat the start and the end of a row apart, depending on the
/// address: only with a fixed alignment does the same computation give the same bits in every run.
template <class T>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::int64_t size) { resize(size); }

  /// At least `size` numbers. What it held is lost when it grows; new numbers are 0.
  void resize(std::int64_t size) {
    if (size > capacity_) {
      numbers_.reset(static_cast<T*>(::operator new(static_cast<std::size_t>(size) * sizeof(T), line)));
      capacity_ = size;
      std::fill_n(numbers_.get(), size, T(0));
    }
    size_ = size;
  }

  T* data() { return numbers_.get(); }
  const T* data() const { return numbers_.get(); }
  std::int64_t size() const { return size_; }
  std::span<T> span() { return {data(), static_cast<std::size_t>(size_)}; }
  std::span<const T> span() const { return {data(), static_cast<std::size_t>(size_)}; }
  void clear() { std::fill_n(data(), size_, T(0)); }

 private:
  static constexpr std::align_val_t line{64};
  struct Release {
    void operator()(T* numbers) const { ::operator delete(numbers, line); }
  };
  std::unique_ptr<T, Release> numbers_;
  std::int64_t size_ = 0;
  std::int64_t capacity_ = 0;
};

/// `count` rounded up to whole cache lines of T, so that parts of one buffer start on a line each.
template <class T>
constexpr std::int64_t wholeLines(std::int64_t count) {
  constexpr std::int64_t lane = 64 / static_cast<std::int64_t>(sizeof(T));
  return (count + lane - 1) / lane * lane;
}

}  // namespace posiscope::train
