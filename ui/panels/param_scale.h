// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parameter.h"

#include <QString>
#include <optional>

namespace posiscope::ui {

enum class StepSize { fine, normal, coarse };

/// Where a value stands on the slider, 0 to 1; values beyond the slider's span stand at its ends.
double sliderPosition(const ParamSpec& spec, double value);

/// The value at a place of the slider: whole for integers, three significant digits otherwise, a power of two when
/// one is within half a percent of the range (lengths and widths are powers of two most of the time).
double valueAtPosition(const ParamSpec& spec, double position);

/// The value one step up (+1) or down (−1), inside the hard limits: a hundredth of the slider's span, a tenth when
/// coarse (logarithmic integers: doubled or halved), one unit or a thousandth when fine.
double steppedValue(const ParamSpec& spec, double value, int direction, StepSize size);

/// All digits, grouped by thin spaces: "131 072", "0.0001". Reads back to the same number.
QString exactText(double value);

/// What people type: "131072", "131 072", "128k", "−1.5", "1e-4". Nothing when it is not a number.
std::optional<double> typedNumber(QString text);

}  // namespace posiscope::ui
