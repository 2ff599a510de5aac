// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/slopes.h"
#include "core/train/positions/list.h"
#include "core/train/positions/offset_bias.h"

#include <cstdlib>

namespace posiscope::train::positions {
namespace {

struct Constants {
  double max_bias = 8;
};

template <class T>
class Alibi : public OffsetBias<T> {
 public:
  Alibi(const Constants& constants, const ModelSpec& spec)
      : OffsetBias<T>(spec.num_heads), slopes_(alibiSlopes(spec.num_heads, constants.max_bias)) {}

  Outcome fit(const Extent& extent) override {
    if (Outcome ok = OffsetBias<T>::fit(extent); !ok) return ok;
    for (std::int64_t h = 0; h < this->heads_; ++h)
      for (std::int64_t n = 1 - extent.length; n < extent.length; ++n)
        this->set(h, n, -slopes_[static_cast<std::size_t>(h)] * static_cast<double>(std::abs(n)));
    return {};
  }

 protected:
  bool isTrained() const override { return false; }

 private:
  std::vector<double> slopes_;
};

ParamTable<Constants> constantsTable() {
  ParamTable<Constants> t;
  t.real("max_bias", &Constants::max_bias, {0.1, 64, 1, 16, false},
         {{"max bias", "最大偏置"},
          {"The last slope of a power of two of heads is 2 to the power of minus this.",
           "头数为 2 的幂时，最后一个斜率是 2 的负此值次方。"},
          "alibi_bias_max"});
  return t;
}

}  // namespace

Trainable alibi() {
  return makeTrainable<Alibi>("alibi", constantsTable(),
                              {"Nothing: the slopes are given.", "没有可学习的部分：斜率是给定的。"});
}

}  // namespace posiscope::train::positions
