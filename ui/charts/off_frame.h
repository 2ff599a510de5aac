// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/plot.h"

#include <vector>

namespace posiscope::ui {

/// The scale of an ordinate, the right one or the left, with a little room beyond a limit at which one of its curves
/// stays: drawn on the frame it would not be seen.
Scale offTheFrame(const Scale& scale, const std::vector<PlotSeries>& series, bool right);

}  // namespace posiscope::ui
