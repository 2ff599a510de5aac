// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/list.h"

#include "ui/views/curve_views.h"
#include "ui/views/map_views.h"

#include <algorithm>

namespace posiscope::ui {

namespace {

ViewKind in(ViewGroup group, ViewKind kind) {
  kind.group = group;
  return kind;
}

}  // namespace

const std::vector<ViewKind>& viewCatalogue() {
  using enum ViewGroup;
  static const std::vector<ViewKind> catalogue{
      in(encoding, positionTableView()),
      in(encoding, propertiesView()),
      in(encoding, wavesView()),
      in(encoding, normRatioView()),
      in(frequencies, spectrumView()),
      in(frequencies, rotationView()),
      in(frequencies, angleMapView()),
      in(frequencies, turnsView()),
      in(frequencies, frequencyRatioView()),
      in(frequencies, baseByLengthView()),
      in(frequencies, precisionView()),
      in(distance, similarityView()),
      in(distance, relativeDecayView()),
      in(distance, aliasingView()),
      in(distance, shiftMatrixView()),
      in(distance, biasByOffsetView()),
      in(distance, biasMapView()),
      in(distance, bucketMapView()),
      in(attention, attentionWeightsView()),
      in(attention, attentionOverviewView()),
      in(attention, tokenLinesView()),
      in(attention, attentionRowView()),
      in(attention, scoreTermsView()),
      in(attention, gatesView()),
      in(attention, lossByPositionView()),
      in(attention, attentionByOffsetView()),
      in(attention, shuffleTestView()),
      in(attention, headsView()),
      in(attention, headMapsView()),
      in(attention, headKindsView()),
      in(grid, gridSimilarityView()),
      in(grid, biasGridView()),
      in(grid, borderEffectView()),
  };
  return catalogue;
}

Text groupName(ViewGroup group) {
  switch (group) {
    case ViewGroup::encoding: return {"Encoding", "编码"};
    case ViewGroup::frequencies: return {"Frequencies", "频率"};
    case ViewGroup::distance: return {"Distance", "距离"};
    case ViewGroup::attention: return {"Attention", "注意力"};
    case ViewGroup::grid: return {"Images", "图像"};
  }
  return {};
}

const ViewKind* findView(std::string_view id) {
  const std::vector<ViewKind>& all = viewCatalogue();
  const auto found = std::ranges::find(all, id, &ViewKind::id);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace posiscope::ui
