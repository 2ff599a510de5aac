// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/wave_rows.h"

#include "core/clones.h"
#include "core/parallel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace posiscope {
namespace {

/// Columns that turn together: their state fills the vector registers, their floats a line of the cache.
constexpr std::int64_t group_columns = 16;
typedef double Four __attribute__((vector_size(32)));
typedef float FourSingle __attribute__((vector_size(16)));

/// Rows of one group before the next group has its turn, so that what is written stays in the nearest cache.
constexpr std::int64_t tile = 64;

/// The state of some columns: where each is now, and what turns it by one row.
struct Columns {
  std::array<double, group_columns> cosine{}, sine{}, step_cosine{}, step_sine{};
};

/// Writes `rows` rows of 16 columns, rows `stride` floats apart, and leaves the state at the row after them.
POSISCOPE_CLONES void turn(Columns& state, std::int64_t rows, std::int64_t stride, float* out) {
  constexpr int vectors = group_columns / 4;
  Four cosine[vectors], sine[vectors], step_cosine[vectors], step_sine[vectors];
  std::memcpy(cosine, state.cosine.data(), sizeof cosine);
  std::memcpy(sine, state.sine.data(), sizeof sine);
  std::memcpy(step_cosine, state.step_cosine.data(), sizeof step_cosine);
  std::memcpy(step_sine, state.step_sine.data(), sizeof step_sine);
  for (std::int64_t r = 0; r < rows; ++r, out += stride)
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) {
      const FourSingle written = __builtin_convertvector(cosine[v], FourSingle);
      std::memcpy(out + 4 * v, &written, sizeof written);
      const Four turned = cosine[v] * step_cosine[v] - sine[v] * step_sine[v];
      sine[v] = sine[v] * step_cosine[v] + cosine[v] * step_sine[v];
      cosine[v] = turned;
    }
  std::memcpy(state.cosine.data(), cosine, sizeof cosine);
  std::memcpy(state.sine.data(), sine, sizeof sine);
}

}  // namespace

struct WaveRows::State : Columns {};

/// Columns that turn together, the last ones perhaps fewer.
struct WaveRows::Group {
  std::int64_t begin = 0;
  std::int64_t columns = group_columns;
  State far;  ///< at a row from which several runs start
};

WaveRows::WaveRows(std::span<const Wave> waves, double factor) : columns_(std::ssize(waves)) {
  for (const Wave& wave : waves) {
    phase_.push_back(wave.phase);
    sine_.push_back(wave.sine);
    step_.push_back(wave.step);
    height_.push_back(factor * wave.amplitude);
    step_cosine_.push_back(std::cos(wave.step));
    step_sine_.push_back(std::sin(wave.step));
  }
  for (std::int64_t k = 0; k < far_runs; ++k)
    for (const double step : step_) {
      run_cosine_.push_back(std::cos(static_cast<double>(k * run) * step));
      run_sine_.push_back(std::sin(static_cast<double>(k * run) * step));
    }
}

std::vector<WaveRows::Group> WaveRows::groupsAt(std::int64_t far_row) const {
  std::vector<Group> groups;
  for (std::int64_t c = 0; c < columns_; c += group_columns) {
    Group& group = groups.emplace_back();
    group.begin = c;
    group.columns = std::min(group_columns, columns_ - c);
    for (std::int64_t k = 0; k < group.columns; ++k) {
      const auto at = static_cast<std::size_t>(k), column = static_cast<std::size_t>(c + k);
      const double angle = phase_[column] + step_[column] * static_cast<double>(far_row);
      // A sine is what the cosine a quarter turn before it is: (sin, −cos) turns as (cos, sin) does.
      const double cosine = height_[column] * std::cos(angle), sine = height_[column] * std::sin(angle);
      group.far.cosine[at] = sine_[column] ? sine : cosine;
      group.far.sine[at] = sine_[column] ? -cosine : sine;
      group.far.step_cosine[at] = step_cosine_[column];
      group.far.step_sine[at] = step_sine_[column];
    }
  }
  return groups;
}

void WaveRows::startRun(const std::vector<Group>& groups, std::int64_t number, std::vector<State>& states) const {
  states.resize(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const State& far = groups[g].far;
    State& state = states[g] = far;
    const auto turned = static_cast<std::size_t>(number * columns_ + groups[g].begin);
    for (std::size_t k = 0; k < static_cast<std::size_t>(groups[g].columns); ++k) {
      const double c = run_cosine_[turned + k], s = run_sine_[turned + k];
      state.cosine[k] = far.cosine[k] * c - far.sine[k] * s;
      state.sine[k] = far.sine[k] * c + far.cosine[k] * s;
    }
  }
}

void WaveRows::fill(std::int64_t first, std::int64_t rows, float* out) const {
  std::vector<Group> groups;
  std::vector<State> states;
  std::array<float, group_columns * tile> narrow;  // a narrower group writes beside the table first
  for (std::int64_t row = first / run * run, end = first + rows; row < end;) {
    const std::int64_t far_row = row / (run * far_runs) * (run * far_runs);
    if (groups.empty() || row == far_row) groups = groupsAt(far_row);
    if (row % run == 0) {
      startRun(groups, (row - far_row) / run, states);
      if (row < first) {  // the rows of the run before the window
        for (State& state : states) turn(state, first - row, 0, narrow.data());
        row = first;
      }
    }
    const std::int64_t now = std::min({tile, end - row, run - row % run});
    for (std::size_t g = 0; g < groups.size(); ++g) {
      float* place = out + (row - first) * columns_ + groups[g].begin;
      if (groups[g].columns == group_columns) {
        turn(states[g], now, columns_, place);
        continue;
      }
      turn(states[g], now, group_columns, narrow.data());
      for (std::int64_t t = 0; t < now; ++t)
        std::copy_n(narrow.data() + t * group_columns, groups[g].columns, place + t * columns_);
    }
    row += now;
  }
}

void WaveRows::fillAll(std::int64_t first, std::int64_t rows, float* out) const {
  // A window on the screen is shared by the threads too; a long table needs its far starts less often.
  const std::int64_t block = rows >= 8 * run * far_runs ? run * far_runs : rows >= 4096 ? run : 128;
  parallelBlocks(rows, block, Job(), [&](std::int64_t begin, std::int64_t end) {
    fill(first + begin, end - begin, out + begin * columns_);
  });
}

}  // namespace posiscope
