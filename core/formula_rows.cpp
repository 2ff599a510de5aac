// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula_rows.h"

#include "core/compiled_formula.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <chrono>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

namespace posiscope {
namespace {

using Clock = std::chrono::steady_clock;
constexpr Clock::duration no_end = Clock::duration::max();
constexpr std::int64_t looked_at = 16;  ///< rows, and columns of each, before anybody asks

}  // namespace

struct FormulaRows::State {
  State(std::string the_owner, Formula the_formula, std::int64_t the_rows, std::int64_t the_cols, Point the_point)
      : owner(std::move(the_owner)),
        formula(std::move(the_formula)),
        rows(the_rows),
        cols(the_cols),
        point(std::move(the_point)) {}

  using Machine = std::unique_ptr<CompiledFormula>;

  /// Compiling costs as much as a hundred cells, so what was compiled is used again.
  Machine take() {
    {
      const std::lock_guard lock(mutex);
      if (!idle.empty()) {
        Machine machine = std::move(idle.back());
        idle.pop_back();
        return machine;
      }
    }
    return std::make_unique<CompiledFormula>(formula);
  }
  void giveBack(Machine machine) {
    const std::lock_guard lock(mutex);
    idle.push_back(std::move(machine));
  }
  double cell(CompiledFormula& machine, std::int64_t row, std::int64_t col) {
    point(row, col, machine.variables());
    const double value = machine.value();
    if (std::abs(value) <= formula.largest) return value;
    noteBad(row * cols + col);
    return std::numeric_limits<double>::quiet_NaN();
  }
  void noteBad(std::int64_t index) {
    const std::lock_guard lock(mutex);
    if (bad_index < 0 || index < bad_index) bad_index = index;
  }

  const std::string owner;
  const Formula formula;
  const std::int64_t rows;
  const std::int64_t cols;
  const Point point;
  std::atomic<Clock::duration> deadline{no_end};  ///< since the clock's epoch
  std::atomic<bool> over{false};
  std::mutex mutex;
  std::vector<Machine> idle;
  std::int64_t bad_index = -1;  ///< row-major; the lowest that was found
};

FormulaRows::FormulaRows(std::string owner, Formula formula, std::int64_t rows, std::int64_t cols, Point point)
    : state_(std::make_shared<State>(std::move(owner), std::move(formula), rows, cols, std::move(point))) {}

template <class T>
void FormulaRows::operator()(std::int64_t row, std::span<T> out) const {
  State& state = *state_;
  if (state.over) {
    std::ranges::fill(out, std::numeric_limits<T>::quiet_NaN());
    return;
  }
  State::Machine machine = state.take();
  for (std::size_t c = 0; c < out.size(); ++c)
    out[c] = static_cast<T>(state.cell(*machine, row, static_cast<std::int64_t>(c)));
  state.giveBack(std::move(machine));
  if (Clock::now().time_since_epoch() > state.deadline.load()) state.over = true;
}

double FormulaRows::at(std::int64_t row, std::int64_t col) const {
  State& state = *state_;
  State::Machine machine = state.take();
  const double value = state.cell(*machine, row, col);
  state.giveBack(std::move(machine));
  return value;
}

std::int64_t FormulaRows::rows() const { return state_->rows; }
std::int64_t FormulaRows::cols() const { return state_->cols; }

Outcome FormulaRows::checkAffordable(std::int64_t cells) const {
  return checkFormula(state_->owner, state_->formula, cells);
}

void FormulaRows::begin() const {
  State& state = *state_;
  {
    const std::lock_guard lock(state.mutex);
    state.bad_index = -1;
  }
  state.over = false;
  state.deadline = Clock::now().time_since_epoch() + Formula::longest_time;
  const auto nth = [](std::int64_t count, std::int64_t k) { return k * (count - 1) / (looked_at - 1); };
  for (std::int64_t r = 0; r < looked_at; ++r)
    for (std::int64_t c = 0; c < looked_at; ++c) at(nth(state.rows, r), nth(state.cols, c));
}

void FormulaRows::end() const {
  state_->deadline = no_end;
  state_->over = false;
}

Outcome FormulaRows::failure() const {
  State& state = *state_;
  std::int64_t bad = -1;
  {
    const std::lock_guard lock(state.mutex);
    bad = state.bad_index;
  }
  if (bad >= 0) return fail(notFinite(bad / state.cols, bad % state.cols));
  if (state.over) return fail(tooLong());
  return {};
}

Error FormulaRows::notFinite(std::int64_t row, std::int64_t col) const {
  State& state = *state_;
  State::Machine machine = state.take();
  state.point(row, col, machine->variables());
  Error error = formulaNotFinite(state.owner, state.formula, machine->value(), machine->variables());
  state.giveBack(std::move(machine));
  return error;
}

Error FormulaRows::tooLong() const { return formulaTooLong(state_->owner, rows() * cols()); }

template void FormulaRows::operator()(std::int64_t, std::span<float>) const;
template void FormulaRows::operator()(std::int64_t, std::span<double>) const;

}  // namespace posiscope
