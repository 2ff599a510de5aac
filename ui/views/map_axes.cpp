// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/map_axes.h"

#include <algorithm>
#include <cmath>

namespace posiscope::ui {
namespace {

bool isIndex(const Axis& axis) { return axis.step == 1 && axis.first == std::floor(axis.first); }

AxisScale axisScale(const Axis& axis, std::int64_t cells, double start, double shown, double length, double spacing) {
  AxisScale scale;
  scale.low = axis.first + (start - 0.5) * axis.step;
  scale.high = axis.first + (start + shown - 0.5) * axis.step;
  const int most = std::clamp(static_cast<int>(length / spacing), 1, 9);
  const double last = axis.first + static_cast<double>(cells - 1) * axis.step;
  const double low = std::max(std::min(scale.low, scale.high), std::min(axis.first, last));
  const double high = std::min(std::max(scale.low, scale.high), std::max(axis.first, last));
  // A lone tick does not tell how far its axis goes.
  for (int n = most; n == most || (n <= 3 && scale.ticks.size() < 2); ++n)
    scale.ticks = isIndex(axis) ? indexTicks(low, high, n) : niceTicks(low, high, n);
  if (!isIndex(axis) || last >= 10000 || scale.ticks.size() < 2) return scale;
  // The last index tells how many there are, and the first one where they start: −5 … 5 reads −5, 0, 5.
  const auto crowded = [&](double from, double to) { return (to - from) / shown * length < spacing * 0.55; };
  if (high == last && last > scale.ticks.back()) {
    if (crowded(scale.ticks.back(), last)) scale.ticks.pop_back();
    scale.ticks.push_back(last);
  }
  if (low == axis.first && low < scale.ticks.front()) {
    if (crowded(low, scale.ticks.front())) scale.ticks.erase(scale.ticks.begin());
    if (scale.ticks.empty() || !crowded(low, scale.ticks.front())) scale.ticks.insert(scale.ticks.begin(), low);
  }
  return scale;
}

}  // namespace

AxisScale rowScale(const MapScene& scene, const Map& map, double length, bool named) {
  const FieldWindow window = visibleWindow(scene, map);
  AxisScale scale = axisScale(map.rows, map.field->rows(), window.row, window.rows, length, 44);
  if (named) nameTicks(scale, map.rows, map.field->rows(), length, scene.style);
  return scale;
}

AxisScale colScale(const MapScene& scene, const Map& map, double length, bool named) {
  const FieldWindow window = visibleWindow(scene, map);
  AxisScale scale = axisScale(map.cols, map.field->cols(), window.col, window.cols, length, 54);
  if (named) nameTicks(scale, map.cols, map.field->cols(), length, scene.style);
  return scale;
}

bool sameAxes(const MapScene& scene, Axis Map::*axis, std::int64_t (Field::*cells)() const) {
  const Map& first = *scene.first()->map;
  return std::ranges::all_of(scene.panels, [&](const MapPanel& panel) {
    return !panel.map ||
           ((panel.map->*axis).symbol == (first.*axis).symbol && (panel.map->*axis).first == (first.*axis).first &&
            (panel.map->field.get()->*cells)() == (first.field.get()->*cells)());
  });
}

}  // namespace posiscope::ui
