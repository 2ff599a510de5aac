// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/wave_field.h"

#include "core/field_share.h"
#include "core/parallel.h"
#include "core/profile.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace posiscope {
namespace {

/// Mean of cos (or sin) of phase + r · step over the rows [begin, end).
double meanOf(const Wave& wave, std::int64_t begin, std::int64_t end, bool sine) {
  const auto count = static_cast<double>(end - begin);
  const double middle = wave.phase + wave.step * (static_cast<double>(begin) + (count - 1) / 2);
  const double half = wave.step / 2;
  // A step of whole turns stands still: every row is the middle one.
  const double turned = std::sin(half);
  constexpr double still = 1e-12;
  const double shrunk =
      std::abs(turned) < still ? std::cos(count * half) / std::cos(half) : std::sin(count * half) / (count * turned);
  return shrunk * (sine ? std::sin(middle) : std::cos(middle));
}

class WaveField final : public Field {
 public:
  WaveField(std::int64_t rows, std::vector<Wave> waves, bool sine, double factor,
            std::function<float(std::int64_t, std::int64_t)> value)
      : rows_(rows), waves_(std::move(waves)), sine_(sine), factor_(factor), value_(std::move(value)) {}

  std::int64_t rows() const override { return rows_; }
  std::int64_t cols() const override { return std::ssize(waves_); }
  float at(std::int64_t row, std::int64_t col) const override { return value_(row, col); }
  void sample(const FieldWindow& window, std::int64_t height, std::int64_t width, Reduction reduction,
              std::span<float> out) const override;
  Limits limits() const override;

 private:
  float reduced(const Share& y, const Share& x) const;
  void copyCells(std::int64_t first_row, std::int64_t first_col, std::int64_t height, std::int64_t width,
                 std::span<float> out) const;

  std::int64_t rows_;
  std::vector<Wave> waves_;
  bool sine_;
  double factor_;
  std::function<float(std::int64_t, std::int64_t)> value_;
};

float WaveField::reduced(const Share& y, const Share& x) const {
  if (y.begin >= y.end || x.begin >= x.end) return std::numeric_limits<float>::quiet_NaN();
  if (y.end - y.begin == 1 && x.end - x.begin == 1) return at(y.begin, x.begin);
  double sum = 0;
  for (std::int64_t c = x.begin; c < x.end; ++c)
    sum += meanOf(waves_[static_cast<std::size_t>(c)], y.begin, y.end, sine_);
  return static_cast<float>(factor_ * sum / static_cast<double>(x.end - x.begin));
}

/// A sample for each cell: runs of angles instead of a cosine for each, in parallel.
void WaveField::copyCells(std::int64_t first_row, std::int64_t first_col, std::int64_t height, std::int64_t width,
                          std::span<float> out) const {
  std::vector<PhaseRun> runs;
  for (std::int64_t c = 0; c < width; ++c) runs.emplace_back(waves_[static_cast<std::size_t>(first_col + c)].step);
  parallelBlocks(height, PhaseRun::width, Job(), [&](std::int64_t begin, std::int64_t end) {
    PhaseRun::Lane cosines, sines;
    std::vector<float> columns(static_cast<std::size_t>(width * PhaseRun::width));  // written by rows afterwards
    for (std::int64_t c = 0; c < width; ++c) {
      const Wave& wave = waves_[static_cast<std::size_t>(first_col + c)];
      runs[static_cast<std::size_t>(c)].fill(wave.phase + wave.step * static_cast<double>(first_row + begin), cosines,
                                             sines);
      const PhaseRun::Lane& values = sine_ ? sines : cosines;
      float* column = columns.data() + c * PhaseRun::width;
      for (std::int64_t d = 0; d < PhaseRun::width; ++d)
        column[d] = static_cast<float>(factor_ * values[static_cast<std::size_t>(d)]);
    }
    for (std::int64_t r = begin; r < end; ++r)
      for (std::int64_t c = 0; c < width; ++c)
        out[static_cast<std::size_t>(r * width + c)] =
            columns[static_cast<std::size_t>(c * PhaseRun::width + r - begin)];
  });
}

void WaveField::sample(const FieldWindow& window, std::int64_t height, std::int64_t width, Reduction reduction,
                       std::span<float> out) const {
  const bool one_each = window.rows == static_cast<double>(height) && window.cols == static_cast<double>(width) &&
                        window.row == std::floor(window.row) && window.col == std::floor(window.col) &&
                        window.row >= 0 && window.col >= 0 && window.row + window.rows <= static_cast<double>(rows()) &&
                        window.col + window.cols <= static_cast<double>(cols());
  // Few cells are not worth the runs.
  if (one_each && height >= PhaseRun::width)
    return copyCells(static_cast<std::int64_t>(window.row), static_cast<std::int64_t>(window.col), height, width, out);
  if (reduction != Reduction::mean) return Field::sample(window, height, width, reduction, out);
  const std::vector<Share> ys = shares(window.row, window.rows, height, rows());
  const std::vector<Share> xs = shares(window.col, window.cols, width, cols());
  std::size_t at_sample = 0;
  for (const Share& y : ys) {
    // Columns are wide on screen: neighbours stand for the same cells.
    const Share* before = nullptr;
    for (const Share& x : xs) {
      const bool same = before && before->begin == x.begin && before->end == x.end;
      out[at_sample] = same ? out[at_sample - 1] : reduced(y, x);
      before = &x;
      ++at_sample;
    }
  }
}

/// A column that turns once reaches the factor on both sides; a look at some cells would miss the crests.
Field::Limits WaveField::limits() const {
  const double steps = static_cast<double>(rows_ - 1);
  const bool turns = std::ranges::any_of(
      waves_, [steps](const Wave& wave) { return std::abs(wave.step) * steps >= 2 * std::numbers::pi; });
  if (!turns) return Field::limits();
  const auto most = static_cast<float>(std::abs(factor_));
  return {-most, most, false};
}

}  // namespace

std::shared_ptr<const Field> waveField(std::int64_t rows, std::vector<Wave> waves, bool sine, double factor,
                                       std::function<float(std::int64_t, std::int64_t)> value) {
  return std::make_shared<WaveField>(rows, std::move(waves), sine, factor, std::move(value));
}

bool averagesAll(const Field& field) { return field.stored() || dynamic_cast<const WaveField*>(&field); }

}  // namespace posiscope
