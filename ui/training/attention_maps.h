// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field.h"
#include "ui/paint/heatmap.h"
#include "ui/training/plot_export.h"

#include <memory>
#include <optional>
#include <QColor>
#include <QPointF>
#include <QString>
#include <QWidget>
#include <vector>

namespace posiscope::ui {

/// The attention of one head at one step.
struct AttentionPanel {
  QString name;
  QColor colour;
  QString facts;                         ///< below the name: kind and scores
  std::shared_ptr<const Field> weights;  ///< null while there is none
};

/// Attention of several encodings side by side, all on one scale from 0 to 1: queries downwards, keys to the right. The
/// pointer reads a weight.
class AttentionMaps : public QWidget {
  Q_OBJECT

 public:
  explicit AttentionMaps(QWidget* parent = nullptr);
  void setPanels(std::vector<AttentionPanel> panels);
  const std::vector<AttentionPanel>& panels() const { return panels_; }
  /// Where the map of a panel is drawn; a square.
  QRectF mapOf(std::size_t panel) const;
  QSize minimumSizeHint() const override { return {240, 200}; }

  /// All maps as one figure, with a line for each weight as its numbers.
  FigureToExport figure();
  bool drawable() const;
  /// What is read under a point: "RoPE: i = 3, j = 2, a = 0.41"; empty beside the maps.
  QString reading(const QPointF& at) const;

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  void draw(QPainter& painter);
  void drawPanel(QPainter& painter, std::size_t panel);
  void drawAxes(QPainter& painter, const QRectF& map, const Field& weights);
  void drawReading(QPainter& painter);
  std::string csv() const;

  std::vector<AttentionPanel> panels_;
  std::vector<std::unique_ptr<HeatmapSampler>> samplers_;
  std::optional<QPointF> pointer_;
};

}  // namespace posiscope::ui
