// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/positions/added_table.h"
#include "core/train/positions/list.h"

#include <algorithm>

namespace posiscope::train::positions {
namespace {

struct Constants {
  std::int64_t rows = 512;
};

template <class T>
class Learned : public AddedTable<T> {
 public:
  Learned(const Constants& constants, const ModelSpec& spec) : AddedTable<T>(spec.d_model), rows_(constants.rows) {}

  std::vector<Parameter> parameters() const override {
    return {{.name = "pe.table", .shape = {rows_, this->width_}, .initial = Initial::normal(0.2)}};
  }
  Outcome fit(const Extent& extent) override {
    if (Outcome ok = checkRows("learned", "the table", extent.length, rows_); !ok) return ok;
    return AddedTable<T>::fit(extent);
  }
  void refresh(const T* parameters) override {
    std::copy_n(parameters, this->length_ * this->width_, this->table_.data());
  }
  void finish(const T* sums, T* gradient) override {
    const std::int64_t used = this->length_ * this->width_;
    std::copy_n(sums, used, gradient);
    std::fill_n(gradient + used, rows_ * this->width_ - used, T(0));
  }

 private:
  std::int64_t rows_;
};

ParamTable<Constants> constantsTable() {
  ParamTable<Constants> t;
  t.integer("rows", &Constants::rows, {1, 1 << 20, 16, 4096, true},
            {{"rows", "行数"},
             {"Positions that have a vector of their own; a longer sequence is refused.",
              "有自己向量的位置数；更长的序列会被拒绝。"},
             "max_positions",
             "tokens"});
  return t;
}

}  // namespace

Trainable learned() {
  return makeTrainable<Learned>("learned", constantsTable(), {"One vector for each position.", "每个位置一个向量。"});
}

}  // namespace posiscope::train::positions
