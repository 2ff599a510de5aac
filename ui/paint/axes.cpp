// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/paint/axes.h"

#include "core/measures/axes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <QFontMetricsF>
#include <QPainter>

namespace posiscope::ui {
namespace {

constexpr double gap = 6;  // between plot and tick labels
constexpr double title_height = 16;
constexpr double title_gap = 4;  // between tick labels and the title at their left
constexpr double tick_height = 14;
constexpr double name_pitch = 11;    // of the ticks; closer names would touch
constexpr double longest_name = 72;  // pixels; longer ones are elided

std::vector<double> multiples(double low, double high, double step) {
  std::vector<double> ticks;
  // The tolerance keeps a limit such as 0.3 although 3 · 0.1 is a little more.
  const double tolerance = step * 1e-6;
  for (double n = std::ceil((low - tolerance) / step); n * step <= high + tolerance; ++n) {
    const double tick = n * step;
    ticks.push_back(std::abs(tick) < tolerance ? 0 : tick);
  }
  return ticks;
}

QString elided(const QString& text, const QFont& font, double width) {
  return QFontMetricsF(font).elidedText(text, Qt::ElideRight, width);
}

/// A name that reads upwards and ends at `top`.
void drawUpright(QPainter& painter, QPointF top, double height, const QString& name) {
  painter.save();
  painter.translate(top);
  painter.rotate(-90);
  painter.drawText(QRectF(-height, -8, height, 16), Qt::AlignRight | Qt::AlignVCenter, name);
  painter.restore();
}

/// What the labels below a plot take.
double ticksHeight(const AxisScale& axis) {
  if (axis.ticks.empty()) return 0;
  return axis.name_height > 0 ? axis.name_height : tick_height;
}

/// What stands at a tick.
QString labelOf(const AxisScale& axis, std::size_t tick) {
  return axis.names.empty() ? tickText(axis.ticks[tick]) : axis.names[tick];
}

/// A row of a table belongs to a position, whatever token happens to stand there.
bool isPositionOfTable(const Axis& axis) { return axis.name.en == measures::positionAxis({}).name.en; }

bool isNumber(const QString& name) {
  return !name.isEmpty() &&
         std::ranges::all_of(name, [](QChar c) { return c >= QLatin1Char('0') && c <= QLatin1Char('9'); });
}

}  // namespace

QString shownName(const std::string& name) {
  QString shown = QString::fromStdString(name);
  for (QChar& c : shown) {
    if (c == QLatin1Char('\t'))
      c = QChar(0x21E5);
    else if (c == QLatin1Char('\n'))
      c = QChar(0x21B5);
    else if (c.category() == QChar::Other_Control || c == QChar::LineSeparator || c == QChar::ParagraphSeparator)
      c = QLatin1Char(' ');
  }
  return shown;
}

void nameTicks(AxisScale& scale, const Axis& axis, std::int64_t cells, double length, const Style& style) {
  const double pitch = length / std::abs(scale.high - scale.low);
  if (!axis.names || axis.step != 1 || pitch < name_pitch || isPositionOfTable(axis)) return;
  const QFontMetricsF metrics(style.font(tick_pixels));
  scale.ticks.clear();
  double widest = 0;
  const auto index = [&](double place) { return static_cast<std::int64_t>(std::ceil(place - axis.first)); };
  const std::int64_t last = std::min({cells - 1, index(scale.high), std::ssize(*axis.names) - 1});
  for (std::int64_t k = std::max<std::int64_t>(0, index(scale.low)); k <= last; ++k) {
    scale.ticks.push_back(axis.first + static_cast<double>(k));
    const QString name = shownName((*axis.names)[static_cast<std::size_t>(k)]);
    scale.names.push_back(metrics.elidedText(name, Qt::ElideRight, longest_name));
    widest = std::max(widest, metrics.horizontalAdvance(scale.names.back()));
  }
  scale.name_height = widest + 4 > pitch ? std::ceil(widest) + 4 : 0;
}

QString nameAt(const Axis& axis, double place) {
  const double index = std::round(place - axis.first);
  if (!axis.names || axis.step != 1 || !(index >= 0) || index >= static_cast<double>(axis.names->size())) return {};
  return shownName((*axis.names)[static_cast<std::size_t>(index)]);
}

std::vector<double> niceTicks(double low, double high, int most) {
  if (!(low < high) || !std::isfinite(high - low) || most < 1) return {low};
  const double rough = (high - low) / most;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0, 10.0})
    if (factor * power >= rough * (1 - 1e-9)) return multiples(low, high, factor * power);
  return {low};
}

std::vector<double> indexTicks(double low, double high, int most) {
  if (!(low < high) || most < 1) return {low};
  if (high >= 10000) return niceTicks(low, high, most);
  double step = 1;
  while ((high - low) / step > most) step *= 2;
  std::vector<double> ticks = multiples(low, high, step);
  // −511 … 511 in two steps of 512 would leave the 0 alone.
  return ticks.size() < 2 && step > 1 ? multiples(low, high, step / 2) : ticks;
}

QString unitText(const std::string& unit, Language language) {
  static const std::map<std::string, Text> units{{"tokens", {"tokens", "词元"}},
                                                 {"dimensions", {"dimensions", "维"}},
                                                 {"turns", {"turns", "圈"}},
                                                 {"patches", {"patches", "图块"}},
                                                 {"layers", {"layers", "层"}},
                                                 {"pairs", {"pairs", "对"}},
                                                 {"multiply-adds", {"multiply-adds", "次乘加"}}};
  const auto known = units.find(unit);
  return QString::fromStdString(known == units.end() ? unit : known->second.in(language));
}

QString axisTitle(const Axis& axis, const AxisScale& scale, const Style& style) {
  const QString title = axisTitle(axis, style);
  if (scale.names.empty() || !std::ranges::all_of(scale.names, isNumber)) return title;
  return title + style.text({" (token ids)", "（词元编号）"});
}

QString axisTitle(const Axis& axis, const Style& style) {
  QString title = style.text(axis.name);
  const QString symbol = QString::fromStdString(axis.symbol);
  // "offset i − j" already is its own formula.
  const bool formula = title.contains(QStringLiteral("i − j"));
  if (!symbol.isEmpty() && !formula && !title.endsWith(symbol)) title += QLatin1Char(' ') + symbol;
  // Positions are counted in tokens everywhere; saying so on each axis would be noise.
  const bool position = symbol == QLatin1String("i") || symbol == QLatin1String("j") || formula;
  if (axis.unit.empty() || position) return title;
  const bool chinese = style.language == Language::chinese;
  return title +
         (chinese ? QStringLiteral("（%1）") : QStringLiteral(" (%1)")).arg(unitText(axis.unit, style.language));
}

double leftAxisWidth(const AxisScale& axis, const Style& style) {
  const QFontMetricsF metrics(style.font(tick_pixels));
  double width = 0;
  for (std::size_t t = 0; t < axis.ticks.size(); ++t)
    width = std::max(width, metrics.horizontalAdvance(labelOf(axis, t)));
  return std::ceil(width) + gap + (axis.title.isEmpty() ? 0 : title_height + title_gap);
}

double bottomAxisHeight(const AxisScale& axis) {
  return gap + ticksHeight(axis) + (axis.title.isEmpty() ? 0 : title_height);
}

void drawLeftAxis(QPainter& painter, const QRectF& plot, const AxisScale& axis, bool downwards, const Style& style) {
  painter.setFont(style.font(tick_pixels));
  painter.setPen(style.mute);
  const QFontMetricsF metrics(painter.font());
  double width = 0;
  for (std::size_t t = 0; t < axis.ticks.size(); ++t) {
    const double share = axis.fraction(axis.ticks[t]);
    if (share < -1e-9 || share > 1 + 1e-9) continue;
    const double y = downwards ? plot.top() + share * plot.height() : plot.bottom() - share * plot.height();
    const QString text = labelOf(axis, t);
    width = std::max(width, metrics.horizontalAdvance(text));
    painter.drawText(QRectF(plot.left() - gap - 120, y - 10, 120, 20), Qt::AlignRight | Qt::AlignVCenter, text);
  }
  if (axis.title.isEmpty()) return;
  painter.save();
  painter.translate(plot.left() - gap - std::ceil(width) - title_gap - title_height / 2, plot.center().y());
  painter.rotate(-90);
  const double length = plot.height() + 40;
  painter.drawText(QRectF(-length / 2, -title_height / 2, length, title_height), Qt::AlignCenter,
                   elided(axis.title, painter.font(), length));
  painter.restore();
}

void drawBottomAxis(QPainter& painter, const QRectF& plot, const AxisScale& axis, const Style& style) {
  painter.setFont(style.font(tick_pixels));
  painter.setPen(style.mute);
  for (std::size_t t = 0; t < axis.ticks.size(); ++t) {
    const double share = axis.fraction(axis.ticks[t]);
    if (share < -1e-9 || share > 1 + 1e-9) continue;
    const double x = plot.left() + share * plot.width();
    if (axis.name_height > 0)
      drawUpright(painter, {x, plot.bottom() + gap - 2}, axis.name_height, axis.names[t]);
    else
      painter.drawText(QRectF(x - 40, plot.bottom() + gap - 2, 80, tick_height), Qt::AlignCenter, labelOf(axis, t));
  }
  if (axis.title.isEmpty()) return;
  const double top = plot.bottom() + gap + ticksHeight(axis);
  painter.drawText(QRectF(plot.left() - 20, top, plot.width() + 40, title_height), Qt::AlignCenter,
                   elided(axis.title, painter.font(), plot.width() + 40));
}

}  // namespace posiscope::ui
