// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/views/view.h"

namespace posiscope::ui {

// The views that draw maps (and the dials, cards and lines); what each shows stands in its file.
ViewKind positionTableView();
ViewKind rotationView();
ViewKind propertiesView();
ViewKind similarityView();
ViewKind attentionWeightsView();
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

}  // namespace posiscope::ui
