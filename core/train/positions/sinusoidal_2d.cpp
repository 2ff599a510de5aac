// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sinusoidal_axes.h"
#include "core/train/positions/added_table.h"
#include "core/train/positions/grid_check.h"
#include "core/train/positions/list.h"
#include "core/train/positions/wave_constants.h"

namespace posiscope::train::positions {
namespace {

/// concat(sinusoid of x, sinusoid of y), each half as wide as the words.
template <class T>
class Sinusoidal2d : public AddedTable<T> {
 public:
  Sinusoidal2d(const WaveConstants& constants, const ModelSpec& spec)
      : AddedTable<T>(spec.d_model), constants_(constants) {}

  static Outcome check(const WaveConstants&, const ModelSpec& spec) {
    if (spec.d_model % 4 == 0) return {};
    return fail(
        ErrorCode::bad_shape,
        join("sinusoidal_2d: d_model must be a multiple of 4 (sine and cosine of two axes), got ", spec.d_model),
        join("sinusoidal_2d：d_model 必须是 4 的倍数（两个轴各有正弦和余弦），得到 ", spec.d_model));
  }
  Outcome fit(const Extent& extent) override {
    if (Outcome ok = checkGrid("sinusoidal_2d", extent); !ok) return ok;
    if (Outcome ok = AddedTable<T>::fit(extent); !ok) return ok;
    std::vector<std::vector<double>> coordinates(2);
    for (std::int64_t t = 0; t < extent.length; ++t) {
      coordinates[0].push_back(static_cast<double>(extent.grid->column(t)));
      coordinates[1].push_back(static_cast<double>(extent.grid->row(t)));
    }
    const SinusoidalAxes axes{.columns = AxesColumns::interleaved, .base = constants_.base};
    const Table<double> waves = sinusoidalAxesTable<double>(axes, coordinates, this->width_);
    for (std::size_t e = 0; e < waves.values.size(); ++e)
      this->table_.data()[e] = static_cast<T>(constants_.scale * waves.values[e]);
    return {};
  }

 protected:
  bool isTrained() const override { return false; }

 private:
  WaveConstants constants_;
};

}  // namespace

Trainable sinusoidal2d() {
  return makeTrainable<Sinusoidal2d>("sinusoidal_2d", waveConstantsTable(),
                                     {"Nothing: the table is given by a formula.", "没有可学习的部分：表由公式给出。"});
}

}  // namespace posiscope::train::positions
