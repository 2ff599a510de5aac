// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How a table of cards is painted; the layout is in cards.cpp.
#include "ui/paint/notice.h"
#include "ui/views/cards.h"

#include <algorithm>
#include <cmath>
#include <QFontMetricsF>
#include <QPainter>
#include <QPolygonF>
#include <QTextLayout>

namespace posiscope::ui {
namespace {

constexpr double mark_size = 9;
constexpr double word_height = 15;
constexpr double number_height = 13;
constexpr double line_height = 13;  // of a sentence
constexpr double inset = 4;
constexpr double narrow = 54;  // a mark and a number, no room for words

/// A tick in brackets: a yes with a condition, which its word names.
void drawQualifiedTick(QPainter& painter, QPointF centre, const QColor& colour) {
  painter.setPen(QPen(colour, 1.2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  const double r = 0.6 * mark_size / 2;
  const auto at = [&](double x, double y) { return centre + QPointF(x * r, y * r); };
  painter.drawPolyline(QPolygonF{{at(-0.95, 0.05), at(-0.25, 0.75), at(0.95, -0.75)}});
  const double width = 1.4 * mark_size, height = 1.25 * mark_size;
  const QRectF round(centre.x() - width / 2, centre.y() - height / 2, width, height);
  constexpr int degree = 16;  // as Qt counts angles
  painter.drawArc(round, -50 * degree, 100 * degree);
  painter.drawArc(round, 130 * degree, 100 * degree);
}

/// Tick, cross or dash; drawn, because fonts differ in which of them they have.
void drawMark(QPainter& painter, QPointF centre, const Property& p, const Style& style) {
  const double r = mark_size / 2;
  const auto at = [&](double x, double y) { return centre + QPointF(x * r, y * r); };
  painter.setBrush(Qt::NoBrush);
  const auto pen = [&](const QColor& colour) {
    painter.setPen(QPen(colour, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  };
  switch (p.answer) {
    case Property::Answer::yes:
      if (p.qualified) return drawQualifiedTick(painter, centre, style.mute);
      pen(style.good);
      painter.drawPolyline(QPolygonF{{at(-0.95, 0.05), at(-0.25, 0.75), at(0.95, -0.75)}});
      return;
    case Property::Answer::no:
      pen(style.warn);
      painter.drawLine(at(-0.75, -0.75), at(0.75, 0.75));
      painter.drawLine(at(-0.75, 0.75), at(0.75, -0.75));
      return;
    case Property::Answer::neither: pen(style.mute); painter.drawLine(at(-0.8, 0), at(0.8, 0));
  }
}

/// A count is no answer and has no mark.
bool hasMark(const Property& p) { return p.answer != Property::Answer::neither || !std::isnan(p.tolerance); }

void drawLine(QPainter& painter, const QRectF& area, const QString& text, int alignment = Qt::AlignLeft) {
  const QFontMetricsF metrics(painter.font());
  painter.drawText(area, alignment | Qt::AlignVCenter, metrics.elidedText(text, Qt::ElideRight, area.width()));
}

/// The lines of a sentence in a column.
int lineCount(const QString& text, const QFont& font, double width) {
  QTextLayout layout(text, font);
  layout.beginLayout();
  int lines = 0;
  for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
    line.setLineWidth(width);
    ++lines;
  }
  layout.endLayout();
  return lines;
}

/// Above the sentence: the word, and the number where there is one.
double headHeight(const Property& p, const Style& style) {
  return word_height + (numberLine(p, style).isEmpty() ? 0 : number_height + 1);
}

/// As many lines as fit, the last one shortened where more would follow.
void drawParagraph(QPainter& painter, const QRectF& area, const QString& text) {
  const auto most = static_cast<int>(std::floor(area.height() / line_height));
  if (most < 1) return;
  QTextLayout layout(text, painter.font());
  layout.beginLayout();
  double y = area.top();
  for (int n = 0; n < most; ++n) {
    QTextLine line = layout.createLine();
    if (!line.isValid()) break;
    line.setLineWidth(area.width());
    const bool last = n + 1 == most;
    const QString part = last ? text.mid(line.textStart()) : text.mid(line.textStart(), line.textLength()).trimmed();
    drawLine(painter, QRectF(area.left(), y, area.width(), line_height), part);
    y += line_height;
  }
  layout.endLayout();
}

void drawQuestion(QPainter& painter, const QRectF& area, const QString& text, const Style& style) {
  painter.setFont(style.font(11));
  painter.setPen(style.ink);
  const QRectF inside = area.adjusted(0, 2, -8, -2);
  const QFontMetricsF metrics(painter.font());
  if (metrics.horizontalAdvance(text) <= inside.width() || inside.height() < 2 * line_height)
    return drawLine(
        painter,
        inside.height() < 2 * line_height ? inside : QRectF(inside.topLeft(), QSizeF(inside.width(), word_height)),
        text);
  drawParagraph(painter, inside, text);
}

/// Where columns are narrow: the mark, and the number alone below it.
void drawNarrowCell(QPainter& painter, const QRectF& area, const Property& p, const Style& style) {
  const bool two = area.height() >= mark_size + number_height + 6;
  const double middle = two ? area.top() + 3 + mark_size / 2 : area.center().y();
  if (hasMark(p)) drawMark(painter, {area.center().x(), middle}, p, style);
  if (hasMark(p) && (!two || std::isnan(p.value))) return;
  painter.setFont(style.font(9));
  painter.setPen(style.mute);
  const QRectF below(area.left(), middle + mark_size / 2 + 1, area.width(), number_height);
  drawLine(painter, hasMark(p) ? below : area, numberText(p.value, 2), Qt::AlignHCenter);
}

void drawCell(QPainter& painter, const QRectF& cell, const Property& p, const Style& style) {
  QRectF area = cell.adjusted(inset, 1, -inset, -1);
  if (cell.width() < narrow) return drawNarrowCell(painter, area, p, style);
  const QString numbers = numberLine(p, style);
  const bool two = area.height() >= word_height + number_height;
  const QRectF first(area.left(), area.top(), area.width(), two ? word_height : area.height());
  double left = first.left();
  if (hasMark(p)) {
    drawMark(painter, {left + mark_size / 2, first.center().y()}, p, style);
    left += mark_size + 5;
  }
  painter.setPen(style.ink);
  const QRectF word(left, first.top(), area.right() - left, first.height());
  for (const int pixels : {11, 10, 9}) {  // smaller letters before fewer of them
    painter.setFont(style.font(pixels, true));
    if (QFontMetricsF(painter.font()).horizontalAdvance(style.text(p.word)) <= word.width()) break;
  }
  drawLine(painter, word, answerIn(word.width(), style.text(p.word), QFontMetricsF(painter.font())));
  if (!two) return;
  painter.setFont(style.font(10));
  painter.setPen(style.mute);
  double y = first.bottom();
  // Half a sentence says too little: it stands whole, or in the tooltip, of which there is a sign.
  const QString sentence = style.text(p.sentence);
  const bool told = sentence.isEmpty() || cell.height() >= cellHeight(p, cell.width(), style);
  const QString sign = told ? QString() : QStringLiteral(" …");
  if (!numbers.isEmpty() || !told) {
    const QRectF second(area.left(), y, area.width(), number_height);
    // The tolerance goes before half a number is shown.
    const bool fits = QFontMetricsF(painter.font()).horizontalAdvance(numbers + sign) <= second.width();
    drawLine(painter, second, (fits || std::isnan(p.tolerance) ? numbers : numberText(p.value, 2)) + sign);
    y = second.bottom() + 1;
  }
  if (told) drawParagraph(painter, QRectF(area.left(), y, area.width(), area.bottom() - y), sentence);
}

/// Where columns are narrower than their names: a square, below it the name in two lines of small type.
void drawTallName(QPainter& painter, const QRectF& area, const Card& card, const Style& style) {
  constexpr double square = 8;
  constexpr int words = Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap;
  constexpr int letters = Qt::AlignHCenter | Qt::AlignTop | Qt::TextWrapAnywhere;
  const QString name = shortName(card.name);
  painter.fillRect(QRectF(area.center().x() - square / 2, area.top() + 3, square, square), card.colour);
  painter.setPen(style.ink);
  const auto below = [&] {
    return QRectF(area.left(), area.top() + square + 5, area.width(), 2 * QFontMetricsF(painter.font()).height());
  };
  const auto fits = [&](const QString& text, int flags) {
    const QRectF needed = QFontMetricsF(painter.font()).boundingRect(below(), flags, text);
    return needed.width() <= area.width() && needed.height() <= below().height() + 1;
  };
  // Whole words, then smaller ones; at last broken anywhere and shortened.
  for (const int pixels : {10, 9}) {
    painter.setFont(style.font(pixels));
    if (fits(name, words)) return painter.drawText(below(), words, name);
  }
  QString text = name;
  for (qsizetype length = name.size() - 1; length > 1 && !fits(text, letters); --length)
    text = name.left(length) + QChar(0x2026);
  painter.drawText(below(), letters, text);
}

void drawFoot(QPainter& painter, const CardScene& scene, const CardLayout& layout) {
  painter.setFont(scene.style.font(10));
  painter.setPen(scene.style.mute);
  QString text = scene.scope;
  if (layout.hidden_rows > 0) {
    const Text sentence = scene.scrolls ? Text{"%1 more: scroll", "还有 %1 行：滚动查看"}
                                        : Text{"%1 more with more room", "放大后还有 %1 行"};
    const QString more = scene.style.text(sentence).arg(static_cast<int>(layout.hidden_rows));
    text = text.isEmpty() ? more : more + QStringLiteral(" · ") + text;
  }
  drawLine(painter, layout.foot, text);
}

}  // namespace

double cellHeight(const Property& p, double width, const Style& style) {
  if (width < narrow) return 2 + mark_size + number_height + 6;
  const int lines = lineCount(style.text(p.sentence), style.font(10), width - 2 * inset);
  return 2 + headHeight(p, style) + lines * line_height + 2;
}

void drawCards(QPainter& painter, const QRectF& target, const CardScene& scene, const CardLayout& layout) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  for (std::size_t f = 0; f < scene.failures.size(); ++f)
    drawNotice(painter, layout.failures[f], scene.failures[f], scene.style);
  if (!scene.nothing.isEmpty()) drawSentence(painter, target, scene.nothing, scene.style);
  for (std::size_t c = 0; c < layout.names.size(); ++c) {
    const QRectF& area = layout.names[c];
    if (layout.tall_names)
      drawTallName(painter, area.adjusted(1, 0, -1, 0), scene.cards[c], scene.style);
    else
      drawKey(painter, area.adjusted(inset, 0, -inset, 0), scene.cards[c].colour, scene.cards[c].name, scene.style);
  }
  for (std::size_t q = 0; q < layout.questions.size(); ++q) {
    const std::size_t r = layout.first_row + q;
    const QRectF& row = layout.questions[q];
    painter.setPen(QPen(scene.style.line, 1));
    painter.drawLine(row.topLeft(), QPointF(layout.foot.right(), row.top()));
    drawQuestion(painter, row, scene.style.text(scene.cards.front().properties()[r].question), scene.style);
    for (std::size_t c = 0; c < layout.names.size(); ++c)
      drawCell(painter, layout.cell({r, c}), scene.cards[c].properties()[r], scene.style);
  }
  if (!layout.foot.isEmpty()) {
    painter.setPen(QPen(scene.style.line, 1));
    painter.drawLine(layout.foot.topLeft(), layout.foot.topRight());
    drawFoot(painter, scene, layout);
  }
  if (scene.stale) drawStaleVeil(painter, target, scene.style);
  painter.restore();
}

void drawCardCursor(QPainter& painter, const CardScene& scene, const CardLayout& layout, CardPlace place) {
  const QRectF cell = layout.cell(place);
  if (cell.isEmpty()) return;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(scene.style.ink, 1.2));
  painter.drawRoundedRect(cell.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
  painter.restore();
}

}  // namespace posiscope::ui
