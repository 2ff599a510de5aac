// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compute.h"
#include "ui/state/presentation.h"

#include <vector>

namespace posiscope::ui {

/// The tiles on screen: the maximised one, or the first one, two or four.
std::vector<int> visibleTiles(const Presentation& presentation);

/// What the view of a tile asks; empty id when there is no such view.
MeasureRequest tileRequest(const TileState& tile, const Presentation& presentation, const Experiment& experiment);

/// The question of the whole window: only what is on screen is asked, and the same only once. The inspector reads
/// wavelengths, so it asks for the spectrum.
Request requestOf(const Experiment& experiment, const Presentation& presentation);

/// The same of the pinned question, for the tiles that show pinned curves; without measures when there is none.
Request pinnedRequestOf(const Presentation& presentation);

/// Which of the result's measures answers this request: the same options if there are such, else the same measure
/// (the picture of before, until the new one is there); −1 when neither.
int answerIndex(const Result* result, const MeasureRequest& wanted);

}  // namespace posiscope::ui
