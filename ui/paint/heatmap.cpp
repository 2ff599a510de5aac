// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/paint/heatmap.h"

#include "core/slow_field.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <QFontMetricsF>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>

namespace posiscope::ui {
namespace {

/// One axis of the sampling: either pixels share cells (each cell is asked once), or cells share pixels.
struct AxisPlan {
  double start = 0;
  double cells = 0;
  std::int64_t samples = 0;
};

AxisPlan plan(double start, double cells, int pixels, bool nearest, std::vector<std::int64_t>& sample_of) {
  sample_of.resize(static_cast<std::size_t>(pixels));
  if (cells > pixels && !nearest) {
    for (int n = 0; n < pixels; ++n) sample_of[static_cast<std::size_t>(n)] = n;
    return {start, cells, pixels};
  }
  if (cells > pixels) {
    for (int n = 0; n < pixels; ++n) sample_of[static_cast<std::size_t>(n)] = cellAt(start, cells, pixels, n);
    return {start, cells, 0};
  }
  const std::int64_t first = cellAt(start, cells, pixels, 0);
  const std::int64_t last = cellAt(start, cells, pixels, pixels - 1);
  for (int n = 0; n < pixels; ++n) sample_of[static_cast<std::size_t>(n)] = cellAt(start, cells, pixels, n) - first;
  return {static_cast<double>(first), static_cast<double>(last - first + 1), last - first + 1};
}

/// Of the same field: its mask is the same too.
bool sameColours(const HeatmapLook& a, const HeatmapLook& b) {
  return a.map == b.map && a.scale == b.scale && !a.masked == !b.masked && !a.nothing == !b.nothing &&
         a.mask_colour == b.mask_colour && a.none_below == b.none_below && a.missing_colour == b.missing_colour &&
         a.hatch == b.hatch;
}

}  // namespace

std::int64_t cellAt(double start, double cells, int pixels, int pixel) {
  return static_cast<std::int64_t>(std::floor(start + (pixel + 0.5) * cells / pixels));
}

bool isReduced(const FieldWindow& window, QSize pixels) {
  return window.rows > pixels.height() || window.cols > pixels.width();
}

void HeatmapSampler::prepare(const Field& field, const FieldWindow& window, std::int64_t height) {
  const SlowField* slow = slowField(field);
  asked_ = window;
  asked_height_ = height;
  if (slow && patience_ == Patience::wait) slow->refine(window, height, Job());
  is_final_ = !slow || slow->isFinal(window, height);
}

std::optional<HeatmapSampler::Unfinished> HeatmapSampler::unfinished() const {
  std::shared_ptr<const Field> field = is_final_ ? nullptr : field_.lock();
  const SlowField* slow = field ? slowField(*field) : nullptr;
  if (!slow || slow->isFinal(asked_, asked_height_)) return {};
  return Unfinished{std::move(field), asked_, asked_height_};
}

void HeatmapSampler::sample(const Field& field, const FieldWindow& window, QSize pixels, Reduction reduction) {
  const bool nearest = reduction == Reduction::nearest;
  const AxisPlan rows = plan(window.row, window.rows, pixels.height(), nearest, row_of_);
  const AxisPlan cols = plan(window.col, window.cols, pixels.width(), nearest, col_of_);
  if (rows.samples > 0 && cols.samples > 0) {
    stride_ = cols.samples;
    cells_.resize(static_cast<std::size_t>(rows.samples * cols.samples));
    const FieldWindow part{rows.start, cols.start, rows.cells, cols.cells};
    prepare(field, part, rows.samples);
    field.sample(part, rows.samples, cols.samples, reduction, cells_);
    return;
  }
  if (slowField(field)) return sampleNearest(field, window, pixels);
  is_final_ = true;
  // The nearest cell of each pixel, asked one by one, so that the pointer finds the very cell that was drawn.
  const std::int64_t first_row = rows.samples > 0 ? static_cast<std::int64_t>(rows.start) : 0;
  const std::int64_t first_col = cols.samples > 0 ? static_cast<std::int64_t>(cols.start) : 0;
  stride_ = pixels.width();
  cells_.resize(static_cast<std::size_t>(pixels.width()) * static_cast<std::size_t>(pixels.height()));
  for (int y = 0; y < pixels.height(); ++y) {
    const std::int64_t row = row_of_[static_cast<std::size_t>(y)] + first_row;
    for (int x = 0; x < pixels.width(); ++x) {
      const std::int64_t col = col_of_[static_cast<std::size_t>(x)] + first_col;
      const bool inside = row >= 0 && row < field.rows() && col >= 0 && col < field.cols();
      cells_[static_cast<std::size_t>(y * stride_ + x)] = inside ? field.at(row, col) : NAN;
    }
    row_of_[static_cast<std::size_t>(y)] = y;
  }
  for (int x = 0; x < pixels.width(); ++x) col_of_[static_cast<std::size_t>(x)] = x;
}

/// All cells at once, which one by one would take long: by the formula of `cellAt`.
void HeatmapSampler::sampleNearest(const Field& field, const FieldWindow& window, QSize pixels) {
  stride_ = pixels.width();
  cells_.resize(static_cast<std::size_t>(pixels.width()) * static_cast<std::size_t>(pixels.height()));
  prepare(field, window, pixels.height());
  field.sample(window, pixels.height(), pixels.width(), Reduction::nearest, cells_);
  std::iota(row_of_.begin(), row_of_.end(), 0);
  std::iota(col_of_.begin(), col_of_.end(), 0);
}

void HeatmapSampler::colour(const FieldWindow& window, QSize pixels, const HeatmapLook& look) {
  if (image_.size() != pixels) image_ = QImage(pixels, QImage::Format_RGB32);
  const ValueScale scale = look.scale;
  const bool linear = scale.kind == ValueScale::Kind::linear;
  const float low = static_cast<float>(scale.low);
  const float factor = static_cast<float>((ColourMap::size - 1) / (scale.high - scale.low));
  const auto hatch = std::max<std::int64_t>(3, std::llround(look.hatch));
  const std::int64_t thickness = std::max<std::int64_t>(1, hatch / 6);
  for (int y = 0; y < pixels.height(); ++y) {
    auto* line = reinterpret_cast<QRgb*>(image_.scanLine(y));
    const float* values = cells_.data() + row_of_[static_cast<std::size_t>(y)] * stride_;
    const std::int64_t row = cellAt(window.row, window.rows, pixels.height(), y);
    const bool nothing = look.nothing && look.nothing(row);
    for (int x = 0; x < pixels.width(); ++x) {
      const float value = values[col_of_[static_cast<std::size_t>(x)]];
      if (std::isnan(value) || nothing) {
        line[x] = (x + y) % hatch < thickness ? look.missing_colour : look.mask_colour;
      } else if (value < look.none_below) {
        line[x] = look.mask_colour;
      } else if (value == 0.0F && look.masked && look.masked(row, cellAt(window.col, window.cols, pixels.width(), x))) {
        line[x] = look.mask_colour;
      } else if (linear) {
        const float place = std::clamp((value - low) * factor + 0.5F, 0.0F, static_cast<float>(ColourMap::size - 1));
        line[x] = look.map->colours[static_cast<std::size_t>(place)];
      } else {
        line[x] = look.map->at(scale.fraction(value));
      }
    }
  }
}

const QImage& HeatmapSampler::image(const std::shared_ptr<const Field>& field, const FieldWindow& window, QSize pixels,
                                    const HeatmapLook& look) {
  const bool same =
      field_.lock() == field && window == window_ && pixels == pixels_ && look.reduction == look_.reduction;
  const bool sampled = same && (is_final_ || unfinished());  // else the draft can be replaced
  if (sampled && sameColours(look, look_)) return image_;
  if (!sampled) {
    sample(*field, window, pixels, look.reduction);
    ++askings_;
  }
  colour(window, pixels, look);
  field_ = field;
  window_ = window;
  pixels_ = pixels;
  look_ = look;
  return image_;
}

double pixelsPerUnit(const QPainter& painter) {
  const QPaintEngine* engine = painter.paintEngine();
  const bool vectors = engine && (engine->type() == QPaintEngine::SVG || engine->type() == QPaintEngine::Pdf);
  // Three samples per unit keep cell edges sharp in print; viewers that smooth images then only touch the edges.
  return vectors ? 3.0 : painter.deviceTransform().m11();
}

void drawHeatmap(QPainter& painter, const QRectF& plot, const std::shared_ptr<const Field>& field,
                 const FieldWindow& window, const HeatmapLook& look, HeatmapSampler& sampler) {
  const double density = pixelsPerUnit(painter);
  QRectF target = plot;
  const QTransform transform = painter.deviceTransform();
  const bool pixels_known = density == transform.m11() && transform.type() <= QTransform::TxScale;
  QRect device(0, 0, qRound(plot.width() * density), qRound(plot.height() * density));
  if (pixels_known) {
    // Whole device pixels, or drawImage would resample at fractional scale factors.
    const QRectF exact = transform.mapRect(plot);
    device = QRect(QPoint(qRound(exact.left()), qRound(exact.top())),
                   QPoint(qRound(exact.right()) - 1, qRound(exact.bottom()) - 1));
    target = transform.inverted().mapRect(QRectF(device));
  }
  if (device.isEmpty()) return;
  HeatmapLook scaled = look;
  scaled.hatch = look.hatch * density;
  painter.save();
  painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
  painter.drawImage(target, sampler.image(field, window, device.size(), scaled));
  painter.restore();
}

void drawCellNumbers(QPainter& painter, const QRectF& plot, const Field& field, const FieldWindow& window,
                     const HeatmapLook& look, const Style& style) {
  constexpr double least_width = 34;
  constexpr double least_height = 14;
  const double width = plot.width() / window.cols;
  const double height = plot.height() / window.rows;
  if (width < least_width || height < least_height) return;
  painter.setFont(style.digits(width < 46 ? 9 : 11));
  const auto last_row = std::min(field.rows() - 1, static_cast<std::int64_t>(std::floor(window.row + window.rows)));
  const auto last_col = std::min(field.cols() - 1, static_cast<std::int64_t>(std::floor(window.col + window.cols)));
  const auto first_col = std::max<std::int64_t>(0, static_cast<std::int64_t>(std::floor(window.col)));
  for (auto row = std::max<std::int64_t>(0, static_cast<std::int64_t>(std::floor(window.row))); row <= last_row; ++row)
    for (std::int64_t col = first_col; col <= last_col; ++col) {
      const QRectF cell(plot.left() + (static_cast<double>(col) - window.col) * width,
                        plot.top() + (static_cast<double>(row) - window.row) * height, width, height);
      // Cut cells at the border stay empty: their number would run out of the plot (SVG cannot clip).
      if (!plot.adjusted(-1, -1, 1, 1).contains(cell)) continue;
      if (!isKnown(field, row)) continue;
      const float value = field.at(row, col);
      const bool masked = value == 0.0F && look.masked && look.masked(row, col);
      if (std::isnan(value) || value < look.none_below || masked) continue;
      const QString text = numberText(value, 3);
      if (QFontMetricsF(painter.font()).horizontalAdvance(text) > width) continue;  // cut, it would be another number
      const QRgb behind = look.map->at(look.scale.fraction(value));
      painter.setPen(qGray(behind) < 128 ? QColor(255, 255, 255, 235) : QColor(20, 24, 28, 235));
      painter.drawText(cell, Qt::AlignCenter, text);
    }
}

}  // namespace posiscope::ui
