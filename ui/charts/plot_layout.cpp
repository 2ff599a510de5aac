// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot_layout.h"

#include <algorithm>
#include <cmath>
#include <QFontMetricsF>

namespace posiscope::ui {
namespace {

constexpr double padding = 12;
constexpr double tick_gap = 8;       // Qt Charts' own distance between label and plot
constexpr double title_height = 20;  // one line of 11 px and Qt Charts' distance around a title
constexpr double tick_height = 20;
constexpr double smallest_plot = 24;

double widestLabel(const Ticks& ticks, const QFontMetricsF& metrics) {
  double widest = 0;
  for (const QString& label : ticks.labels) widest = std::max(widest, metrics.horizontalAdvance(label));
  return widest;
}

// As many labels as fit with air between them.
Ticks horizontalTicks(const Scale& scale, bool indices, double width, const QFontMetricsF& metrics) {
  for (int wanted = std::clamp(static_cast<int>(width / 60), 2, 12); wanted > 2; --wanted) {
    const Ticks ticks = makeTicks(scale, wanted, indices);
    const double each = width / std::max<std::size_t>(1, ticks.values.size());
    if (widestLabel(ticks, metrics) + 14 < each) return ticks;
  }
  return makeTicks(scale, 2, indices);
}

/// A title that is too long loses its remark ("(log)"), then its end.
QString fittedTitle(const QString& title, double length, const QFontMetricsF& metrics) {
  if (metrics.horizontalAdvance(title) <= length) return title;
  const qsizetype remark = std::max(title.lastIndexOf(QStringLiteral(" (")), title.lastIndexOf(QChar(0xFF08)));
  return metrics.elidedText(remark > 0 ? title.left(remark) : title, Qt::ElideRight, length);
}

/// How far the last label reaches beyond the picture's right edge.
double overhang(const Ticks& ticks, const Scale& scale, const QRectF& plot, double edge, const QFontMetricsF& metrics) {
  if (ticks.values.empty()) return 0;
  const double end = plot.left() + scale.share(ticks.values.back()) * plot.width() +
                     metrics.horizontalAdvance(ticks.labels.back()) / 2;
  return std::max(0.0, std::ceil(end - edge));
}

// The lowest quarter at most: the curves are what the view is for.
void layoutNotices(PlotLayout& layout, const Plot& plot, const Style& style) {
  if (layout.size.height() < 180 || layout.size.width() < 160) return;
  const double width = layout.size.width() - 2 * padding;
  double height = 0;
  for (const PlotNotice& notice : plot.notices) {
    const double needed = plotNoticeHeight(notice, width, style);
    if (height + needed > layout.size.height() / 4) break;
    layout.notices.emplace_back(padding, height, width, needed);
    height += needed + 2;
  }
  for (QRectF& box : layout.notices) box.translate(0, layout.size.height() - height - 6);
}

}  // namespace

double plotNoticeHeight(const PlotNotice& notice, double width, const Style& style) {
  const QFontMetricsF metrics(style.font(11));
  const double text = metrics.horizontalAdvance(notice.text);
  const double room = width - (notice.kind == PlotNotice::Kind::note ? 0 : notice_indent) - 8;
  const double lines = text <= room ? 1 : std::clamp(std::ceil((text + 60) / room), 2.0, 3.0);
  return lines * metrics.height() + 8;
}

PlotLayout layoutPlot(const Plot& plot, const Scale& x, const Scale& y, QSizeF size, const Style& style) {
  PlotLayout layout;
  layout.size = size;
  const QFontMetricsF metrics(style.font(11));
  const bool titles = size.width() > 200 && size.height() > 150;
  const double inner = size.width() - 2 * padding;

  layoutNotices(layout, plot, style);
  const double bottom = layout.notices.empty() ? size.height() - 6 : layout.notices.front().top() - 4;

  double top = 10;
  if (size.height() > 130) {
    const int rows = size.height() > 280 ? 3 : size.height() > 180 ? 2 : 1;
    layout.legend = layoutLegend(plot.groups, {padding, 6}, inner, rows, style);
    if (layout.legend.height > 0) top = 6 + layout.legend.height + 8;
  }
  const double plot_bottom = bottom - tick_height - (titles ? title_height : 0);
  layout.frame.y_ticks = makeTicks(y, std::clamp(static_cast<int>((plot_bottom - top) / 36), 2, 8), false);
  const double left = 6 + (titles ? title_height : 0) + widestLabel(layout.frame.y_ticks, metrics) + tick_gap;
  double right = size.width() - padding - 6;
  if (plot.right) {
    layout.frame.has_right = true;
    layout.frame.right = rightScale(plot, y);
    layout.frame.right_ticks =
        makeTicks(layout.frame.right, static_cast<int>(layout.frame.y_ticks.values.size()), false);
    right = size.width() - 6 - (titles ? title_height : 0) - widestLabel(layout.frame.right_ticks, metrics) - tick_gap;
  }
  if (right - left < smallest_plot || plot_bottom - top < smallest_plot) return layout;

  layout.plot = QRectF(QPointF(std::ceil(left), top), QPointF(right, plot_bottom));
  layout.frame.x_ticks = horizontalTicks(x, plot.x.indices, layout.plot.width(), metrics);
  if (const double over = overhang(layout.frame.x_ticks, x, layout.plot, size.width() - 3, metrics); over > 0) {
    layout.plot.setRight(right - over);
    layout.frame.x_ticks = horizontalTicks(x, plot.x.indices, layout.plot.width(), metrics);
  }
  layout.frame.size = QSizeF(size.width(), bottom);
  layout.frame.plot = layout.plot;
  if (titles) {
    layout.frame.x_title = metrics.elidedText(plot.x.title, Qt::ElideRight, layout.plot.width() + padding);
    layout.frame.y_title = fittedTitle(plot.y.title, layout.plot.height() + tick_height, metrics);
  }
  if (titles && plot.right)
    layout.frame.right_title =
        fittedTitle(plot.right->title, layout.plot.height() + tick_height, metrics);
  layout.frame.x = x;
  layout.frame.y = y;
  layout.frame.dark = style.dark;
  layout.frame.language = style.language;
  return layout;
}

}  // namespace posiscope::ui
