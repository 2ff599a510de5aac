// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/positions/added_table.h"
#include "core/train/positions/grid_check.h"
#include "core/train/positions/list.h"

#include <algorithm>

namespace posiscope::train::positions {
namespace {

struct Constants {
  std::int64_t rows = 32;
  std::int64_t columns = 32;
};

/// concat(column vector of x, row vector of y).
template <class T>
class Learned2d : public AddedTable<T> {
 public:
  Learned2d(const Constants& constants, const ModelSpec& spec)
      : AddedTable<T>(spec.d_model), c_(constants), half_(spec.d_model / 2) {}

  static Outcome check(const Constants&, const ModelSpec& spec) {
    if (spec.d_model % 2 == 0) return {};
    return fail(ErrorCode::bad_shape, join("learned_2d: d_model must be even, got ", spec.d_model),
                join("learned_2d：d_model 必须是偶数，得到 ", spec.d_model));
  }
  std::vector<Parameter> parameters() const override {
    return {{.name = "pe.col", .shape = {c_.columns, half_}, .initial = Initial::normal(0.2)},
            {.name = "pe.row", .shape = {c_.rows, half_}, .initial = Initial::normal(0.2)}};
  }
  Outcome fit(const Extent& extent) override {
    if (Outcome ok = checkGrid("learned_2d", extent); !ok) return ok;
    if (Outcome ok = checkRows("learned_2d", "the table of rows", extent.grid->height, c_.rows); !ok) return ok;
    if (Outcome ok = checkRows("learned_2d", "the table of columns", extent.grid->width, c_.columns); !ok) return ok;
    grid_ = *extent.grid;
    return AddedTable<T>::fit(extent);
  }
  void refresh(const T* parameters) override {
    for (std::int64_t t = 0; t < this->length_; ++t) {
      std::copy_n(parameters + columnAt(t), half_, this->table_.data() + t * this->width_);
      std::copy_n(parameters + rowAt(t), half_, this->table_.data() + t * this->width_ + half_);
    }
  }
  void finish(const T* sums, T* gradient) override {
    std::fill_n(gradient, (c_.columns + c_.rows) * half_, T(0));
    for (std::int64_t t = 0; t < this->length_; ++t) {
      kernels<T>().add(half_, sums + t * this->width_, gradient + columnAt(t));
      kernels<T>().add(half_, sums + t * this->width_ + half_, gradient + rowAt(t));
    }
  }

 private:
  std::int64_t columnAt(std::int64_t token) const { return grid_.column(token) * half_; }
  std::int64_t rowAt(std::int64_t token) const { return (c_.columns + grid_.row(token)) * half_; }

  Constants c_;
  std::int64_t half_;
  Grid grid_;
};

ParamTable<Constants> constantsTable() {
  ParamTable<Constants> t;
  t.integer("rows", &Constants::rows, {1, 1 << 16, 2, 128, true},
            {{"rows", "行数"},
             {"Rows of patches that have a vector of their own.", "有自己向量的图块行数。"},
             "",
             "patches"});
  t.integer("columns", &Constants::columns, {1, 1 << 16, 2, 128, true},
            {{"columns", "列数"},
             {"Columns of patches that have a vector of their own.", "有自己向量的图块列数。"},
             "cols",
             "patches"});
  return t;
}

}  // namespace

Trainable learned2d() {
  return makeTrainable<Learned2d>("learned_2d", constantsTable(),
                                  {"One vector for each row and one for each column.", "每行一个向量，每列一个向量。"});
}

}  // namespace posiscope::train::positions
