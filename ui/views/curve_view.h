// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/plot_layout.h"
#include "ui/charts/readout.h"
#include "ui/views/view.h"

#include <QPixmap>
#include <QTimer>
#include <functional>
#include <optional>

namespace posiscope::ui {

/// What tells one curve view from another.
struct CurveKind {
  enum class Abscissa { offset, position, pair };

  Text title;
  Abscissa abscissa;
  std::function<Plot(const ViewContext&)> plot;
};

/// A `ViewKind` whose widget is a `CurveView` and whose drawing is the same plot.
ViewKind curveViewKind(std::string id, std::vector<ParamSpec> options, CurveKind kind);

/// Curves that can be read, zoomed and compared. The frame (Qt Charts) and the finished picture are kept in pixmaps:
/// new curves in the same axes cost their lines only, and the pointer costs nothing but its cross-hair.
class CurveView : public View {
  Q_OBJECT

 public:
  explicit CurveView(CurveKind kind, QWidget* parent = nullptr);
  ~CurveView() override;

  void setContext(const ViewContext& context) override;
  void setHover(const Hover& hover) override;

  QSize sizeHint() const override { return {480, 320}; }
  QSize minimumSizeHint() const override { return {160, 120}; }

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  bool drawable() const { return !plot_.blank && plot_.centred.isEmpty(); }
  Scale visibleX() const;
  Scale visibleY() const;
  void setVisible(const Scale& x, const Scale& y);
  void zoomBy(double factor, QPointF anchor, bool vertical);
  void panBy(double x_share, double y_share);
  void fit();
  void pointAt(QPointF position);
  void stepReading(int samples);
  void emitReading(double x);
  std::optional<double> abscissaOf(const Hover& hover) const;
  void isolate(int group);
  void changePicture();
  const PlotLayout& arranged();
  void renderPicture();
  void describe();

  CurveKind kind_;
  ViewContext context_;
  Plot plot_;
  std::optional<Zoom> zoom_;
  int isolated_ = -1;
  std::optional<double> reading_;  ///< the abscissa under some pointer
  bool reading_here_ = false;      ///< that pointer is in this view
  std::optional<QPointF> pressed_;
  bool dragged_ = false;

  ChartFrame frame_;
  PlotLayout layout_;
  bool layout_valid_ = false;
  QPixmap frame_picture_;
  QPixmap picture_;
  bool picture_valid_ = false;
  bool dimmed_ = false;
  QTimer dim_timer_;
};

}  // namespace posiscope::ui
