// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/comparison_record.h"
#include "ui/paint/style.h"

#include <cstddef>
#include <QColor>
#include <QList>
#include <QString>

namespace posiscope::ui {

// How the encodings of a comparison are called and drawn, everywhere on the page the same.

/// "RoPE", told apart from its namesakes by their values.
QString encodingName(const train::ComparisonSpec& spec, std::size_t position, const Style& style);
/// Six colours of schemes, then two of ink: there may be eight.
QColor encodingColour(std::size_t position, const Style& style);
QList<qreal> encodingDashes(std::size_t position);

}  // namespace posiscope::ui
