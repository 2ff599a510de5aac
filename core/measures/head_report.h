// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dataset.h"
#include "core/heads/kinds.h"
#include "core/heads/token_scores.h"
#include "core/measure.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace posiscope::measures {

enum class LayersShown { one, all };

/// What `heads` and `head_kinds` may be asked: the thresholds and how much of the sequence and of the layers counts.
struct HeadOptions : heads::Thresholds {
  std::int64_t tokens = 0;
  heads::Exclusion leave_out = heads::Exclusion::none;
  LayersShown layers = LayersShown::one;
  double patch = 1;  ///< the side of a patch; no option of both
};
const ParamTable<HeadOptions>& headOptionTable();

/// The columns of the table that `heads` answers with, key and name: the kind, then the figures. The last ones, scores
/// for patterns and the distance on a grid, are missing where these are not defined.
std::vector<Choice> headFigures();

struct HeadReport {
  std::int64_t layer = 0;
  heads::Metrics metrics;
  heads::Decision decision;
  /// Share of the attention where each of `heads::all_patterns` is; empty where the tokens are not known or the mask is
  /// not causal, for which the patterns are not defined.
  std::vector<double> pattern_shares;
  /// Mean distance from patch to patch; nothing where the tokens are not known to be patches of a grid.
  std::optional<double> grid_distance = {};
};

/// Every head of a question, in their order, layer by layer, and what was looked at.
struct HeadReports {
  std::vector<HeadReport> heads;
  std::int64_t layers = 1;  ///< of how many layers
  std::vector<Map> maps;    ///< the weights of each head, where they were asked for
  Text scope;
  bool draft = false;
  std::vector<Remark> remarks = {};
};
/// The weights can be kept of one layer only.
Expected<HeadReports> reportHeads(const Question& question, const HeadOptions& options, const Job& job,
                                  bool keep_weights = false);

/// How the kind was decided, with the numbers: "Local: weight of the keys within 4 is 0.91, at least 0.5; …".
Text evidenceOf(const heads::Decision& decision);

}  // namespace posiscope::measures
