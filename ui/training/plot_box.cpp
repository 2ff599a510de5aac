// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/plot_box.h"

#include "ui/charts/plot_painter.h"
#include "ui/charts/readout.h"
#include "ui/charts/samples.h"
#include "ui/controls/theme.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QImage>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QSvgGenerator>

namespace posiscope::ui {
namespace {

constexpr int title_height = 28;
constexpr int margin = 8;

}  // namespace

PlotBox::PlotBox(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  plot_.blank = false;
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
  const QRectF head(12, 2, width() - 24, title_height);
  painter.drawText(head, Qt::AlignLeft | Qt::AlignVCenter,
                   QFontMetricsF(painter.font()).elidedText(title_, Qt::ElideRight, head.width()));
  painter.translate(margin, title_height);
  const QSizeF size(width() - 2 * margin, height() - title_height - margin);
  if (!drawable()) return paintCentred(painter, plot_, size, style);
  layout_ = layoutPlot(plot_, plot_.x.scale, plot_.y.scale, size, style);
  if (!layout_.plot.isEmpty()) frame_.setLook(layout_.frame, style);
  paintFrame(painter, layout_, frame_, style);
  paintCurves(painter, plot_, layout_, isolated_, style);
  if (with_reading && x_) paintReadout(painter, plot_, layout_, readAt(plot_, *x_, isolated_), read_here_, style);
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
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addAction(tr("Copy as image"), this, &PlotBox::copyImage);
  menu->addAction(tr("Save the figure…"), this, &PlotBox::saveFigure);
  menu->popup(event->globalPos());
}

void PlotBox::copyImage() {
  constexpr double scale = 2;
  QImage image((QSizeF(size()) * scale).toSize(), QImage::Format_ARGB32);
  image.setDevicePixelRatio(scale);
  image.fill(currentStyle().panel);
  QPainter painter(&image);
  draw(painter, false);
  painter.end();
  QGuiApplication::clipboard()->setImage(image);
}

void PlotBox::saveFigure() {
  auto* dialog = new QFileDialog(window(), tr("Save the figure"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setNameFilters({tr("Vectors (*.svg)")});
  dialog->setDefaultSuffix(QStringLiteral("svg"));
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
    QSvgGenerator generator;
    generator.setFileName(path);
    generator.setSize(size());
    generator.setViewBox(rect());
    QPainter painter(&generator);
    draw(painter, false);
  });
  dialog->open();
}

}  // namespace posiscope::ui

#include "moc_plot_box.cpp"
