// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field.h"
#include "ui/paint/heatmap.h"

#include <memory>
#include <QColor>
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

/// Attention of several encodings side by side, all on one scale from 0 to 1; the pointer reads a weight.
class AttentionMaps : public QWidget {
  Q_OBJECT

 public:
  explicit AttentionMaps(QWidget* parent = nullptr);
  void setPanels(std::vector<AttentionPanel> panels);
  const std::vector<AttentionPanel>& panels() const { return panels_; }
  /// Where the map of a panel is drawn; a square.
  QRectF mapOf(std::size_t panel) const;
  QSize minimumSizeHint() const override { return {240, 200}; }

 signals:
  void pointed(const QString& sentence);  ///< empty when the pointer has left

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  std::vector<AttentionPanel> panels_;
  std::vector<std::unique_ptr<HeatmapSampler>> samplers_;
};

}  // namespace posiscope::ui
