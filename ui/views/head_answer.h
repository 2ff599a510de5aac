// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dataset.h"
#include "core/heads/kinds.h"
#include "ui/views/view.h"

#include <cstdint>
#include <optional>
#include <QString>
#include <string>
#include <vector>

namespace posiscope::ui {

// What the views of heads ask, and how they read the answers of the measures `heads` and `head_kinds`.

/// How many tokens are looked at, then the thresholds, those of one kind at a time: all of them would be longer than
/// the window is high.
std::vector<ParamSpec> headOptions(double tokens);
/// The tile's thresholds for a measure of heads; `specs` are the view's options.
MeasureRequest headRequest(const std::string& measure, const std::vector<ParamSpec>& specs, const TileState& tile,
                           const Experiment& experiment);

/// Nothing where the dataset does not tell.
std::optional<heads::Kind> kindOf(const Dataset& dataset, std::int64_t head);
/// How the kind was decided, with numbers and thresholds; empty where the dataset does not tell.
QString evidenceOf(const Dataset& dataset, std::int64_t head, const Style& style);
/// A kind as files have it; nothing for another word.
std::optional<heads::Kind> kindNamed(const std::string& id);

}  // namespace posiscope::ui
