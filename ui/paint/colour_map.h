// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dataset.h"
#include "core/text.h"

#include <QRgb>
#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace posiscope::ui {

/// A table of colours for fractions 0 to 1. All maps are readable with the common kinds of colour blindness.
struct ColourMap {
  static constexpr std::size_t size = 1024;

  std::string_view key;  ///< "viridis"
  Text name;
  MapKind kind = MapKind::sequential;  ///< what it is made for
  std::array<QRgb, size> colours{};

  /// `fraction` is clamped to 0 … 1.
  QRgb at(double fraction) const;
};

/// The colours of `steps` whole numbers, 0 … steps − 1, at most `ColourMap::size`: those of `map` in as many equal
/// parts, every second one lighter or darker while there are few, so that neighbours can be told apart. Lives as long
/// as the program.
const ColourMap& steppedMap(const ColourMap& map, int steps);

/// All maps in the order users see.
const std::vector<ColourMap>& colourMaps();

/// The map of that key, or, for "auto" and unknown keys, the one that suits the kind of numbers.
const ColourMap& colourMap(std::string_view key, MapKind kind);

}  // namespace posiscope::ui
