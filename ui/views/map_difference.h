// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/views/view.h"

#include <memory>
#include <optional>
#include <vector>

namespace posiscope::ui {

/// Two schemes to be subtracted, as indices in the experiment; −1 for one that is not in the list any more.
struct SchemePair {
  int minuend = 0;
  int subtrahend = 1;
};

/// The option "schemes" of a map view, with `first` ("all" or "selected") as its default and "difference" as its last
/// choice, and the options that name the two schemes of a difference.
std::vector<ParamSpec> schemesOptions(const std::string& first, Text help);

/// The pair whose difference a tile shows, in the list that was answered; nothing while it shows the schemes themselves, or has no such option.
std::optional<SchemePair> chosenPair(const std::vector<ParamSpec>& specs, const ViewContext& context);

/// The options as a person chooses them: the schemes of a difference by their names.
std::vector<ParamSpec> withSchemeNames(std::vector<ParamSpec> specs, const Experiment& experiment);

/// The datasets of the pair subtracted; its error is the one sentence about why they cannot be.
Expected<std::shared_ptr<const Dataset>> differenceShown(const ViewContext& context, SchemePair pair);

}  // namespace posiscope::ui
