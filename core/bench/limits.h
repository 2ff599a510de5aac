// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace posiscope::bench {

/// Memory for floats, not filled when it is made.
class Floats {
 public:
  explicit Floats(std::size_t count) : values_(new float[count]), count_(count) {}
  std::span<float> span() { return {values_.get(), count_}; }
  float* data() { return values_.get(); }
  std::size_t bytes() const { return count_ * sizeof(float); }

 private:
  std::unique_ptr<float[]> values_;
  std::size_t count_;
};

/// Writes all of it on all threads, with memset.
void fillWithMemset(Floats& memory);

/// The products q · kᵀ of an attention, [heads, tokens, tokens] from [heads, tokens, head_dim] twice, as Eigen forms
/// them: 64 rows at a time, on all threads, nothing else.
struct ProductShape {
  std::int64_t heads = 0;
  std::int64_t tokens = 0;
  std::int64_t head_dim = 0;

  double operations() const {
    return 2.0 * static_cast<double>(heads) * static_cast<double>(tokens) * static_cast<double>(tokens) *
           static_cast<double>(head_dim);
  }
};
void eigenProducts(const ProductShape& shape, std::span<const float> q, std::span<const float> k, float* out);

}  // namespace posiscope::bench
