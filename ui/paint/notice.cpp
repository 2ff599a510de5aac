// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/paint/notice.h"

#include <algorithm>
#include <cmath>
#include <QFontMetricsF>
#include <QPainter>
#include <QRegularExpression>

namespace posiscope::ui {
namespace {

constexpr int flags = Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignVCenter;
constexpr int notice_pixels = 12;
constexpr double dot = 8;
constexpr double inset = 8;
constexpr double text_left = inset + dot + 8;

/// The narrowest box in which the text takes as few lines as in this one: no line is left with a single word.
QRectF balanced(const QRectF& box, const QString& text, int text_flags, const QFontMetricsF& metrics) {
  const auto needed = [&](double width) {
    return metrics.boundingRect(QRectF(0, 0, width, 4000), text_flags, text).size();
  };
  const double height = needed(box.width()).height() + 0.5;
  if (height < 1.5 * metrics.height()) return box;
  double narrow = box.width() / 2;
  double wide = box.width();
  while (wide - narrow > 4) {
    const double middle = (narrow + wide) / 2;
    const QSizeF size = needed(middle);
    (size.height() <= height && size.width() <= middle ? wide : narrow) = middle;
  }
  return {box.center().x() - wide / 2, box.top(), wide, box.height()};
}

}  // namespace

FittedSentence fitSentence(const QSizeF& room, const QString& sentence, const Style& style) {
  constexpr int centred = Qt::TextWordWrap | Qt::AlignCenter;
  const auto fits = [&](const QString& text, int pixels) {
    const QRectF needed = QFontMetricsF(style.font(pixels)).boundingRect(QRectF(QPointF(), room), centred, text);
    return needed.height() <= room.height() && needed.width() <= room.width();
  };
  constexpr int smallest = 9;
  for (int pixels = room.width() < 184 ? 11 : 13; pixels >= smallest; --pixels)
    if (fits(sentence, pixels)) return {sentence, pixels};
  // The longest start that fits.
  const auto start = [&](qsizetype letters) { return sentence.left(letters).trimmed() + QChar(0x2026); };
  qsizetype most = 0;
  for (qsizetype step = sentence.size(); step > 0; step /= 2)
    while (most + step < sentence.size() && fits(start(most + step), smallest)) most += step;
  return {most > 0 ? start(most) : QString(), smallest};
}

void drawSentence(QPainter& painter, const QRectF& area, const QString& sentence, const Style& style) {
  // Lines of more than about 60 letters are hard to read.
  const double inside = area.width() < 200 ? 8 : 16;
  const double width = std::min(area.width() - inside, 420.0);
  const QRectF box(area.center().x() - width / 2, area.top() + 2, width, area.height() - 4);
  if (box.width() <= 0 || box.height() <= 0) return;
  const FittedSentence fitted = fitSentence(box.size(), sentence, style);
  painter.setFont(style.font(fitted.pixels));
  painter.setPen(style.mute);
  constexpr int centred = Qt::TextWordWrap | Qt::AlignCenter;
  painter.drawText(balanced(box, fitted.text, centred, QFontMetricsF(painter.font())), centred, fitted.text);
}

double noticeHeight(const QString& sentence, double width, const Style& style) {
  const QFontMetricsF metrics(style.font(notice_pixels));
  const QRectF box(0, 0, std::max(40.0, width - text_left - inset), 4000);
  return std::ceil(metrics.boundingRect(box, flags, sentence).height()) + 12;
}

void drawNotice(QPainter& painter, const QRectF& area, const QString& sentence, const Style& style) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  QColor back = style.warn;
  back.setAlphaF(0.10F);
  painter.setPen(Qt::NoPen);
  painter.setBrush(back);
  painter.drawRoundedRect(area, 6, 6);
  painter.setBrush(style.warn);
  painter.drawEllipse(QRectF(area.left() + inset, area.center().y() - dot / 2, dot, dot));
  painter.setFont(style.font(notice_pixels));
  painter.setPen(style.ink);
  painter.drawText(area.adjusted(text_left, 2, -inset, -2), flags, sentence);
  painter.restore();
}

void drawStaleVeil(QPainter& painter, const QRectF& area, const Style& style) {
  QColor veil = style.panel;
  veil.setAlphaF(0.35F);
  painter.fillRect(area, veil);
}

QString shortName(const QString& name) {
  const QString dot = QStringLiteral(" · ");
  const qsizetype at = name.lastIndexOf(dot);
  return at < 0 ? name : name.mid(at + dot.size());
}

double drawKey(QPainter& painter, const QRectF& area, const QColor& colour, const QString& name, const Style& style) {
  constexpr double square = 8;
  constexpr double gap = 6;
  painter.fillRect(QRectF(area.left(), area.center().y() - square / 2, square, square), colour);
  painter.setFont(style.font(11));
  painter.setPen(style.ink);
  const QFontMetricsF metrics(painter.font());
  const double room = area.width() - square - gap;
  const auto fits = [&](const QString& text) { return metrics.horizontalAdvance(text) <= room; };
  // "c2c, content to content": the part that names comes before the one that explains.
  static const QRegularExpression comma(QStringLiteral(", |，"));
  QString text = fits(name) ? name : shortName(name);
  if (!fits(text)) text = text.section(comma, 0, 0);
  text = metrics.elidedText(text, Qt::ElideRight, room);
  painter.drawText(area.adjusted(square + gap, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, text);
  return square + gap + std::min(room, metrics.horizontalAdvance(text));
}

void drawFocusFrame(QPainter& painter, const QRectF& area, const Style& style) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  QColor ink = style.ink;
  ink.setAlphaF(0.55F);
  painter.setPen(QPen(ink, 1.5));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(area.adjusted(1.5, 1.5, -1.5, -1.5), 5, 5);
  painter.restore();
}

}  // namespace posiscope::ui
