// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/views/view.h"

namespace posiscope::ui {

// The views that draw curves; what each shows stands in its file.
ViewKind relativeDecayView();
ViewKind normRatioView();
ViewKind spectrumView();
ViewKind wavesView();
ViewKind frequencyRatioView();
ViewKind turnsView();
ViewKind baseByLengthView();
ViewKind aliasingView();
ViewKind biasByOffsetView();
ViewKind attentionRowView();
ViewKind lossByPositionView();
ViewKind attentionByOffsetView();

}  // namespace posiscope::ui
