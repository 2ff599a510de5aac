// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/map_view.h"

#include "core/slow_field.h"
#include "ui/controls/tip.h"
#include "ui/state/selection.h"
#include "ui/views/curve_strip.h"
#include "ui/views/map_draft.h"
#include "ui/views/map_note.h"

#include <algorithm>
#include <cmath>
#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <tuple>
#include <utility>

namespace posiscope::ui {
namespace {

constexpr double wheel_factor = 1.2;  // per notch
constexpr double key_factor = 1.5;
constexpr double pan_share = 0.1;
constexpr double fewest_cells = 2;

}  // namespace

MapView::MapView(std::string id, Text title, MapSceneMaker maker, QWidget* parent)
    : PictureView(parent), id_(std::move(id)), title_(std::move(title)), maker_(std::move(maker)) {
  setObjectName(QString::fromStdString(id_));
}

const MapLayout& MapView::places() {
  if (!layout_) layout_ = layoutMaps(scene_, rect(), devicePixelRatioF(), true);
  return *layout_;
}

void MapView::contextChanged() {
  MapScene next = maker_(context());
  if (!isDraft(next))
    former_ = {};
  else if (!isDraft(scene_))
    former_ = std::move(scene_);
  layOver(next, former_);
  scene_ = std::move(next);
  layout_.reset();
  if (cursor_ && (cursor_->panel >= scene_.panels.size() || !scene_.panels[cursor_->panel].map ||
                  cursor_->row >= scene_.panels[cursor_->panel].map->field->rows() ||
                  cursor_->col >= scene_.panels[cursor_->panel].map->field->cols()))
    cursor_.reset();
  describe();
}

void MapView::drawPicture(QPainter& painter) {
  layout_ = layoutMaps(scene_, rect(), devicePixelRatioF(), true);
  drawMaps(painter, rect(), scene_, *layout_, samplers_);
  refineDrafts();
}

void MapView::refineDrafts() {
  std::vector<HeatmapSampler::Unfinished> drafts;
  for (const HeatmapSampler& sampler : samplers_)
    if (auto draft = sampler.unfinished()) drafts.push_back(*std::move(draft));
  if (drafts == refined_) return;
  refined_ = drafts;
  if (drafts.empty()) return refiner_->cancel();
  if (!refiner_) refiner_ = std::make_unique<LatestJob>();
  // Of another window nothing would be seen: the running one stops.
  refiner_->submit(
      [this, drafts = std::move(drafts)](const Job& job) {
        for (const HeatmapSampler::Unfinished& draft : drafts)
          if (!slowField(*draft.field)->refine(draft.window, draft.height, job)) return;
        QMetaObject::invokeMethod(
            this,
            [this] {
              invalidate();
              pointer() ? pointAt(*pointer()) : readAgain();
            },
            Qt::QueuedConnection);
      },
      true);
}

void MapView::drawPointer(QPainter& painter) { drawMapHover(painter, scene_, places(), hover()); }

bool MapView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return PictureView::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const MapLayout& shown = places();
  QString text = shown.notes.contains(help->pos()) ? shown.note : QString();
  for (std::size_t p = 0; p < scene_.panels.size() && text.isEmpty(); ++p)
    if (shown.panels[p].plot.contains(help->pos()) || shown.panels[p].caption.contains(help->pos()))
      text = scene_.panels[p].sentence;
  showTip(*help, text, this);
  return true;
}

void MapView::resizeEvent(QResizeEvent* event) {
  layout_.reset();
  PictureView::resizeEvent(event);
}

void MapView::describe() {
  const Style& style = scene_.style;
  setAccessibleName(style.text(title_));
  QString text = scene_.nothing;
  if (const MapPanel* first = scene_.first()) {
    text = style
               .text({"Heatmap, %1 × %2 cells, %3 to %4. Arrows pan, plus and minus zoom, 0 fits, S shows the same "
                      "range in all linked views, Ctrl and arrows move the cursor.",
                      "热图，%1 × %2 格，%3 至 %4。方向键平移，加减号缩放，0 还原，S 让关联视图显示同一范围，"
                      "Ctrl 加方向键移动光标。"})
               .arg(first->map->field->rows())
               .arg(first->map->field->cols())
               .arg(numberText(first->look.scale.low), numberText(first->look.scale.high));
    if (const QString note = mapNote(scene_, false); !note.isEmpty()) text += QLatin1Char(' ') + note;
    if (scene_.chosen)
      text += style.text({" A click, or Enter at the cursor, chooses a cell.", "单击，或在光标处按回车，即选中该格。"});
  }
  setAccessibleDescription(text);
}

std::optional<std::size_t> MapView::panelAt(QPointF point) {
  const MapLayout& shown = places();
  for (std::size_t p = 0; p < scene_.panels.size(); ++p)
    if (scene_.panels[p].map && shown.panels[p].plot.contains(point)) return p;
  return std::nullopt;
}

Zoom MapView::shownZoom() const {
  if (scene_.zoom) return *scene_.zoom;
  const MapPanel* first = scene_.first();
  return first ? wholeZoom(*first->map) : Zoom{};
}

void MapView::setZoom(std::optional<Zoom> zoom) {
  const MapPanel* first = scene_.first();
  if (!first) return;
  if (zoom) zoom = keptInside(*zoom, wholeZoom(*first->map));
  if (zoom == scene_.zoom) return;
  scene_.zoom = zoom;
  // All of it is a zoom of its own where a selection would show a part.
  if (!zoom && selectedZoom(context().presentation.selection, *first->map)) zoom = wholeZoom(*first->map);
  keepZoom(zoom);
  layout_.reset();
  invalidate();
  emit zoomed(zoom);
}

void MapView::zoomAbout(double x_share, double y_share, double factor) {
  const MapPanel* first = scene_.first();
  if (!first) return;
  const Zoom shown = shownZoom();
  const Zoom whole = wholeZoom(*first->map);
  const auto scaled = [factor](double from, double to, double share, double step, double cells) {
    const double least = std::min(fewest_cells, cells) * step;
    const double length = std::max((to - from) / factor, least);
    const double centre = from + share * (to - from);
    return std::pair(centre - share * length, centre + (1 - share) * length);
  };
  Zoom zoom;
  std::tie(zoom.x0, zoom.x1) =
      scaled(shown.x0, shown.x1, x_share, first->map->cols.step, static_cast<double>(first->map->field->cols()));
  std::tie(zoom.y0, zoom.y1) =
      scaled(shown.y0, shown.y1, y_share, first->map->rows.step, static_cast<double>(first->map->field->rows()));
  if (zoom.x1 - zoom.x0 >= whole.x1 - whole.x0 && zoom.y1 - zoom.y0 >= whole.y1 - whole.y0) return setZoom({});
  setZoom(zoom);
}

void MapView::panBy(double x_share, double y_share) {
  if (!scene_.zoom) return;
  Zoom zoom = *scene_.zoom;
  const double dx = x_share * (zoom.x1 - zoom.x0);
  const double dy = y_share * (zoom.y1 - zoom.y0);
  setZoom(Zoom{zoom.x0 + dx, zoom.x1 + dx, zoom.y0 + dy, zoom.y1 + dy});
}

void MapView::zoomToSelection(const QRectF& selection) {
  const QRectF& plot = places().panels[dragged_panel_].plot;
  const QRectF part = selection.intersected(plot);
  constexpr double least_pixels = 4;
  if (part.width() < least_pixels || part.height() < least_pixels) return;
  const Zoom shown = shownZoom();
  const double width = (shown.x1 - shown.x0) / plot.width();
  const double height = (shown.y1 - shown.y0) / plot.height();
  select({shown.x0 + (part.left() - plot.left()) * width, shown.x0 + (part.right() - plot.left()) * width,
          shown.y0 + (part.top() - plot.top()) * height, shown.y0 + (part.bottom() - plot.top()) * height});
}

void MapView::select(const Zoom& part) {
  const MapPanel* first = scene_.first();
  if (!first) return;
  Selection ranges;
  const auto put = [&ranges](const Axis& axis, double from, double to) {
    if (!axis.symbol.empty()) ranges[axis.symbol] = wholeSteps(axis, {from, to});
  };
  put(first->map->cols, part.x0, part.x1);
  put(first->map->rows, part.y0, part.y1);
  emit selected(ranges);
}

std::vector<std::string> MapView::axes() const {
  const MapPanel* first = scene_.first();
  if (!first) return {};
  return {first->map->rows.symbol, first->map->cols.symbol};
}

void MapView::hoverCell(const std::optional<MapCell>& cell) {
  read_here_ = cell.has_value();
  if (!cell) return emitHover({});
  cursor_ = cell;
  Hover found = hoverOf(scene_, *cell);
  found.view = id_;
  emitHover(found);
}

void MapView::pointAt(QPointF position) {
  const auto offset = stripOffsetAt(places().strip, scene_.strip, position, scene_.style);
  if (!offset) return hoverCell(mapCellAt(scene_, places(), position, devicePixelRatioF()));
  read_here_ = false;  // no cell of a map
  Hover found;
  found.view = id_;
  found.offset = *offset;
  emitHover(found);
}

void MapView::readAgain() {
  if (hover().view != id_ || !read_here_) return;
  if (cursor_)
    hoverCell(cursor_);
  else
    emitHover({});
}

void MapView::moveCursor(std::int64_t rows, std::int64_t cols) {
  if (!cursor_) {
    const auto with_map = std::ranges::find_if(scene_.panels, [](const MapPanel& p) { return p.map != nullptr; });
    if (with_map == scene_.panels.end()) return;
    const FieldWindow window = visibleWindow(scene_, *with_map->map);
    cursor_ = MapCell{static_cast<std::size_t>(with_map - scene_.panels.begin()),
                      static_cast<std::int64_t>(window.row + window.rows / 2),
                      static_cast<std::int64_t>(window.col + window.cols / 2)};
  }
  const Field& field = *scene_.panels[cursor_->panel].map->field;
  MapCell next = *cursor_;
  next.row = std::clamp<std::int64_t>(next.row + rows, 0, field.rows() - 1);
  next.col = std::clamp<std::int64_t>(next.col + cols, 0, field.cols() - 1);
  hoverCell(next);
}

void MapView::mousePressEvent(QMouseEvent* event) {
  const auto panel = panelAt(event->position());
  if (event->button() != Qt::LeftButton || !panel) return PictureView::mousePressEvent(event);
  pressed_ = last_ = event->position();
  dragged_panel_ = *panel;
  drag_ = event->modifiers().testFlag(Qt::ShiftModifier) ? Drag::selecting : Drag::waiting;
  if (drag_ == Drag::selecting) showBand(QRectF(pressed_, QSizeF()));
}

void MapView::mouseMoveEvent(QMouseEvent* event) {
  const QPointF point = event->position();
  if (drag_ == Drag::waiting && (point - pressed_).manhattanLength() >= QApplication::startDragDistance())
    drag_ = Drag::panning;
  if (drag_ == Drag::selecting) {
    showBand(QRectF(pressed_, point).normalized());
  } else if (drag_ == Drag::panning) {
    const QRectF& plot = places().panels[dragged_panel_].plot;
    panBy((last_.x() - point.x()) / plot.width(), (last_.y() - point.y()) / plot.height());
    last_ = point;
  }
  keepPointer(point);
  pointAt(point);
}

void MapView::mouseReleaseEvent(QMouseEvent* event) {
  const Drag drag = std::exchange(drag_, Drag::none);
  if (drag == Drag::selecting) {
    hideBand();
    zoomToSelection(QRectF(pressed_, event->position()).normalized());
  } else if (drag == Drag::waiting && scene_.legend) {
    // Small multiples of all heads: a click chooses one. Kept here: the first choice already brings a new scene.
    const auto [head, layer] = std::pair(scene_.panels[dragged_panel_].head, scene_.panels[dragged_panel_].layer);
    if (head >= 0) emit headChosen(head);
    if (layer >= 0) emit layerChosen(layer);
  } else if (drag == Drag::waiting && scene_.chosen) {
    chooseCell(event->position());
  }
}

void MapView::chooseCell(QPointF point) {
  const auto cell = mapCellAt(scene_, places(), point, devicePixelRatioF());
  if (cell) choose(*cell);
}

void MapView::choose(const MapCell& cell) {
  if (!scene_.chosen) return;
  // Kept here: the first choice already brings a new scene.
  const ChosenCell options = *scene_.chosen;
  emit optionChosen(options.row_option, static_cast<double>(cell.row));
  emit optionChosen(options.col_option, static_cast<double>(cell.col));
}

void MapView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) emit fitWanted();
}

void MapView::wheelEvent(QWheelEvent* event) {
  const auto panel = panelAt(event->position());
  const double notches = event->angleDelta().y() / 120.0;
  if (!panel || notches == 0) return event->ignore();
  const QRectF& plot = places().panels[*panel].plot;
  zoomAbout((event->position().x() - plot.left()) / plot.width(), (event->position().y() - plot.top()) / plot.height(),
            std::pow(wheel_factor, notches));
  pointAt(event->position());
  event->accept();
}

void MapView::keyPressEvent(QKeyEvent* event) {
  const bool cursor = event->modifiers().testFlag(Qt::ControlModifier);
  const std::int64_t step = event->modifiers().testFlag(Qt::ShiftModifier) ? 10 : 1;
  const auto arrow = [&](int right, int down) {
    if (cursor) return moveCursor(down * step, right * step);
    panBy(right * pan_share, down * pan_share);
  };
  switch (event->key()) {
    case Qt::Key_Left: return arrow(-1, 0);
    case Qt::Key_Right: return arrow(1, 0);
    case Qt::Key_Up: return arrow(0, -1);
    case Qt::Key_Down: return arrow(0, 1);
    case Qt::Key_Plus:
    case Qt::Key_Equal: return zoomAbout(0.5, 0.5, key_factor);
    case Qt::Key_Minus: return zoomAbout(0.5, 0.5, 1 / key_factor);
    case Qt::Key_0: emit fitWanted(); return;
    case Qt::Key_S: return select(shownZoom());
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (cursor_) choose(*cursor_);
      return;
    default: PictureView::keyPressEvent(event);
  }
}

ViewKind mapViewKind(std::string id, Text title, std::string measure, std::vector<ParamSpec> options,
                     decltype(ViewKind::request) request, MapSceneMaker maker) {
  ViewKind kind;
  kind.id = id;
  kind.title = title;
  kind.measure = measure;
  kind.options = std::move(options);
  kind.request = std::move(request);
  if (!kind.request)
    kind.request = [measure](const TileState&, const Presentation&, const Experiment&) {
      return MeasureRequest{measure, {}};
    };
  kind.create = [id, title, maker](QWidget* parent) -> View* { return new MapView(id, title, maker, parent); };
  kind.derived = [specs = kind.options](const ViewContext& context) {
    std::optional<Expected<std::shared_ptr<const Dataset>>> shown;
    if (const std::optional<SchemePair> pair = chosenPair(specs, context)) shown = differenceShown(context, *pair);
    return shown;
  };
  kind.draw = [maker](QPainter& painter, const QRectF& target, const ViewContext& context) {
    const MapScene scene = maker(context);
    std::vector<HeatmapSampler> samplers(scene.panels.size(), HeatmapSampler(HeatmapSampler::Patience::wait));
    drawMaps(painter, target, scene, layoutMaps(scene, target, pixelsPerUnit(painter), false), samplers);
  };
  return kind;
}

}  // namespace posiscope::ui
