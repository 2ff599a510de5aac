// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/job.h"

#include <functional>
#include <memory>
#include <vector>

namespace posiscope::bench {

/// Median milliseconds of several works, which are run in turns, because the rates of a shared machine drift. Each is
/// run once before. At least 3 rounds, then as many as fit into about `seconds`, at most 15. Ends early, with what
/// there is, when the job is stopped.
struct Turns {
  std::vector<double> medians;
  int rounds = 0;
};
Turns inTurns(const std::vector<std::function<void()>>& works, double seconds, const Job& job);

double timed(const std::function<void()>& work);  ///< milliseconds
double medianOf(std::vector<double> values);      ///< of at least one

/// Stops its job when the time is over: for a case that may take for ever.
class Deadline {
 public:
  explicit Deadline(double seconds);
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  const Job& job() const;
  /// Stop when this one is stopped, too.
  void follow(const Job& other);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace posiscope::bench
