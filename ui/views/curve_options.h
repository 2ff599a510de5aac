// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/plot.h"

#include <string>
#include <vector>

namespace posiscope::ui {

/// A curve view's own switches, then the limits of its ordinate, then the switches of the measure it shows (written
/// once, where the measure is).
std::vector<ParamSpec> curveOptions(const std::string& measure, std::vector<ParamSpec> own);

/// The part of a tile's options that are the measure's, as a request.
MeasureRequest curveRequest(const std::string& measure, const TileState& tile);

/// The typed limits of the ordinate, when they are chosen and make sense.
std::optional<std::pair<double, double>> typedLimits(const TileState& tile, bool logarithmic);

/// "x_scale": linear or logarithmic abscissa.
ParamSpec scaleOption(std::string key, Text label, bool logarithmic);

}  // namespace posiscope::ui
