// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment.h"

namespace posiscope::models {

/// The choice with these values, without those that are the scheme's defaults: it then equals the same choice made
/// by hand.
SchemeChoice choiceOf(const std::string& id, ParamValues values);

/// A parameter of a scheme we know exists.
const ParamSpec& paramOf(std::string_view id, std::string_view key);

}  // namespace posiscope::models
