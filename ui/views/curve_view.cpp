// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/curve_view.h"

#include "ui/charts/plot_painter.h"
#include "ui/charts/samples.h"
#include "ui/paint/notice.h"
#include "ui/state/selection.h"
#include "ui/views/curve_options.h"
#include "ui/views/scheme_text.h"

#include <algorithm>
#include <cmath>
#include <QPainter>

namespace posiscope::ui {
namespace {

/// The query that all curves belong to, where they belong to one.
std::optional<double> queryOf(const ViewContext& context) {
  for (const Answer& answer : context.answers())
    if (answer.dataset && std::isfinite((*answer.dataset)->query)) return (*answer.dataset)->query;
  return std::nullopt;
}

constexpr double smallest_share = 1e-6;

bool samePlot(const ViewContext& a, const ViewContext& b) {
  return a.result == b.result && a.stopped == b.stopped && a.pinned == b.pinned && a.measure == b.measure && a.tile.options == b.tile.options &&
         a.style.dark == b.style.dark && a.style.language == b.style.language &&
         anyVisible(a.experiment) == anyVisible(b.experiment) &&
         a.experiment.schemes.empty() == b.experiment.schemes.empty();
}

/// The scale between two shares of another, logarithmic or not.
Scale part(const Scale& whole, double from, double to) {
  return {whole.value(from), whole.value(to), whole.logarithmic};
}

bool usable(const Scale& scale) {
  return scale.low < scale.high && std::isfinite(scale.low) && std::isfinite(scale.high) &&
         (!scale.logarithmic || scale.low > 0);
}

/// The curve whose samples the pointer and the keys go along: the first of those that reach furthest, for one of eight
/// pairs knows nothing of the pairs behind them.
const PlotSeries* widestInFront(const Plot& plot, int isolated) {
  const PlotSeries* widest = nullptr;
  const auto reach = [](const PlotSeries& series) { return series.curve->x.back() - series.curve->x.front(); };
  for (const PlotSeries& series : plot.series) {
    if (series.group < 0 || (isolated >= 0 && !series.isIn(isolated)) || series.curve->x.empty()) continue;
    if (!widest || reach(series) > reach(*widest)) widest = &series;
  }
  return widest;
}

std::optional<Range> selectedX(const Plot& plot, const ViewContext& context) {
  return selectedOn(context.presentation.selection, plot.x.axis.symbol, {plot.x.scale.low, plot.x.scale.high});
}

/// The tile's own zoom, else what is selected, else all.
Scale zoomedX(const Plot& plot, const ViewContext& context) {
  Scale asked = plot.x.scale;
  if (const std::optional<Zoom> zoom = context.zoomOf({plot.x.axis.symbol}))
    asked = {zoom->x0, zoom->x1, asked.logarithmic};
  else if (const std::optional<Range> range = selectedX(plot, context))
    asked = {range->low, range->high, asked.logarithmic};
  return usable(asked) ? asked : plot.x.scale;
}

Scale zoomedY(const Plot& plot, const ViewContext& context) {
  const std::optional<Zoom> zoom = context.zoomOf({plot.x.axis.symbol});
  const Scale asked = zoom ? Scale{zoom->y0, zoom->y1, plot.y.scale.logarithmic} : plot.y.scale;
  return usable(asked) ? asked : plot.y.scale;
}

}  // namespace

ViewKind curveViewKind(std::vector<ParamSpec> options, CurveKind kind) {
  ViewKind view;
  view.id = kind.id;
  view.measure = kind.id;
  view.title = kind.title;
  view.options = curveOptions(kind.id, std::move(options));
  view.shows_pinned = true;
  view.request = [id = kind.id](const TileState& tile, const Presentation&, const Experiment&) {
    return curveRequest(id, tile);
  };
  view.create = [kind](QWidget* parent) -> View* { return new CurveView(kind, parent); };
  view.draw = [kind](QPainter& painter, const QRectF& target, const ViewContext& context) {
    const Plot plot = kind.plot(context);
    paintPlot(painter, target, plot, zoomedX(plot, context), zoomedY(plot, context), context.style, context.stale());
  };
  return view;
}

CurveView::CurveView(CurveKind kind, QWidget* parent) : PictureView(parent), kind_(std::move(kind)) {}

void CurveView::contextChanged() {
  arranged_ = false;
  if (samePlot(context(), shown_)) return;
  shown_ = context();
  plot_ = kind_.plot(shown_);
  if (isolated_ >= static_cast<int>(plot_.groups.size())) isolated_ = -1;
  describe();
}

void CurveView::describe() {
  setAccessibleName(context().style.text(kind_.title));
  QStringList parts;
  if (!plot_.centred.isEmpty()) parts << plot_.centred;
  if (drawable()) {
    for (const PlotGroup& group : plot_.groups) parts << group.name;
    parts << tr("%1 from %2 to %3").arg(plot_.x.title, numberText(plot_.x.scale.low), numberText(plot_.x.scale.high));
    parts << tr("%1 from %2 to %3").arg(plot_.y.title, numberText(plot_.y.scale.low), numberText(plot_.y.scale.high));
  }
  for (const PlotNotice& notice : plot_.notices) parts << notice.text;
  setAccessibleDescription(parts.join(QStringLiteral("; ")));
}

CurveKind::Abscissa CurveView::abscissa() const {
  const std::string& symbol = plot_.x.axis.symbol;
  if (symbol == "n") return CurveKind::Abscissa::offset;
  if (symbol == "i") return CurveKind::Abscissa::position;
  if (symbol == "j") return CurveKind::Abscissa::key;
  return symbol == "p" ? CurveKind::Abscissa::pair : kind_.abscissa;
}

std::optional<double> CurveView::reading() const {
  switch (abscissa()) {
    case CurveKind::Abscissa::offset:
      if (hover().offset) return hover().offset;
      if (hover().i && hover().j) return *hover().i - *hover().j;
      return std::nullopt;
    case CurveKind::Abscissa::position: return hover().i;
    case CurveKind::Abscissa::pair: return hover().pair;
    case CurveKind::Abscissa::key: return hover().j;
  }
  return std::nullopt;
}

void CurveView::setHover(const Hover& hover) {
  read_here_ = hover.view == kind_.id;
  PictureView::setHover(hover);
}

Scale CurveView::visibleX() const { return zoomedX(plot_, context()); }
Scale CurveView::visibleY() const { return zoomedY(plot_, context()); }
bool CurveView::isZoomed() const { return visibleX() != plot_.x.scale || visibleY() != plot_.y.scale; }

std::vector<std::string> CurveView::axes() const {
  if (!drawable() || plot_.x.axis.symbol.empty()) return {};
  return {plot_.x.axis.symbol};
}

void CurveView::setVisible(const Scale& x, const Scale& y) {
  if (!usable(x) || !usable(y)) return;
  std::optional<Zoom> zoom;
  // All of it is a zoom of its own where a selection would show a part.
  if (x != plot_.x.scale || y != plot_.y.scale || selectedX(plot_, context()))
    zoom = Zoom{x.low, x.high, y.low, y.high};
  if (zoom == context().tile.zoom) return;
  keepZoom(zoom);
  changePicture();
  emit zoomed(zoom);
}

void CurveView::zoomBy(double factor, QPointF anchor, bool vertical) {
  if (!drawable() || arranged().plot.isEmpty()) return;
  const QRectF& area = layout_.plot;
  const Scale x = visibleX(), y = visibleY();
  if (vertical) {
    const double at = std::clamp((area.bottom() - anchor.y()) / area.height(), 0.0, 1.0);
    setVisible(x, part(y, at - at * factor, at + (1 - at) * factor));
    return;
  }
  // Out to the data's ends and not beyond; in as far as numbers can be told apart.
  const double at = std::clamp((anchor.x() - area.left()) / area.width(), 0.0, 1.0);
  const Scale& whole = plot_.x.scale;
  const double from = std::max(whole.share(x.value(at - at * factor)), 0.0);
  const double to = std::min(whole.share(x.value(at + (1 - at) * factor)), 1.0);
  if (!(to - from > smallest_share)) return;
  setVisible(from <= 1e-9 && to >= 1 - 1e-9 ? whole : part(whole, from, to), y);
}

void CurveView::panBy(double x_share, double y_share) {
  if (!drawable()) return;
  const Scale x = visibleX(), y = visibleY();
  const Scale& whole = plot_.x.scale;
  const double from = whole.share(x.low), to = whole.share(x.high);
  const double least = std::min(0.0, -from), most = std::max(0.0, 1 - to);
  const double shift = std::clamp(x_share * (to - from), least, most);
  setVisible(shift == 0 ? x : part(whole, from + shift, to + shift), y_share == 0 ? y : part(y, y_share, 1 + y_share));
}

void CurveView::select(double from, double to) {
  if (!drawable()) return;
  const Axis& axis = plot_.x.axis;
  emit selected({{axis.symbol, wholeSteps(axis, {std::min(from, to), std::max(from, to)})}});
}

void CurveView::isolate(int group) {
  isolated_ = group == isolated_ ? -1 : group;
  changePicture();
}

void CurveView::read(double x) {
  Hover hover;
  switch (abscissa()) {
    case CurveKind::Abscissa::offset: hover.offset = x; break;
    case CurveKind::Abscissa::position: hover.i = x; break;
    case CurveKind::Abscissa::pair: hover.pair = x; break;
    case CurveKind::Abscissa::key: hover.j = x; break;
  }
  if (const std::optional<double> query = queryOf(context()); query && hover.j) {
    hover.i = query;
    hover.offset = *query - *hover.j;
  }
  const Readout readout = readAt(plot_, x, isolated_);
  if (!readout.rows.empty()) {
    hover.value = readout.rows.front().value;
    hover.scheme = readout.rows.front().scheme;
  }
  hover.view = kind_.id;
  emitHover(hover);
}

void CurveView::pointAt(QPointF position) {
  const bool outside = !drawable() || !arranged().plot.contains(position);
  setCursor(layout_.legend.groupAt(position) >= 0 && drawable() ? Qt::PointingHandCursor : Qt::ArrowCursor);
  if (outside) {
    if (read_here_) emitHover({});
    return;
  }
  const PlotSeries* series = widestInFront(plot_, isolated_);
  if (!series) return;
  const double x = visibleX().value((position.x() - layout_.plot.left()) / layout_.plot.width());
  const std::ptrdiff_t at = nearestSample(*series->curve, x);
  if (at >= 0) read(series->curve->x[static_cast<std::size_t>(at)]);
}

void CurveView::readAgain() {
  const std::optional<double> x = reading();
  if (!read_here_ || !x) return;
  if (drawable())
    read(*x);
  else
    emitHover({});
}

void CurveView::stepReading(int samples) {
  const PlotSeries* series = drawable() ? widestInFront(plot_, isolated_) : nullptr;
  if (!series) return;
  const std::ptrdiff_t last = static_cast<std::ptrdiff_t>(series->curve->x.size()) - 1;
  const std::ptrdiff_t at = nearestSample(*series->curve, reading().value_or(visibleX().low));
  read(series->curve->x[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at + samples, 0, last))]);
}

void CurveView::changePicture() {
  arranged_ = false;
  invalidate();
}

const PlotLayout& CurveView::arranged() {
  if (!arranged_) layout_ = layoutPlot(plot_, visibleX(), visibleY(), QSizeF(size()), context().style);
  arranged_ = true;
  return layout_;
}

void CurveView::drawPicture(QPainter& painter) {
  const Style& style = context().style;
  if (!drawable()) {
    paintCentred(painter, plot_, QSizeF(size()), style);
    return;
  }
  const PlotLayout& layout = arranged();
  const QSize dots = (QSizeF(size()) * devicePixelRatioF()).toSize();
  const bool new_size = frame_picture_.size() != dots || frame_picture_.devicePixelRatio() != devicePixelRatioF();
  if (new_size) {
    frame_picture_ = QPixmap(dots);
    frame_picture_.setDevicePixelRatio(devicePixelRatioF());
  }
  const bool new_look = !layout.plot.isEmpty() && frame_.setLook(layout.frame, style);
  if (new_size || new_look || layout.plot.isEmpty()) {
    QPainter frame_painter(&frame_picture_);
    paintFrame(frame_painter, layout, frame_, style);
  }
  painter.drawPixmap(0, 0, frame_picture_);
  paintCurves(painter, plot_, layout, isolated_, style);
  if (context().stale() && plot_.centred.isEmpty()) drawStaleVeil(painter, rect(), style);
}

void CurveView::drawPointer(QPainter& painter) {
  const std::optional<double> x = reading();
  if (x && drawable())
    paintReadout(painter, plot_, arranged(), readAt(plot_, *x, isolated_), read_here_, context().style);
}

}  // namespace posiscope::ui
