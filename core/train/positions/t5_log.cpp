// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/buckets.h"
#include "core/train/positions/list.h"
#include "core/train/positions/offset_bias.h"

#include <algorithm>

namespace posiscope::train::positions {
namespace {

struct Constants {
  std::int64_t num_buckets = 32;
  std::int64_t max_distance = 128;
};

BucketParams bucketsOf(const Constants& c, const ModelSpec& spec) {
  return {.num_buckets = c.num_buckets, .max_distance = c.max_distance, .bidirectional = !spec.causal};
}

template <class T>
class T5Log : public OffsetBias<T> {
 public:
  T5Log(const Constants& constants, const ModelSpec& spec)
      : OffsetBias<T>(spec.num_heads),
        buckets_(bucketsOf(constants, spec)),
        edges_(bucketEdges(buckets_.side(), buckets_.max_distance)) {}

  static Outcome check(const Constants& c, const ModelSpec& spec) { return checkBuckets("t5_log", bucketsOf(c, spec)); }
  std::vector<Parameter> parameters() const override {
    return {{.name = "pe.table", .shape = {buckets_.num_buckets, this->heads_}, .initial = Initial::normal(0.02)}};
  }
  void refresh(const T* parameters) override {
    for (std::int64_t n = 1 - this->length_; n < this->length_; ++n)
      for (std::int64_t h = 0; h < this->heads_; ++h)
        this->set(h, n, static_cast<double>(parameters[row(n) * this->heads_ + h]));
  }
  void finish(const T* sums, T* gradient) override {
    std::fill_n(gradient, buckets_.num_buckets * this->heads_, T(0));
    for (std::int64_t n = 1 - this->length_; n < this->length_; ++n)
      for (std::int64_t h = 0; h < this->heads_; ++h)
        gradient[row(n) * this->heads_ + h] += static_cast<T>(this->sumOf(sums, h, n));
  }

 private:
  /// Buckets are counted by key − query, the opposite of n.
  std::int64_t row(std::int64_t n) const { return bucketOf(buckets_, edges_, -n); }

  BucketParams buckets_;
  std::vector<std::int64_t> edges_;
};

ParamTable<Constants> constantsTable() {
  using P = Constants;
  ParamTable<P> t;
  t.integer("num_buckets", &P::num_buckets, {2, 1024, 4, 128, true},
            {{"buckets", "桶数"},
             {"Rows of the table; without a causal mask half of them count keys ahead.",
              "偏置表的行数；没有因果掩码时一半用于查询之后的键。"},
             "buckets"});
  t.integer("max_distance", &P::max_distance, {2, 1 << 20, 16, 4096, true},
            {{"max distance", "最大距离"},
             {"The logarithmic steps reach up to here; beyond, the bias is constant.",
              "对数分桶延伸到此距离，更远处偏置不变。"},
             "",
             "tokens"});
  return t;
}

}  // namespace

Trainable t5Log() {
  return makeTrainable<T5Log>(
      "t5_log", constantsTable(),
      {"A bias for each bucket and head, shared by the layers.", "每个桶、每个头一个偏置，各层共用。"});
}

}  // namespace posiscope::train::positions
