// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/positions/added_table.h"
#include "core/train/positions/list.h"
#include "core/train/positions/offset_scatter.h"

#include <algorithm>

namespace posiscope::train::positions {
namespace {

struct Constants {
  std::int64_t rows = 512;
  std::int64_t max_distance = 16;
  double alpha = 1;
  double beta = 0.5;
};

/// α·T_i + β·mean_j R[clip(j − i)].
template <class T>
class Hybrid : public AddedTable<T> {
 public:
  Hybrid(const Constants& constants, const ModelSpec& spec)
      : AddedTable<T>(spec.d_model), c_(constants), offsets_{constants.max_distance} {}

  std::vector<Parameter> parameters() const override {
    return {{.name = "pe.table", .shape = {c_.rows, this->width_}, .initial = Initial::normal(0.2)},
            {.name = "pe.rel", .shape = {offsets_.classes(), this->width_}, .initial = Initial::normal(0.2)}};
  }
  Outcome fit(const Extent& extent) override {
    if (Outcome ok = checkRows("hybrid", "the table", extent.length, c_.rows); !ok) return ok;
    if (Outcome ok = AddedTable<T>::fit(extent); !ok) return ok;
    shares_.resize(extent.length * offsets_.classes());
    shares_.clear();
    const T share = static_cast<T>(c_.beta / static_cast<double>(extent.length));
    for (std::int64_t i = 0; i < extent.length; ++i)
      for (std::int64_t j = 0; j < extent.length; ++j)
        shares_.data()[i * offsets_.classes() + offsets_.of(i, j)] += share;
    return {};
  }
  void refresh(const T* parameters) override {
    const std::int64_t used = this->length_ * this->width_;
    const T alpha = static_cast<T>(c_.alpha);
    for (std::int64_t e = 0; e < used; ++e) this->table_.data()[e] = alpha * parameters[e];
    kernels<T>().product({this->length_,
                          this->width_,
                          offsets_.classes(),
                          {shares_.data(), offsets_.classes()},
                          {parameters + c_.rows * this->width_, this->width_},
                          {this->table_.data(), this->width_},
                          T(1),
                          true});
  }
  void finish(const T* sums, T* gradient) override {
    const std::int64_t used = this->length_ * this->width_;
    const T alpha = static_cast<T>(c_.alpha);
    std::fill_n(gradient, c_.rows * this->width_, T(0));
    for (std::int64_t e = 0; e < used; ++e) gradient[e] = alpha * sums[e];
    kernels<T>().product({offsets_.classes(),
                          this->width_,
                          this->length_,
                          {shares_.data(), offsets_.classes(), true},
                          {sums, this->width_},
                          {gradient + c_.rows * this->width_, this->width_}});
  }

 private:
  Constants c_;
  ClippedOffsets offsets_;
  Buffer<T> shares_;  ///< β · share of the keys in each class, [length, classes]
};

ParamTable<Constants> constantsTable() {
  using P = Constants;
  ParamTable<P> t;
  t.integer("rows", &P::rows, {1, 1 << 20, 16, 4096, true},
            {{"rows", "行数"},
             {"Positions that have a vector of their own; a longer sequence is refused.",
              "有自己向量的位置数；更长的序列会被拒绝。"},
             "",
             "tokens"});
  t.integer("max_distance", &P::max_distance, {0, 1 << 16, 0, 128, false},
            {{"largest offset", "最大相对位置"},
             {"Keys farther away share the last row of the relative table.", "更远的键共用相对位置表的最后一行。"},
             "max_relative_position",
             "tokens"});
  t.real("alpha", &P::alpha, {-100, 100, 0, 2, false},
         {{"α", "α"}, {"Weight of the absolute table.", "绝对位置表的权重。"}});
  t.real("beta", &P::beta, {-100, 100, 0, 2, false},
         {{"β", "β"}, {"Weight of the mean relative vector.", "平均相对向量的权重。"}});
  return t;
}

}  // namespace

Trainable hybrid() {
  return makeTrainable<Hybrid>("hybrid", constantsTable(),
                               {"A vector for each position and one for each clipped offset.",
                                "每个位置一个向量，每个截断后的相对位置一个向量。"});
}

}  // namespace posiscope::train::positions
