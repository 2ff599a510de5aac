// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field.h"
#include "ui/paint/colour_map.h"
#include "ui/paint/style.h"
#include "ui/paint/value_scale.h"

#include <QImage>
#include <QRectF>
#include <cstdint>
#include <functional>
#include <vector>

class QPainter;

namespace posiscope::ui {

/// The cell under the middle of pixel `pixel` of `pixels`, when `cells` cells starting at `start` are shown. The
/// picture and the pointer use this one formula, so that they never disagree.
std::int64_t cellAt(double start, double cells, int pixels, int pixel);

/// How a field becomes a picture.
struct HeatmapLook {
  const ColourMap* map = nullptr;
  ValueScale scale;
  Reduction reduction = Reduction::mean;
  /// Cells that are zero because they may not be looked at; empty = none.
  std::function<bool(std::int64_t row, std::int64_t col)> masked;
  QRgb mask_colour = 0;
  QRgb missing_colour = 0;  ///< NaN: hatched on `mask_colour`
  double hatch = 6;         ///< pixels between two hatch lines
};

/// Do several cells fall on one pixel?
bool isReduced(const FieldWindow& window, QSize pixels);

/// Makes pictures of fields, and keeps its memory: fresh pages cost more than the colouring.
class HeatmapSampler {
 public:
  /// RGB32, exactly `pixels` large. Valid until the next call.
  const QImage& image(const Field& field, const FieldWindow& window, QSize pixels, const HeatmapLook& look);

 private:
  void sample(const Field& field, const FieldWindow& window, QSize pixels, Reduction reduction);
  void colour(const FieldWindow& window, QSize pixels, const HeatmapLook& look);

  std::vector<float> cells_;          // what the field gave
  std::vector<std::int64_t> row_of_;  // row of `cells_` for each pixel row
  std::vector<std::int64_t> col_of_;
  std::int64_t stride_ = 0;
  QImage image_;
};

/// Draws the window into `plot`, one sample per device pixel (three per unit where the device is vectors).
void drawHeatmap(QPainter& painter, const QRectF& plot, const Field& field, const FieldWindow& window,
                 const HeatmapLook& look, HeatmapSampler& sampler);

/// The samples per unit of length that `drawHeatmap` uses on this painter.
double pixelsPerUnit(const QPainter& painter);

/// Writes each cell's number into it; nothing happens where cells are too small for that.
void drawCellNumbers(QPainter& painter, const QRectF& plot, const Field& field, const FieldWindow& window,
                     const HeatmapLook& look, const Style& style);

}  // namespace posiscope::ui
