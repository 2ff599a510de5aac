// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot_painter.h"

#include "ui/charts/blend.h"
#include "ui/charts/marks.h"
#include "ui/charts/strokes.h"
#include "ui/paint/notice.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <QFontMetricsF>
#include <QPaintEngine>
#include <QPainter>

namespace posiscope::ui {
namespace {

struct Drawn {
  const PlotSeries* series;
  Strokes strokes;
  QColor colour;
};

std::vector<Drawn> reduce(const Plot& plot, const PlotLayout& layout, int isolated, const Style& style) {
  std::vector<Drawn> drawn;
  for (const PlotSeries& series : plot.series) {
    const bool faint = isolated >= 0 && series.group >= 0 && !series.isIn(isolated);
    drawn.push_back({&series,
                     makeStrokes(series.curve->x, series.curve->y, layout.frame.x,
                                 series.right ? layout.frame.right : layout.frame.y, layout.plot),
                     faint ? blend(series.colour, style.panel, 0.15) : series.colour});
  }
  if (isolated >= 0)  // what stands out is drawn last
    std::ranges::stable_sort(drawn, {}, [&](const Drawn& d) { return d.series->isIn(isolated); });
  return drawn;
}

void paintBands(QPainter& painter, const Plot& plot, const PlotLayout& layout, int isolated,
                const std::vector<Drawn>& drawn) {
  painter.setPen(Qt::NoPen);
  const auto fill = [&](QColor colour, float share) {
    colour.setAlphaF(share);
    painter.setBrush(colour);
  };
  for (const PlotBand& band : plot.bands) {
    if (isolated >= 0 && band.group != isolated) continue;
    fill(band.colour, 0.15F);
    painter.drawPolygon(makeBand(band.low->x, band.low->y, band.high->y, layout.frame.x,
                                 band.right ? layout.frame.right : layout.frame.y, layout.plot));
  }
  const auto has_envelope = [](const Drawn& d) { return !d.strokes.bands.empty(); };
  const double share = envelopeShare(std::ranges::count_if(drawn, has_envelope));
  for (const Drawn& d : drawn) {
    fill(d.colour, static_cast<float>(d.series->group < 0 ? share / 2 : share));
    for (const QPolygonF& band : d.strokes.bands) painter.drawPolygon(band);
  }
}

void paintDots(QPainter& painter, const Drawn& d) {
  painter.setPen(Qt::NoPen);
  painter.setBrush(d.colour);
  for (const QPointF& dot : d.strokes.dots) painter.drawEllipse(dot, 1 + d.series->width, 1 + d.series->width);
}

// One line or a few; what does not fit is shortened, before `end`.
void paintText(QPainter& painter, const QRectF& box, const QString& text, const QString& end) {
  const QFontMetricsF metrics(painter.font());
  const int lines = std::max(1, static_cast<int>(box.height() / metrics.height()));
  // Wrapping at words wastes up to a word at the end of each line but the last.
  const double room = lines * box.width() - (lines - 1) * 70 - metrics.horizontalAdvance(end);
  painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter | (lines > 1 ? Qt::TextWordWrap : 0),
                   metrics.elidedText(text, Qt::ElideRight, room) + end);
}

void paintNotices(QPainter& painter, const Plot& plot, const PlotLayout& layout, const Style& style) {
  painter.setFont(style.font(11));
  const std::size_t hidden = plot.notices.size() - layout.notices.size();
  for (std::size_t k = 0; k < layout.notices.size(); ++k) {
    const PlotNotice& notice = plot.notices[k];
    QRectF box = layout.notices[k];
    const bool note = notice.kind == PlotNotice::Kind::note;
    painter.setPen(Qt::NoPen);
    if (notice.kind == PlotNotice::Kind::error) {
      painter.setBrush(blend(style.warn, style.panel, style.dark ? 0.18 : 0.1));
      painter.drawRoundedRect(box, 6, 6);
    }
    if (!note) {
      painter.setBrush(style.warn);
      painter.drawEllipse(QPointF(box.left() + notice_indent / 2, box.center().y()), 3.5, 3.5);
      box.setLeft(box.left() + notice_indent);
    }
    box.setRight(box.right() - 6);
    painter.setPen(note ? style.mute : style.ink);
    const bool last = hidden > 0 && k + 1 == layout.notices.size();
    const QString more = last ? style.text({" · %1 more", " · 还有 %1 条"}).arg(hidden) : QString();
    paintText(painter, box, notice.text, more);
  }
}

}  // namespace

// On a raster device `drawPolyline` with antialiasing and a pen wider than 1 is 15 times slower than `drawLines`
// (11 against 0.64 ms per 1000 points), and a pen's dashes would start anew in each segment: so there the dashes are
// cut by us. A vector file wants whole polylines.
void paintLine(QPainter& painter, const QPolygonF& line, QPen pen, const QList<qreal>& dashes) {
  if (painter.paintEngine()->type() == QPaintEngine::Raster) {
    // Square caps close the seams between segments that end inside a pixel; they lengthen a dash by the pen's width.
    pen.setCapStyle(Qt::SquareCap);
    painter.setPen(pen);
    QList<qreal> pattern = dashes;
    for (qsizetype k = 0; k < pattern.size(); ++k)
      pattern[k] = std::max(0.1, pattern[k] + (k % 2 == 0 ? -pen.widthF() : pen.widthF()));
    painter.drawLines(dashed(line, pattern));
    return;
  }
  if (!dashes.isEmpty()) {
    QList<qreal> pattern;
    for (const qreal length : dashes) pattern << length / pen.widthF();  // a pen's pattern counts in its width
    pen.setDashPattern(pattern);
  }
  pen.setJoinStyle(Qt::RoundJoin);
  painter.setPen(pen);
  painter.setBrush(Qt::NoBrush);
  painter.drawPolyline(line);
}

double envelopeShare(std::ptrdiff_t envelopes) {
  // Six bands over each other must still let the grid and the means through.
  constexpr double one = 0.25, together = 0.4;
  return envelopes < 2 ? one : std::min(one, 1 - std::pow(1 - together, 1.0 / static_cast<double>(envelopes)));
}

void paintFrame(QPainter& painter, const PlotLayout& layout, ChartFrame& frame, const Style& style) {
  painter.fillRect(QRectF(QPointF(0, 0), layout.size), style.panel);
  if (layout.plot.isEmpty()) return;
  painter.setRenderHint(QPainter::Antialiasing);
  frame.render(painter, {0, 0});
}

void paintCurves(QPainter& painter, const Plot& plot, const PlotLayout& layout, int isolated, const Style& style) {
  painter.setRenderHint(QPainter::Antialiasing);
  if (!layout.plot.isEmpty()) {
    paintMarkBands(painter, plot, layout, style);
    const std::vector<Drawn> drawn = reduce(plot, layout, isolated, style);
    paintBands(painter, plot, layout, isolated, drawn);
    for (const Drawn& d : drawn) {
      for (const QPolygonF& line : d.strokes.lines)
        paintLine(painter, line, QPen(d.colour, d.series->width, Qt::SolidLine, Qt::FlatCap), d.series->dashes);
      paintDots(painter, d);
    }
    std::vector<QPolygonF> curves;
    for (const Drawn& d : drawn) curves.insert(curves.end(), d.strokes.lines.begin(), d.strokes.lines.end());
    paintMarkLines(painter, plot, layout, curves, style);
  }
  paintLegend(painter, layout.legend, plot.groups, isolated, style);
  paintNotices(painter, plot, layout, style);
}

void paintCentred(QPainter& painter, const Plot& plot, QSizeF size, const Style& style) {
  const QRectF area(QPointF(0, 0), size);
  painter.fillRect(area, style.panel);
  if (size.width() > 48 && size.height() > 24) drawSentence(painter, area, plot.centred, style);
}

void paintPlot(QPainter& painter, const QRectF& target, const Plot& plot, const Scale& x, const Scale& y,
               const Style& style, bool stale) {
  if (target.isEmpty()) return;
  painter.save();
  painter.translate(target.topLeft());
  if (plot.blank || !plot.centred.isEmpty()) {
    paintCentred(painter, plot, target.size(), style);
  } else {
    const PlotLayout layout = layoutPlot(plot, x, y, target.size(), style, NoticeRoom::whole);
    ChartFrame frame;
    if (!layout.plot.isEmpty()) frame.setLook(layout.frame, style);
    paintFrame(painter, layout, frame, style);
    paintCurves(painter, plot, layout, -1, style);
  }
  if (stale && plot.centred.isEmpty()) drawStaleVeil(painter, QRectF(QPointF(0, 0), target.size()), style);
  painter.restore();
}

}  // namespace posiscope::ui
