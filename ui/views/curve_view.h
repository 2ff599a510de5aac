// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/plot_layout.h"
#include "ui/charts/readout.h"
#include "ui/views/picture_view.h"

#include <functional>
#include <optional>
#include <QPixmap>
#include <string>
#include <vector>

namespace posiscope::ui {

/// What tells one curve view from another.
struct CurveKind {
  enum class Abscissa { offset, position, pair, key };

  std::string id;  ///< of the view and of the measure it shows
  Text title;
  Abscissa abscissa;
  std::function<Plot(const ViewContext&)> plot;
};

/// A `ViewKind` whose widget is a `CurveView` and whose drawing is the same plot.
ViewKind curveViewKind(std::vector<ParamSpec> options, CurveKind kind);

/// Curves that can be read, zoomed and compared: wheel zooms the abscissa to the pointer (with Ctrl the ordinate), drag
/// pans, Shift-drag selects a range for all linked views, double-click fits them, a click on a legend entry isolates
/// it; arrows, + −, S and 0 do the same, Ctrl + arrows move the reading. The frame (Qt Charts) is kept as pixels: new
/// curves in the same axes cost their lines only.
class CurveView final : public PictureView {
  Q_OBJECT

 public:
  explicit CurveView(CurveKind kind, QWidget* parent = nullptr);

  void setHover(const Hover& hover) override;
  std::vector<std::string> axes() const override;

 protected:
  void drawPicture(QPainter& painter) override;
  void drawPointer(QPainter& painter) override;
  void contextChanged() override;
  void pointAt(QPointF position) override;
  void readAgain() override;

  bool event(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  /// Over what: as the axis of the data says, where an option of the measure changes it.
  CurveKind::Abscissa abscissa() const;
  bool drawable() const { return !plot_.blank && plot_.centred.isEmpty(); }
  Scale visibleX() const;
  Scale visibleY() const;
  void setVisible(const Scale& x, const Scale& y);
  void zoomBy(double factor, QPointF anchor, bool vertical);
  void panBy(double x_share, double y_share);
  bool isZoomed() const;
  void select(double from, double to);
  QRectF selectedBand(QPointF point) const;
  void stepReading(int samples);
  void read(double x);
  std::optional<double> reading() const;
  void isolate(int group);
  void changePicture();
  const PlotLayout& arranged();
  void describe();
  QString noticesFrom(std::size_t strip) const;

  CurveKind kind_;
  ViewContext shown_;  ///< what `plot_` was made from
  Plot plot_;
  int isolated_ = -1;
  bool read_here_ = false;  ///< the reading comes from this view: it has the value box
  std::optional<QPointF> pressed_;
  bool dragged_ = false;
  bool selecting_ = false;

  ChartFrame frame_;
  QPixmap frame_picture_;
  PlotLayout layout_;
  bool arranged_ = false;
};

}  // namespace posiscope::ui
