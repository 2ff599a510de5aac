// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field.h"
#include "ui/paint/colour_map.h"
#include "ui/paint/style.h"
#include "ui/paint/value_scale.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <QImage>
#include <QRectF>
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
  /// Cells that are zero because they may not be looked at; empty = none. Decided by the field.
  std::function<bool(std::int64_t row, std::int64_t col)> masked;
  /// Rows without any cell that may be looked at: hatched; empty = there are none. Decided by the field.
  std::function<bool(std::int64_t row)> nothing;
  float none_below = -std::numeric_limits<float>::infinity();  ///< smaller numbers mean "none" and are drawn as masked
  QRgb mask_colour = 0;
  QRgb missing_colour = 0;  ///< NaN: hatched on `mask_colour`
  double hatch = 6;         ///< pixels between two hatch lines
};

/// Do several cells fall on one pixel?
bool isReduced(const FieldWindow& window, QSize pixels);

/// Makes pictures of one field after another, and keeps its memory: fresh pages cost more than the colouring. The same
/// field in the same window is not asked again, and with the same colours it is the same image.
class HeatmapSampler {
 public:
  /// What is painted of a slow field: what is known so far, or the truth, for who can wait.
  enum class Patience { draft, wait };
  /// A window of which a slow field knows a draft only.
  struct Unfinished {
    std::shared_ptr<const Field> field;
    FieldWindow window;
    std::int64_t height = 0;  ///< samples along the rows

    bool operator==(const Unfinished&) const = default;
  };

  explicit HeatmapSampler(Patience patience = Patience::draft) : patience_(patience) {}

  /// RGB32, exactly `pixels` large. Valid until the next call.
  const QImage& image(const std::shared_ptr<const Field>& field, const FieldWindow& window, QSize pixels,
                      const HeatmapLook& look);
  /// How often a field was asked for its samples.
  int askings() const { return askings_; }
  /// What the last image is a draft of, and still is; empty when it is final.
  std::optional<Unfinished> unfinished() const;

 private:
  void sample(const Field& field, const FieldWindow& window, QSize pixels, Reduction reduction);
  void sampleNearest(const Field& field, const FieldWindow& window, QSize pixels);
  /// Before what the window needs is sampled: whether that will be final.
  void prepare(const Field& field, const FieldWindow& window, std::int64_t height);
  void colour(const FieldWindow& window, QSize pixels, const HeatmapLook& look);

  Patience patience_;
  std::vector<float> cells_;          // what the field gave
  std::vector<std::int64_t> row_of_;  // row of `cells_` for each pixel row
  std::vector<std::int64_t> col_of_;
  std::int64_t stride_ = 0;
  QImage image_;

  std::weak_ptr<const Field> field_;  // what `cells_` is of; weak, so that its memory returns when its result goes
  FieldWindow window_;
  QSize pixels_;
  HeatmapLook look_;   // of `image_`
  FieldWindow asked_;  // of the field, and the samples along its rows
  std::int64_t asked_height_ = 0;
  bool is_final_ = true;
  int askings_ = 0;
};

/// Draws the window into `plot`, one sample per device pixel (three per unit where the device is vectors).
void drawHeatmap(QPainter& painter, const QRectF& plot, const std::shared_ptr<const Field>& field,
                 const FieldWindow& window, const HeatmapLook& look, HeatmapSampler& sampler);

/// The samples per unit of length that `drawHeatmap` uses on this painter.
double pixelsPerUnit(const QPainter& painter);

/// Writes each cell's number into it; nothing happens where cells are too small for that.
void drawCellNumbers(QPainter& painter, const QRectF& plot, const Field& field, const FieldWindow& window,
                     const HeatmapLook& look, const Style& style);

}  // namespace posiscope::ui
