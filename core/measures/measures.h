// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure.h"

namespace posiscope::measures {

// One file each; what a measure answers stands in its `how_to_read` and `shape_help`.
Measure positionTable();
Measure similarity();
Measure relativeDecay();
Measure attentionWeights();
Measure normRatio();
Measure spectrum();
Measure waves();
Measure rotationDials();
Measure bucketMap();
Measure scoreTerms();
Measure properties();
Measure frequencyRatio();
Measure turns();
Measure aliasing();
Measure shiftMatrix();
Measure angleMap();
Measure biasByOffset();
Measure gridSimilarity();
Measure biasGrid();
Measure gates();
Measure borderEffect();
Measure attentionHeads();
Measure headKinds();
Measure attentionByOffset();
Measure shuffleTest();
Measure attentionRow();
Measure attentionOverview();
Measure lossByPosition();
Measure precision();
Measure baseByLength();

}  // namespace posiscope::measures
