// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment.h"
#include "ui/state/presentation.h"

#include <string>

namespace posiscope::ui {

/// A tile that shows the difference of two schemes names them by their places in the list ("minuend": "1"), as people
/// and the command line do. As soon as the list is edited, it keeps the schemes themselves instead
/// ("minuend_scheme"): they are meant, wherever they stand by then.

/// The key under which a tile keeps the scheme of a term ("minuend", "subtrahend").
std::string schemeKey(const std::string& term);

/// Index of the scheme that a term means; `place`: what it names by place, from 0. −1 when the scheme it keeps is not
/// in the list any more.
int termIndex(const TileState& tile, const std::string& term, int place, const Experiment& experiment);

/// The tile with the schemes kept that its places mean in this list. Tiles that show no difference stay as they are.
TileState withKeptPair(TileState tile, const Experiment& experiment);

/// The tile with the present places of the schemes it keeps, as its menu shows them: "0" for one that is gone.
TileState withPresentPlaces(TileState tile, const Experiment& experiment);

/// Do both lists hold the same schemes in the same order? Their parameters may differ.
bool sameList(const Experiment& a, const Experiment& b);

}  // namespace posiscope::ui
