// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/frame.h"
#include "ui/charts/plot.h"
#include "ui/charts/plot_layout.h"
#include "ui/charts/readout.h"
#include "ui/training/plot_export.h"

#include <optional>
#include <QWidget>
#include <vector>

namespace posiscope::ui {

class FlatButton;

/// A titled plot of the page: the pointer reads all curves, a click on a legend entry isolates it, the menu copies and
/// saves the figure and its numbers.
class PlotBox : public QWidget {
  Q_OBJECT

 public:
  explicit PlotBox(QWidget* parent = nullptr);

  void setTitle(const QString& title);
  void setPlot(Plot plot);
  const Plot& plot() const { return plot_; }
  /// The ending of the path chooses the format; a problem is shown beside the button.
  void exportTo(const QString& path);
  /// What its own menu holds.
  void addExportsTo(QMenu* menu);
  const QString& title() const { return title_; }
  bool drawable() const { return plot_.centred.isEmpty(); }
  FlatButton* menuButton() const { return menu_; }
  /// The few abscissas of all curves: they are labelled, and each value has a dot.
  void setMeasured(const std::vector<double>& abscissas);
  /// Of the last painting; its origin is `plotCorner`.
  const PlotLayout& layout() const { return layout_; }
  static QPoint plotCorner();
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
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  void draw(QPainter& painter, bool with_reading);
  void read(std::optional<double> x);
  FigureToExport figure();
  void openMenu(const QPoint& corner);
  Readout readable(double x) const;
  void labelMeasured();
  void dotMeasured(QPainter& painter) const;

  FlatButton* menu_;
  QString title_;
  Plot plot_;
  std::vector<double> measured_;
  ChartFrame frame_;
  PlotLayout layout_;  ///< of the last painting, below the title
  int isolated_ = -1;
  std::optional<double> x_;
  bool read_here_ = false;
};

}  // namespace posiscope::ui
