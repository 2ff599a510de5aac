// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/param_flags.h"
#include "core/experiment.h"
#include "core/measure.h"

#include <memory>
#include <string>
#include <vector>

namespace posiscope::cli {

/// The part of the grammar that makes an experiment: schemes, shape, content, mask, a model or a session to start
/// from. Made from the same tables as the window's controls.
class ExperimentFlags {
 public:
  explicit ExperimentFlags(CLI::App& app);

  /// Errors: what the user gave wrong; nothing that says which schemes are meant.
  Expected<Experiment> experiment() const;
  const std::string& session() const { return session_; }
  /// The program's own start was asked for.
  bool isStart() const { return start_; }

 private:
  void addSource(CLI::App& app, ParamSpec spec);
  Expected<Experiment> startingPoint() const;
  Expected<Experiment> modelOn(const Experiment& e) const;
  Outcome readSchemes(Experiment& e) const;
  Outcome readShape(Experiment& e) const;
  Outcome readContent(Experiment& e) const;
  Outcome readLength(Experiment& e) const;
  Outcome readMask(Experiment& e) const;

  ParamFlags shape_{"shape"};
  ParamFlags content_{"content"};
  ParamFlags whole_{"experiment"};
  std::vector<std::string> schemes_;
  std::string model_, session_, mask_, key_padding_, query_padding_;
  bool start_ = false;
};

/// "none", "causal", "window:128", "prefix:4", or several of them with commas, into the mask. A prefix without another
/// rule goes with the causal one. Errors: bad_value; out_of_range.
Outcome parseMask(std::string_view text, Mask& mask);

/// " --scheme sinusoidal --scheme …" for an example of a measure: schemes it has something to say about.
std::string exampleFlags(const Measure& measure);

}  // namespace posiscope::cli
