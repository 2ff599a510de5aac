// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/list.h"

#include "ui/views/curve_views.h"
#include "ui/views/map_views.h"

#include <algorithm>

namespace posiscope::ui {

const std::vector<ViewKind>& viewCatalogue() {
  static const std::vector<ViewKind> catalogue{
      positionTableView(),
      rotationView(),
      wavesView(),
      spectrumView(),
      similarityView(),
      relativeDecayView(),
      attentionWeightsView(),
      normRatioView(),
      propertiesView(),
      angleMapView(),
      turnsView(),
      frequencyRatioView(),
      aliasingView(),
      shiftMatrixView(),
      biasByOffsetView(),
      biasMapView(),
      bucketMapView(),
      scoreTermsView(),
      gridSimilarityView(),
      biasGridView(),
      gatesView(),
      borderEffectView(),
  };
  return catalogue;
}

const ViewKind* findView(std::string_view id) {
  const std::vector<ViewKind>& all = viewCatalogue();
  const auto found = std::ranges::find(all, id, &ViewKind::id);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace posiscope::ui
