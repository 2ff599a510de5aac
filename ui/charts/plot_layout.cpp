// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot_layout.h"

#include "ui/paint/axes.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <QFontMetricsF>
#include <utility>

namespace posiscope::ui {
namespace {

constexpr double padding = 12;
constexpr double tick_gap = 8;       // Qt Charts' own distance between label and plot
constexpr double title_height = 20;  // one line of 11 px and Qt Charts' distance around a title
constexpr double tick_height = 20;
constexpr double smallest_plot = 24;
constexpr QChar zero_width_space(0x200B);
constexpr double name_pitch = 12;        // of words below the plot; closer ones would touch
constexpr double longest_name = 72;      // longer ones are shortened
constexpr double longest_lying = 36;     // half of the last one stands beside the plot
constexpr double least_named_plot = 80;  // the curves come before the words

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

/// The words of an axis that has some.
struct NamedTicks {
  Ticks ticks;
  double height = 0;  ///< what upright ones take below the plot; 0 = they lie side by side
};

/// A tick at every index with its word, where each has the room of a line; nothing otherwise: the numbers stay.
std::optional<NamedTicks> namedTicks(const PlotAxis& axis, const Scale& scale, double width,
                                     const QFontMetricsF& metrics) {
  const double pitch = width / (scale.high - scale.low);
  if (!axis.axis.names || scale.logarithmic || pitch < name_pitch) return std::nullopt;
  NamedTicks named;
  double widest = 0;
  for (double place = std::ceil(scale.low); place <= std::floor(scale.high); ++place) {
    const QString name = metrics.elidedText(nameAt(axis.axis, place), Qt::ElideRight, longest_name);
    widest = std::max(widest, metrics.horizontalAdvance(name));
    QString label = name;
    // Qt Charts keys labels by their text, and drops the one before an empty label.
    while (label.isEmpty() || named.ticks.labels.contains(label)) label += zero_width_space;
    named.ticks.values.push_back(place);
    named.ticks.labels.push_back(label);
  }
  named.height = widest + 8 > pitch || widest > longest_lying ? std::ceil(widest) + tick_gap : 0;
  return named;
}

/// Words in place of the numbers of the abscissa, where there is room for them in both directions.
void nameTicks(PlotLayout& layout, const Plot& plot, const QFontMetricsF& metrics) {
  std::optional<NamedTicks> named = namedTicks(plot.x, layout.frame.x, layout.plot.width(), metrics);
  if (!named) return;
  const double more = std::max(0.0, named->height - tick_height);
  if (layout.plot.height() - more < least_named_plot) return;
  layout.frame.x_ticks = std::move(named->ticks);
  layout.frame.x_upright = named->height > 0;
  layout.plot.setBottom(layout.plot.bottom() - more);
}

/// A title that is too long loses what stands after its last comma ("(tokens, log)", "weight, query 3, head 0"), then
/// its remark, then its end. Qt Charts would cut what is longer than the plot.
QString fittedTitle(const QString& title, double length, const QFontMetricsF& metrics) {
  const auto fits = [&](const QString& text) { return metrics.horizontalAdvance(text) <= length; };
  if (fits(title)) return title;
  const qsizetype remark = std::max(title.lastIndexOf(QStringLiteral(" (")), title.lastIndexOf(QChar(0xFF08)));
  const qsizetype comma = std::max(title.lastIndexOf(QStringLiteral(", ")), title.lastIndexOf(QChar(0xFF0C)));
  const QString end = remark > 0 ? title.right(1) : QString();
  if (const QString first = title.left(comma) + end; comma > remark && fits(first)) return first;
  return metrics.elidedText(remark > 0 ? title.left(remark) : title, Qt::ElideRight, length);
}

/// At least two, or nobody could tell how far apart values are.
Ticks verticalTicks(const Scale& scale, double height) {
  constexpr double pitch = 36;
  constexpr int most = 8;
  int wanted = std::clamp(static_cast<int>(height / pitch), 2, most);
  Ticks ticks = makeTicks(scale, wanted, false);
  while (ticks.values.size() < 2 && wanted < most) ticks = makeTicks(scale, ++wanted, false);
  return ticks;
}

/// How far the last label reaches beyond the picture's right edge.
double overhang(const Ticks& ticks, const Scale& scale, const QRectF& plot, double edge, const QFontMetricsF& metrics) {
  if (ticks.values.empty()) return 0;
  const double end = plot.left() + scale.share(ticks.values.back()) * plot.width() +
                     metrics.horizontalAdvance(ticks.labels.back()) / 2;
  return std::max(0.0, std::ceil(end - edge));
}

// A part of the height at most: the curves are what the view is for.
void layoutNotices(PlotLayout& layout, const Plot& plot, const Style& style, NoticeRoom room) {
  if (layout.size.height() < 180 || layout.size.width() < 160) return;
  const double most = layout.size.height() * (room == NoticeRoom::whole ? 0.4 : 0.25);
  const int most_lines = room == NoticeRoom::whole ? 8 : 3;
  const double width = layout.size.width() - 2 * padding;
  double height = 0;
  for (const PlotNotice& notice : plot.notices) {
    const double needed = plotNoticeHeight(notice, width, style, most_lines);
    if (height + needed > most) break;
    layout.notices.emplace_back(padding, height, width, needed);
    height += needed + 2;
  }
  for (QRectF& box : layout.notices) box.translate(0, layout.size.height() - height - 6);
}

}  // namespace

double plotNoticeHeight(const PlotNotice& notice, double width, const Style& style, int most_lines) {
  const QFontMetricsF metrics(style.font(11));
  const double text = metrics.horizontalAdvance(notice.text);
  const double room = width - (notice.kind == PlotNotice::Kind::note ? 0 : notice_indent) - 8;
  const double lines =
      text <= room ? 1 : std::clamp(std::ceil((text + 60) / room), 2.0, static_cast<double>(most_lines));
  return lines * metrics.height() + 8;
}

PlotLayout layoutPlot(const Plot& plot, const Scale& x, const Scale& y, QSizeF size, const Style& style,
                      NoticeRoom room) {
  PlotLayout layout;
  layout.size = size;
  const QFontMetricsF metrics(style.font(11));
  const bool titles = size.width() > 200 && size.height() > 150;
  const double inner = size.width() - 2 * padding;

  layoutNotices(layout, plot, style, room);
  const double bottom = layout.notices.empty() ? size.height() - 6 : layout.notices.front().top() - 4;

  double top = 10;
  if (size.height() > 130) {
    const int rows = size.height() > 280 ? 3 : size.height() > 180 ? 2 : 1;
    layout.legend = layoutLegend(plot.groups, {padding, 6}, inner, rows, style);
    if (layout.legend.height > 0) top = 6 + layout.legend.height + 8;
  }
  const double plot_bottom = bottom - tick_height - (titles ? title_height : 0);
  layout.frame.y_ticks = verticalTicks(y, plot_bottom - top);
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
  layout.frame.x = x;
  nameTicks(layout, plot, metrics);
  layout.frame.size = QSizeF(size.width(), bottom);
  layout.frame.plot = layout.plot;
  if (titles) {
    layout.frame.x_title = metrics.elidedText(plot.x.title, Qt::ElideRight, layout.plot.width() + padding);
    layout.frame.y_title = fittedTitle(plot.y.title, layout.plot.height(), metrics);
  }
  if (titles && plot.right) layout.frame.right_title = fittedTitle(plot.right->title, layout.plot.height(), metrics);
  layout.frame.y = y;
  layout.frame.dark = style.dark;
  layout.frame.language = style.language;
  return layout;
}

}  // namespace posiscope::ui
