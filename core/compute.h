// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure.h"

#include <memory>
#include <string>
#include <vector>

namespace posiscope {

/// A measure wanted, with its options.
struct MeasureRequest {
  std::string id;
  ParamValues options;

  bool operator==(const MeasureRequest&) const = default;
};

/// An experiment and which of its measures somebody looks at.
struct Request {
  Experiment experiment;
  std::vector<MeasureRequest> measures;
  bool draft = false;  ///< of every question

  bool operator==(const Request&) const = default;
};

/// The answer to one question: a dataset or the reason why there is none.
struct Answer {
  Question question;
  Expected<std::shared_ptr<const Dataset>> dataset;
};

/// Immutable; knows what it answers. `answers[m][s]` belongs to `request.measures[m]` and
/// `request.experiment.schemes[s]` (hidden schemes are answered with a null dataset).
struct Result {
  Request request;
  std::vector<std::vector<Answer>> answers;
  double milliseconds = 0;
};

/// Computes what is asked, pure: the same request gives the same result on any number of threads. Answers of
/// `previous` to equal questions are shared, not computed again. An error of one scheme or measure does not
/// touch the others; only `cancelled` ends the whole.
Expected<std::shared_ptr<const Result>> compute(const Request& request, const Job& job,
                                                const Result* previous = nullptr);

}  // namespace posiscope
