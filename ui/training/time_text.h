// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/paint/style.h"

#include <QString>

namespace posiscope::ui {

/// "40 s", "3 min", "2 h 10 min".
QString timeText(double seconds, const Style& style);

}  // namespace posiscope::ui
