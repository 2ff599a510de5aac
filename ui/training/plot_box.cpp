// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/plot_box.h"

#include "ui/charts/plot_painter.h"
#include "ui/charts/samples.h"
#include "ui/controls/flat_button.h"
#include "ui/controls/theme.h"
#include "ui/training/plot_export.h"

#include <algorithm>
#include <QContextMenuEvent>
#include <QFontMetricsF>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <utility>

namespace posiscope::ui {
namespace {

constexpr int title_height = 28;
constexpr int margin = 8;
constexpr int button_margin = 6;
constexpr std::size_t readable_lines = 12;  ///< eight encodings and the scalings of a rotation

}  // namespace

PlotBox::PlotBox(QWidget* parent) : QWidget(parent), menu_(new FlatButton(this)) {
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  plot_.blank = false;
  menu_->setIconName(QStringLiteral("export"));
  menu_->setCompact(true);
  menu_->setNames(tr("Export"));
  menu_->setEnabled(false);
  connect(menu_, &QAbstractButton::clicked, this, [this] { openMenu(menu_->mapToGlobal(QPoint(0, menu_->height()))); });
}

void PlotBox::resizeEvent(QResizeEvent*) {
  const QSize size = menu_->sizeHint();
  menu_->setGeometry(width() - size.width() - button_margin, (title_height - size.height()) / 2 + 2, size.width(),
                     size.height());
}

void PlotBox::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) menu_->setNames(tr("Export"));
  QWidget::changeEvent(event);
}

void PlotBox::setTitle(const QString& title) {
  title_ = title;
  setAccessibleName(title);
  update();
}

void PlotBox::setPlot(Plot plot) {
  plot_ = std::move(plot);
  if (isolated_ >= static_cast<int>(plot_.groups.size())) isolated_ = -1;
  QStringList names;
  for (const PlotGroup& group : plot_.groups) names << group.name;
  menu_->setEnabled(drawable());
  setAccessibleDescription(drawable() ? names.join(QStringLiteral("; ")) : plot_.centred);
  update();
}

void PlotBox::setReading(std::optional<double> x) {
  if (x == x_ && !read_here_) return;
  x_ = x;
  read_here_ = false;
  update();
}

void PlotBox::draw(QPainter& painter, bool with_reading) {
  const Style& style = currentStyle();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(style.line, 1));
  painter.setBrush(style.panel);
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
  painter.setFont(style.font(13, true));
  painter.setPen(style.ink);
  const QRectF head(12, 2, menu_->x() - 16, title_height);
  painter.drawText(head, Qt::AlignLeft | Qt::AlignVCenter,
                   QFontMetricsF(painter.font()).elidedText(title_, Qt::ElideRight, head.width()));
  painter.translate(margin, title_height);
  const QSizeF size(width() - 2 * margin, height() - title_height - margin);
  if (!drawable()) return paintCentred(painter, plot_, size, style);
  layout_ = layoutPlot(plot_, plot_.x.scale, plot_.y.scale, size, style);
  if (!measured_.empty() && !layout_.plot.isEmpty()) labelMeasured();
  if (!layout_.plot.isEmpty()) frame_.setLook(layout_.frame, style);
  paintFrame(painter, layout_, frame_, style);
  paintCurves(painter, plot_, layout_, isolated_, style);
  if (!measured_.empty()) dotMeasured(painter);
  if (with_reading && x_) paintReadout(painter, plot_, layout_, readable(*x_), read_here_, style);
}

QPoint PlotBox::plotCorner() { return {margin, title_height}; }

/// No more lines than fit: the box of values begins below the upper end of the plot and may not leave the picture,
/// where it would be cut.
Readout PlotBox::readable(double x) const {
  constexpr double line_height = 16, around_lines = 18;  // of the box, and from its edges to plot and picture
  const double room = layout_.size.height() - layout_.plot.top() - around_lines;
  const auto lines = static_cast<std::size_t>(std::max(3.0, room / line_height)) - 1;  // the first tells the place
  Readout readout = readAt(plot_, x, isolated_, std::min(lines, readable_lines));
  if (readout.more > 0 && lines <= readable_lines) readout = readAt(plot_, x, isolated_, lines - 1);
  return readout;
}

void PlotBox::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  draw(painter, true);
}

void PlotBox::read(std::optional<double> x) {
  if (x == x_ && read_here_ == x.has_value()) return;
  x_ = x;
  read_here_ = x.has_value();
  update();
  emit readingChanged(x);
}

void PlotBox::mouseMoveEvent(QMouseEvent* event) {
  if (!drawable() || layout_.plot.isEmpty()) return;
  const QPointF at = event->position() - QPointF(margin, title_height);
  setCursor(layout_.legend.groupAt(at) >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
  if (!layout_.plot.contains(at)) return read(std::nullopt);
  const double x = plot_.x.scale.value((at.x() - layout_.plot.left()) / layout_.plot.width());
  const Curve* longest = nullptr;
  for (const PlotSeries& series : plot_.series)
    if (!longest || series.curve->x.size() > longest->x.size()) longest = series.curve.get();
  const std::ptrdiff_t sample = longest ? nearestSample(*longest, x) : -1;
  read(sample < 0 ? std::nullopt : std::optional(longest->x[static_cast<std::size_t>(sample)]));
}

void PlotBox::mousePressEvent(QMouseEvent* event) {
  if (!drawable() || event->button() != Qt::LeftButton) return;
  const int group = layout_.legend.groupAt(event->position() - QPointF(margin, title_height));
  if (group < 0 && isolated_ < 0) return;
  isolated_ = group == isolated_ ? -1 : group;
  update();
}

void PlotBox::leaveEvent(QEvent*) { read(std::nullopt); }

void PlotBox::contextMenuEvent(QContextMenuEvent* event) {
  if (drawable()) openMenu(event->globalPos());
}

void PlotBox::openMenu(const QPoint& corner) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  addExportsTo(menu);
  menu->popup(corner);
}

void PlotBox::addExportsTo(QMenu* menu) {
  addExports(menu, menu_, [this] { return figure(); });
}

FigureToExport PlotBox::figure() {
  return {title_, size(), [this](QPainter& painter) { draw(painter, false); }, [this] { return plotCsv(plot_); }};
}

void PlotBox::exportTo(const QString& path) {
  if (const Outcome ok = exportFigure(figure(), path); !ok)
    QToolTip::showText(menu_->mapToGlobal(QPoint(0, menu_->height())), currentStyle().text(ok.error().message), menu_);
}

void PlotBox::setMeasured(const std::vector<double>& abscissas) {
  measured_ = abscissas;
  update();
}

/// A tick at each place that was measured, as far as their labels have room.
void PlotBox::labelMeasured() {
  const QFontMetricsF metrics(currentStyle().font(11));
  Ticks ticks;
  double free_from = -layout_.plot.left();
  for (const double x : measured_) {
    const QString label = numberText(x);
    const double half = metrics.horizontalAdvance(label) / 2 + 4;
    const double at = layout_.frame.x.share(x) * layout_.plot.width();
    if (!(at >= 0 && at <= layout_.plot.width() + 1) || at - half < free_from) continue;
    ticks.values.push_back(x);
    ticks.labels.push_back(label);
    free_from = at + half;
  }
  if (!ticks.values.empty()) layout_.frame.x_ticks = std::move(ticks);
}

void PlotBox::dotMeasured(QPainter& painter) const {
  painter.setPen(Qt::NoPen);
  for (const PlotSeries& series : plot_.series) {
    if (isolated_ >= 0 && !series.isIn(isolated_)) continue;
    painter.setBrush(series.colour);
    for (std::size_t i = 0; i < series.curve->x.size(); ++i) {
      const double x = layout_.frame.x.share(series.curve->x[i]), y = layout_.frame.y.share(series.curve->y[i]);
      if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1)) continue;
      painter.drawEllipse(
          QPointF(layout_.plot.left() + x * layout_.plot.width(), layout_.plot.bottom() - y * layout_.plot.height()), 3,
          3);
    }
  }
}

}  // namespace posiscope::ui

#include "moc_plot_box.cpp"
