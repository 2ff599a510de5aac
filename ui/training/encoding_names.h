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

// There are eight strokes: six colours of schemes, then two of ink. An encoding has the same one in every comparison,
// wherever it stands in its list, so that ready experiments can be read one beside the other. Where two of a
// comparison have the same, or one is there twice with other constants, the second has the first that is free.
QColor encodingColour(const train::ComparisonSpec& spec, std::size_t position, const Style& style);
QList<qreal> encodingDashes(const train::ComparisonSpec& spec, std::size_t position);

}  // namespace posiscope::ui
