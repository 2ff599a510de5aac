// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/shape.h"
#include "ui/state/presentation.h"

namespace posiscope::ui {

/// The presentation for attention that another program computed, of which most views can draw nothing: their tiles show
/// one that can. The tiles on screen come first; a hidden one that would repeat what was put there shows something
/// else.
Presentation withGivenAttention(Presentation presentation, const Shape& shape);

}  // namespace posiscope::ui
