// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/attention_maps.h"

#include "ui/controls/theme.h"
#include "ui/paint/colour_bar.h"

#include <algorithm>
#include <cmath>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

namespace posiscope::ui {
namespace {

constexpr double head = 50;                  ///< three lines above each map
constexpr double side_axis = 30, foot = 30;  ///< beside and below it
constexpr double gap = 12;
constexpr double bar_width = 64;

FieldWindow whole(const Field& field) {
  return {0, 0, static_cast<double>(field.rows()), static_cast<double>(field.cols())};
}

}  // namespace

AttentionMaps::AttentionMaps(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void AttentionMaps::setPanels(std::vector<AttentionPanel> panels) {
  panels_ = std::move(panels);
  samplers_.resize(panels_.size());
  for (auto& sampler : samplers_)
    if (!sampler) sampler = std::make_unique<HeatmapSampler>();
  update();
}

QRectF AttentionMaps::mapOf(std::size_t panel) const {
  // As many columns as make the squares largest.
  const double wide = width() - bar_width;
  const auto count = static_cast<int>(panels_.size());
  double side = 0;
  int columns = 1;
  for (int c = 1; c <= count; ++c) {
    const int rows = (count + c - 1) / c;
    const double s =
        std::min((wide - (c - 1) * gap) / c - side_axis, (height() - (rows - 1) * gap) / rows - head - foot);
    if (s > side) side = s, columns = c;
  }
  const auto p = static_cast<int>(panel);
  return {(p % columns) * (side + side_axis + gap) + side_axis, (p / columns) * (side + head + foot + gap) + head,
          std::floor(side), std::floor(side)};
}

bool AttentionMaps::drawable() const {
  return std::ranges::any_of(panels_, [](const AttentionPanel& panel) { return panel.weights != nullptr; });
}

void AttentionMaps::drawPanel(QPainter& painter, std::size_t p) {
  const Style& style = currentStyle();
  const AttentionPanel& panel = panels_[p];
  const QRectF map = mapOf(p);
  if (map.width() < 8) return;
  HeatmapLook look;
  look.map = &colourMap("auto", MapKind::sequential);
  look.scale = {ValueScale::Kind::linear, 0, 1};
  look.mask_colour = style.grid.rgb();
  look.missing_colour = style.missing.rgb();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(panel.colour);
  painter.drawRoundedRect(QRectF(map.left(), map.top() - head + 3, 10, 10), 3, 3);
  painter.setFont(style.font(11, true));
  painter.setPen(style.ink);
  const QRectF name(map.left() + 16, map.top() - head, map.width() - 16, 16);
  painter.drawText(name, Qt::AlignLeft | Qt::AlignVCenter,
                   QFontMetricsF(painter.font()).elidedText(panel.name, Qt::ElideRight, name.width()));
  painter.setFont(style.font(11));
  painter.setPen(style.mute);
  painter.drawText(QRectF(map.left(), map.top() - head + 16, map.width(), head - 18),
                   Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, panel.facts);
  painter.setRenderHint(QPainter::Antialiasing, false);
  if (!panel.weights) return painter.fillRect(map, style.grid);
  drawHeatmap(painter, map, panel.weights, whole(*panel.weights), look, *samplers_[p]);
  drawAxes(painter, map, *panel.weights);
}

/// The first and the last index, and what they count.
void AttentionMaps::drawAxes(QPainter& painter, const QRectF& map, const Field& weights) {
  constexpr double least = 72, row = 14;
  if (map.width() < least) return;
  const Style& style = currentStyle();
  painter.setFont(style.font(11));
  painter.setPen(style.mute);
  const QRectF below(map.left(), map.bottom() + 2, map.width(), row);
  painter.drawText(below, Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("0"));
  painter.drawText(below, Qt::AlignRight | Qt::AlignVCenter, numberText(static_cast<double>(weights.cols() - 1)));
  painter.drawText(below, Qt::AlignHCenter | Qt::AlignVCenter, tr("key j"));
  // Written upwards: x runs from the lower end of the map to its upper one.
  painter.save();
  painter.translate(map.left() - row - 2, map.bottom());
  painter.rotate(-90);
  const QRectF beside(0, 0, map.height(), row);
  painter.drawText(beside, Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("0"));
  painter.drawText(beside, Qt::AlignLeft | Qt::AlignVCenter, numberText(static_cast<double>(weights.rows() - 1)));
  painter.drawText(beside, Qt::AlignHCenter | Qt::AlignVCenter, tr("query i"));
  painter.restore();
}

void AttentionMaps::draw(QPainter& painter) {
  for (std::size_t p = 0; p < panels_.size(); ++p) drawPanel(painter, p);
  if (!drawable()) return;
  double right = 0;
  for (std::size_t p = 0; p < panels_.size(); ++p) right = std::max(right, mapOf(p).right());
  const QRectF bar(right + gap, head, bar_width - gap, std::min(180.0, mapOf(0).height()));
  drawColourBar(painter, bar, colourMap("auto", MapKind::sequential), {ValueScale::Kind::linear, 0, 1}, {},
                currentStyle());
}

/// Beside the pointer, inside the page.
void AttentionMaps::drawReading(QPainter& painter) {
  const QString text = pointer_ ? reading(*pointer_) : QString();
  if (text.isEmpty()) return;
  constexpr double tall = 22, inset = 8, off = 14;
  const Style& style = currentStyle();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(style.font(11));
  QRectF box(*pointer_ + QPointF(off, off),
             QSizeF(QFontMetricsF(painter.font()).horizontalAdvance(text) + 2 * inset, tall));
  if (box.right() > width() - 2) box.moveRight(pointer_->x() - off);
  if (box.bottom() > height() - 2) box.moveBottom(pointer_->y() - off);
  painter.setPen(QPen(style.line, 1));
  painter.setBrush(style.panel);
  painter.drawRoundedRect(box, 4, 4);
  painter.setPen(style.ink);
  painter.drawText(box, Qt::AlignCenter, text);
}

void AttentionMaps::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  draw(painter);
  drawReading(painter);
}

std::string AttentionMaps::csv() const {
  std::string table = "curve,query,key,weight\n";
  for (const AttentionPanel& panel : panels_) {
    if (!panel.weights) continue;
    for (std::int64_t i = 0; i < panel.weights->rows(); ++i)
      for (std::int64_t j = 0; j < panel.weights->cols(); ++j)
        table += join(csvCell(panel.name), ",", i, ",", j, ",", static_cast<double>(panel.weights->at(i, j)), "\n");
  }
  return table;
}

FigureToExport AttentionMaps::figure() {
  return {accessibleName(), size(), [this](QPainter& painter) { draw(painter); }, [this] { return csv(); }};
}

QString AttentionMaps::reading(const QPointF& at) const {
  for (std::size_t p = 0; p < panels_.size(); ++p) {
    const QRectF map = mapOf(p);
    if (!panels_[p].weights || !map.contains(at)) continue;
    const Field& field = *panels_[p].weights;
    const auto cell = [](double share, std::int64_t count) {
      return std::clamp<std::int64_t>(static_cast<std::int64_t>(share * static_cast<double>(count)), 0, count - 1);
    };
    const std::int64_t i = cell((at.y() - map.top()) / map.height(), field.rows());
    const std::int64_t j = cell((at.x() - map.left()) / map.width(), field.cols());
    return QStringLiteral("%1: i = %2, j = %3, a = %4")
        .arg(panels_[p].name, numberText(static_cast<double>(i)), numberText(static_cast<double>(j)),
             numberText(static_cast<double>(field.at(i, j)), 3));
  }
  return {};
}

bool AttentionMaps::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  for (std::size_t p = 0; p < panels_.size(); ++p) {
    const QRectF map = mapOf(p);
    const QRectF words(map.left(), map.top() - head, map.width(), head);
    if (panels_[p].facts.isEmpty() || !words.contains(help->pos())) continue;
    QToolTip::showText(help->globalPos(),
                       panels_[p].facts + QLatin1Char('\n') +
                           tr("What this head mostly does; previous: the mean weight it gives to the token before; "
                              "induction: to what followed the same token last time."),
                       this);
    return true;
  }
  QToolTip::hideText();
  event->ignore();
  return true;
}

void AttentionMaps::mouseMoveEvent(QMouseEvent* event) {
  pointer_ = event->position();
  update();
}

void AttentionMaps::leaveEvent(QEvent*) {
  pointer_.reset();
  update();
}

}  // namespace posiscope::ui

#include "moc_attention_maps.cpp"
