// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How the bars of the kinds are painted; the layout is in kind_bars.cpp.
#include "ui/paint/kind_mark.h"
#include "ui/paint/notice.h"
#include "ui/views/kind_bars.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QStringList>

namespace posiscope::ui {
namespace {

/// "3 local", or the number alone where the segment has no room for the word.
void drawSegment(QPainter& painter, const QRectF& area, const KindSegment& segment, const Style& style) {
  const QColor colour = kindColour(segment.kind, style);
  painter.fillRect(area, colour);
  painter.setFont(style.font(area.height() < 15 ? 10 : 11));
  painter.setPen(inkOn(colour));
  const QString number = numberText(segment.heads);
  const QString whole = number + QLatin1Char(' ') + style.text(heads::kindName(segment.kind));
  const QFontMetricsF metrics(painter.font());
  if (metrics.horizontalAdvance(whole) + 6 <= area.width())
    painter.drawText(area, Qt::AlignCenter, whole);
  else if (metrics.horizontalAdvance(number) + 1 <= area.width())
    painter.drawText(area, Qt::AlignCenter, number);
}

void drawBar(QPainter& painter, const KindBars& bars, const KindBarsLayout& layout, std::size_t b) {
  const KindBar& bar = bars.bars[b];
  drawKey(painter, layout.names[b], bar.colour, bar.name, bars.style);
  for (std::size_t s = 0; s < bar.segments.size(); ++s)
    drawSegment(painter, layout.segments[b][s], bar.segments[s], bars.style);
  // Neighbours are parted by the ground, so that they are two in grey print as well.
  for (std::size_t s = 1; s < bar.segments.size(); ++s) {
    const QRectF& area = layout.segments[b][s];
    painter.fillRect(QRectF(area.left() - 1, area.top(), 2, area.height()), bars.style.panel);
  }
}

QString footText(const KindBars& bars, const KindBarsLayout& layout) {
  QStringList parts;
  if (layout.hidden > 0)
    parts << bars.style.text({"%1 more schemes with more room", "放大后还有 %1 个方案"})
                 .arg(static_cast<int>(layout.hidden));
  if (!bars.scope.isEmpty()) parts << bars.scope;
  return parts.join(QStringLiteral(" · "));
}

void drawShortened(QPainter& painter, const QRectF& area, const QString& text) {
  painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter,
                   QFontMetricsF(painter.font()).elidedText(text, Qt::ElideRight, area.width()));
}

}  // namespace

void drawKindBars(QPainter& painter, const QRectF& target, const KindBars& bars, const KindBarsLayout& layout) {
  const Style& style = bars.style;
  painter.save();
  for (std::size_t f = 0; f < bars.failures.size(); ++f)
    drawNotice(painter, layout.failures[f], bars.failures[f], style);
  if (!bars.nothing.isEmpty()) drawSentence(painter, target, bars.nothing, style);
  drawKindKey(painter, layout.key, layout.key.isEmpty() ? std::vector<heads::Kind>{} : bars.kinds, style);
  for (std::size_t b = 0; b < layout.segments.size(); ++b) drawBar(painter, bars, layout, b);
  painter.setFont(style.font(10));
  painter.setPen(style.mute);
  if (!layout.foot.isEmpty()) drawShortened(painter, layout.foot, footText(bars, layout));
  if (bars.stale) drawStaleVeil(painter, target, style);
  painter.restore();
}

void drawKindPointer(QPainter& painter, const KindBars& bars, const KindBarsLayout& layout, KindPlace place) {
  const Style& style = bars.style;
  painter.save();
  if (place.bar < layout.segments.size()) {
    painter.setPen(QPen(style.ink, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(layout.segments[place.bar][place.segment].adjusted(1, 0, -1, 0));
  }
  painter.setFont(style.font(11));
  painter.setPen(style.ink);
  if (!layout.told.isEmpty()) drawShortened(painter, layout.told, segmentText(bars, place));
  painter.restore();
}

}  // namespace posiscope::ui
