// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sinusoidal.h"

#include "core/train/positions/added_table.h"
#include "core/train/positions/list.h"
#include "core/train/positions/wave_constants.h"

#include <algorithm>

namespace posiscope::train::positions {
namespace {

template <class T>
class Sinusoidal : public AddedTable<T> {
 public:
  Sinusoidal(const WaveConstants& constants, const ModelSpec& spec)
      : AddedTable<T>(spec.d_model), constants_(constants) {}

  Outcome fit(const Extent& extent) override {
    if (Outcome ok = AddedTable<T>::fit(extent); !ok) return ok;
    const SinusoidalParams params{.base = constants_.base, .scale = constants_.scale};
    std::ranges::copy(sinusoidalTable<T>(params, extent.length, this->width_, 0).values, this->table_.data());
    return {};
  }

 protected:
  bool isTrained() const override { return false; }

 private:
  WaveConstants constants_;
};

}  // namespace

Trainable sinusoidal() {
  return makeTrainable<Sinusoidal>("sinusoidal", waveConstantsTable(),
                                   {"Nothing: the table is given by a formula.", "没有可学习的部分：表由公式给出。"});
}

}  // namespace posiscope::train::positions
