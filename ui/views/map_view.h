// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/latest_job.h"
#include "ui/views/map_drawing.h"
#include "ui/views/picture_view.h"

#include <functional>
#include <memory>
#include <optional>
#include <QPoint>
#include <string>
#include <vector>

namespace posiscope::ui {

using MapSceneMaker = std::function<MapScene(const ViewContext&)>;

/// A view of heatmaps: wheel zooms to the pointer, drag pans, Shift-drag selects a range for all linked views,
/// double-click fits them; arrows, + −, S and 0 do the same, Ctrl + arrows move the cursor from cell to cell. Where a
/// cell is chosen, a click or Enter chooses another.
class MapView final : public PictureView {
  Q_OBJECT

 public:
  MapView(std::string id, Text title, MapSceneMaker maker, QWidget* parent);

  const MapScene& scene() const { return scene_; }
  /// Of the present size, as drawn.
  const MapLayout& places();
  /// Is a map drawn from estimates while its numbers are worked out?
  bool isUnfinished() const { return !refined_.empty(); }
  std::vector<std::string> axes() const override;

 protected:
  bool event(QEvent* event) override;
  void drawPicture(QPainter& painter) override;
  void drawPointer(QPainter& painter) override;
  void contextChanged() override;
  void pointAt(QPointF position) override;
  void readAgain() override;

  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  enum class Drag { none, waiting, panning, selecting };

  std::optional<std::size_t> panelAt(QPointF point);
  Zoom shownZoom() const;
  void setZoom(std::optional<Zoom> zoom);
  /// Zooms by a factor about a point given as shares of the plot.
  void zoomAbout(double x_share, double y_share, double factor);
  void panBy(double x_share, double y_share);
  void zoomToSelection(const QRectF& selection);
  void select(const Zoom& part);
  void chooseCell(QPointF point);
  void choose(const MapCell& cell);
  void moveCursor(std::int64_t rows, std::int64_t cols);
  void hoverCell(const std::optional<MapCell>& cell);
  /// Has what was drawn from estimates worked out by another thread, and draws again.
  void refineDrafts();
  void describe();

  std::string id_;
  Text title_;
  MapSceneMaker maker_;
  MapScene scene_;
  MapScene former_;  ///< the last whole answer, while drafts of the next one are shown
  std::optional<MapLayout> layout_;
  std::vector<HeatmapSampler> samplers_;
  std::optional<MapCell> cursor_;
  bool read_here_ = false;  ///< the last reading of this view has not been taken back
  Drag drag_ = Drag::none;
  QPointF pressed_;
  QPointF last_;
  std::size_t dragged_panel_ = 0;
  std::vector<HeatmapSampler::Unfinished> refined_;  ///< what `refiner_` works on
  std::unique_ptr<LatestJob> refiner_;               ///< last: joined before anything it tells dies
};

/// The view kind of a scene maker: the widget and every export draw the same scene. A null `request` asks for the
/// measure without options.
ViewKind mapViewKind(std::string id, Text title, std::string measure, std::vector<ParamSpec> options,
                     decltype(ViewKind::request) request, MapSceneMaker maker);

}  // namespace posiscope::ui
