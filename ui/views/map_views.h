// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/views/view.h"

namespace posiscope::ui {

// The views that draw maps (and the dials, cards, lines, tables and bars); what each shows stands in its file.
ViewKind positionTableView();
ViewKind rotationView();
ViewKind propertiesView();
ViewKind similarityView();
ViewKind attentionWeightsView();
ViewKind attentionOverviewView();
ViewKind tokenLinesView();
ViewKind shiftMatrixView();
ViewKind angleMapView();
ViewKind precisionView();
ViewKind biasMapView();
ViewKind bucketMapView();
ViewKind scoreTermsView();
ViewKind gridSimilarityView();
ViewKind biasGridView();
ViewKind gatesView();
ViewKind borderEffectView();
ViewKind headsView();
ViewKind headMapsView();
ViewKind headKindsView();
ViewKind shuffleTestView();

}  // namespace posiscope::ui
