// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/frame.h"
#include "ui/charts/plot.h"
#include "ui/charts/plot_layout.h"

#include <optional>
#include <QWidget>

namespace posiscope::ui {

/// A titled plot of the page: the pointer reads all curves, a click on a legend entry isolates it, the menu copies and
/// saves the figure.
class PlotBox : public QWidget {
  Q_OBJECT

 public:
  explicit PlotBox(QWidget* parent = nullptr);

  void setTitle(const QString& title);
  void setPlot(Plot plot);
  const Plot& plot() const { return plot_; }
  /// Of another box over the same abscissas.
  void setReading(std::optional<double> x);
  QSize sizeHint() const override { return {420, 260}; }
  QSize minimumSizeHint() const override { return {240, 200}; }

 signals:
  void readingChanged(std::optional<double> x);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  bool drawable() const { return plot_.centred.isEmpty(); }
  void draw(QPainter& painter, bool with_reading);
  void read(std::optional<double> x);
  void copyImage();
  void saveFigure();

  QString title_;
  Plot plot_;
  ChartFrame frame_;
  PlotLayout layout_;  ///< of the last painting, below the title
  int isolated_ = -1;
  std::optional<double> x_;
  bool read_here_ = false;
};

}  // namespace posiscope::ui
