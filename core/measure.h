// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dataset.h"
#include "core/experiment.h"
#include "core/job.h"
#include "core/scheme.h"

#include <functional>
#include <string>
#include <vector>

namespace posiscope {

/// One measure of one scheme: everything its answer depends on, so equality is the cache key.
struct Question {
  std::string measure;
  ParamValues options;  ///< of the measure
  SchemeChoice scheme;
  Shape shape;
  ContentSpec content;
  Mask mask;
  double train_length = 0;
  bool draft = false;  ///< a quick answer about fewer tokens will do, its `scope` says so; the full one follows

  bool operator==(const Question&) const = default;
};

/// What the figures of a measure are of, so that a caption can name it.
enum class FiguresOf {
  encoding,   ///< the scheme alone
  attention,  ///< of one layer, or of all where a metric `layers` counts them: padding, model and tokens belong to it
  model,      ///< a run through all layers
};

struct Measure {
  std::string id;
  Text title;
  Text how_to_read;        ///< two sentences
  std::string shape_help;  ///< of the exported array, for the command line
  std::vector<ParamSpec> options;
  std::function<Expected<Dataset>(const Question&, const Job&)> compute;
  /// Schemes it has something to say about, for the examples of the help; empty = almost any.
  std::vector<std::string> examples = {};
  FiguresOf figures = FiguresOf::encoding;
  bool notes_tell_numbers = false;  ///< its notes hold figures that its exported array does not
};

}  // namespace posiscope
