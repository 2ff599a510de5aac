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
/// Why a view without pictures has none: nothing is compared, every scheme is hidden, or the answer (`stale`: the one
/// at hand is to an older question) has yet to come.
QString nothingText(const Experiment& experiment, bool stale, const Style& style);
bool anyVisible(const Experiment& experiment);
/// "RoPE · YaRN: …", after the shown name of the scheme.
QString failureText(const QString& scheme, const Error& error, const Style& style);

}  // namespace posiscope::ui
