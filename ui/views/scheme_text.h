// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "core/experiment.h"
#include "ui/paint/style.h"

#include <QString>

namespace posiscope::ui {

// The sentences that views say when there is nothing to draw.

QString computingText(const Style& style);
/// Every scheme is hidden.
QString hiddenText(const Style& style);
/// "RoPE · YaRN: …"
QString failureText(const SchemeChoice& scheme, const Error& error, const Style& style);

}  // namespace posiscope::ui
