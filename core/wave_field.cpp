// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/wave_field.h"

#include "core/field_share.h"
#include "core/parallel.h"
#include "core/wave_rows.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>
#include <utility>

namespace posiscope {
namespace {

/// What is left of a wave in the mean of so many rows: it is this times the value in the middle of them.
double shrinkage(const Wave& wave, std::int64_t rows) {
  const auto count = static_cast<double>(rows);
  const double half = wave.step / 2;
  // A step of whole turns stands still: every row is the middle one.
  const double turned = std::sin(half);
  constexpr double still = 1e-12;
  return std::abs(turned) < still ? std::cos(count * half) / std::cos(half) : std::sin(count * half) / (count * turned);
}

class WaveField final : public Field {
 public:
  WaveField(std::shared_ptr<const Field> cells, std::vector<Wave> waves, double factor)
      : cells_(std::move(cells)), waves_(std::move(waves)), factor_(factor) {
    assert(cells_->cols() == std::ssize(waves_));
  }

  std::int64_t rows() const override { return cells_->rows(); }
  std::int64_t cols() const override { return cells_->cols(); }
  float at(std::int64_t row, std::int64_t col) const override { return cells_->at(row, col); }
  void sample(const FieldWindow& window, std::int64_t height, std::int64_t width, Reduction reduction,
              std::span<float> out) const override;
  Limits limits() const override;

 private:
  using Columns = std::vector<double>;

  double heightOf(const Wave& wave) const { return factor_ * wave.amplitude; }
  Columns shrunkHeights(std::int64_t first_col, std::int64_t last_col, std::int64_t rows) const;
  void averageRows(const Share& y, std::int64_t first_col, const Columns& heights, Columns& line) const;
  void sampleMeans(const std::vector<Share>& ys, const std::vector<Share>& xs, std::span<float> out) const;

  std::shared_ptr<const Field> cells_;
  std::vector<Wave> waves_;
  double factor_;
};

/// Of the columns [first_col, last_col), in the mean of so many rows.
WaveField::Columns WaveField::shrunkHeights(std::int64_t first_col, std::int64_t last_col, std::int64_t rows) const {
  Columns heights;
  for (std::int64_t c = first_col; c < last_col; ++c) {
    const Wave& wave = waves_[static_cast<std::size_t>(c)];
    heights.push_back(heightOf(wave) * shrinkage(wave, rows));
  }
  return heights;
}

/// The mean of the rows of `y`, column by column.
void WaveField::averageRows(const Share& y, std::int64_t first_col, const Columns& heights, Columns& line) const {
  const double middle = static_cast<double>(y.begin) + static_cast<double>(y.end - y.begin - 1) / 2;
  line.resize(heights.size());
  for (std::size_t k = 0; k < heights.size(); ++k) {
    const Wave& wave = waves_[static_cast<std::size_t>(first_col) + k];
    const double angle = wave.phase + wave.step * middle;
    line[k] = heights[k] * wave.valueOf(angle);
  }
}

void WaveField::sampleMeans(const std::vector<Share>& ys, const std::vector<Share>& xs, std::span<float> out) const {
  std::int64_t first_col = cols();
  std::int64_t last_col = 0;
  for (const Share& x : xs)
    if (x.begin < x.end) {
      first_col = std::min(first_col, x.begin);
      last_col = std::max(last_col, x.end);
    }
  std::map<std::int64_t, Columns> heights;  // the shares differ by a row: few numbers of rows occur
  for (const Share& y : ys)
    if (y.begin < y.end && !heights.contains(y.end - y.begin))
      heights[y.end - y.begin] = shrunkHeights(first_col, last_col, y.end - y.begin);
  constexpr std::int64_t lines_at_once = 8;
  parallelBlocks(std::ssize(ys), lines_at_once, Job(), [&](std::int64_t begin, std::int64_t end) {
    Columns line;
    for (std::int64_t k = begin; k < end; ++k) {
      const Share& y = ys[static_cast<std::size_t>(k)];
      if (y.begin < y.end) averageRows(y, first_col, heights.at(y.end - y.begin), line);
      float* sample = out.data() + k * std::ssize(xs);
      for (const Share& x : xs) {
        const std::int64_t cells = y.begin < y.end ? x.end - x.begin : 0;
        if (cells <= 0)
          *sample++ = std::numeric_limits<float>::quiet_NaN();
        else if (cells == 1 && y.end - y.begin == 1)
          *sample++ = at(y.begin, x.begin);
        else
          *sample++ = static_cast<float>(
              std::accumulate(line.begin() + (x.begin - first_col), line.begin() + (x.end - first_col), 0.0) /
              static_cast<double>(cells));
      }
    }
  });
}

void WaveField::sample(const FieldWindow& window, std::int64_t height, std::int64_t width, Reduction reduction,
                       std::span<float> out) const {
  const bool one_each = window.rows == static_cast<double>(height) && window.cols == static_cast<double>(width) &&
                        window.row == std::floor(window.row) && window.col == std::floor(window.col) &&
                        window.row >= 0 && window.col >= 0 && window.row + window.rows <= static_cast<double>(rows()) &&
                        window.col + window.cols <= static_cast<double>(cols());
  // A cosine to start each column is worth it for some rows only.
  constexpr std::int64_t few = 32;
  if (one_each && height >= few) {
    const std::span<const Wave> columns =
        std::span(waves_).subspan(static_cast<std::size_t>(window.col), static_cast<std::size_t>(width));
    return WaveRows(columns, factor_).fillAll(static_cast<std::int64_t>(window.row), height, out.data());
  }
  if (reduction != Reduction::mean || one_each) return cells_->sample(window, height, width, reduction, out);
  sampleMeans(shares(window.row, window.rows, height, rows()), shares(window.col, window.cols, width, cols()), out);
}

/// A column that turns once reaches the factor on both sides; a look at some cells would miss the crests.
Field::Limits WaveField::limits() const {
  const double steps = static_cast<double>(rows() - 1);
  double most = 0;
  for (const Wave& wave : waves_)
    if (std::abs(wave.step) * steps >= 2 * std::numbers::pi) most = std::max(most, std::abs(heightOf(wave)));
  if (most == 0) return cells_->limits();
  return {static_cast<float>(-most), static_cast<float>(most), false};
}

}  // namespace

double Wave::valueOf(double angle) const { return sine ? std::sin(angle) : std::cos(angle); }

std::shared_ptr<const Field> waveField(std::int64_t rows, std::vector<Wave> waves, double factor,
                                       std::function<float(std::int64_t, std::int64_t)> value) {
  auto cells = computedField(rows, std::ssize(waves), std::move(value));
  return std::make_shared<WaveField>(std::move(cells), std::move(waves), factor);
}

std::shared_ptr<const Field> waveField(std::shared_ptr<const Field> cells, std::vector<Wave> waves, double factor) {
  return std::make_shared<WaveField>(std::move(cells), std::move(waves), factor);
}

bool averagesAll(const Field& field) { return field.stored() || dynamic_cast<const WaveField*>(&field); }

}  // namespace posiscope
