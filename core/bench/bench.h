// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/job.h"
#include "core/text.h"

#include <functional>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace posiscope::bench {

/// `tiny` shows in a moment that every case runs; its times mean nothing.
enum class Size { full, tiny };

inline constexpr double not_timed = std::numeric_limits<double>::quiet_NaN();

/// What this machine allows. Rates of other programs' code are no part of it: both are measured here.
struct Machine {
  int threads = 0;
  double memset_rate = 0;   ///< bytes per second, all threads
  double product_rate = 0;  ///< operations per second of Eigen's products of the attention's shape, all threads
};

/// One line of the table. Times are medians, in milliseconds; NaN where something was not timed.
struct Figure {
  std::string id;  ///< "cos_sin_table"
  Text what;
  double median = not_timed;
  int runs = 0;
  double error = not_timed;       ///< largest absolute error found before timing
  std::string limit;              ///< "memset", "products"; empty = none applies
  double limit_time = not_timed;  ///< what the limit takes for the same bytes or operations
  double naive_time = not_timed;  ///< the formula as plain loops on the same threads
  Text target;
  std::optional<bool> met;  ///< nothing where nothing was timed, or at tiny sizes
  Text missing;             ///< why there is no time: not supported, too slow, wrong, to be measured elsewhere
};

struct Report {
  Size size = Size::full;
  Machine machine;
  std::vector<Figure> figures;
};

/// Measures case after case; each answer is checked before it is timed, and a wrong one is not timed at all. `tell` is
/// called with what comes next. A stopped job leaves the remaining cases out.
Report run(Size size, const Job& job, const std::function<void(const Text&)>& tell = {});

/// A line for each figure, for people.
std::string table(const Report& report);
/// The same for programs: {"posiscope_bench": 1, "size", "machine", "figures": […]}; what was not timed is null.
nlohmann::ordered_json toJson(const Report& report);

}  // namespace posiscope::bench
