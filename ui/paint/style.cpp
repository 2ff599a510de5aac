// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/paint/style.h"

#include <QList>
#include <QStringList>
#include <algorithm>
#include <array>
#include <cmath>

namespace posiscope::ui {
namespace {

struct Token {
  const char* light;
  const char* dark;
};
constexpr Token window_token{"#F4F5F7", "#131619"};
constexpr Token panel_token{"#FFFFFF", "#1B1F23"};
constexpr Token line_token{"#DFE3E8", "#2D3339"};
constexpr Token grid_token{"#ECEFF2", "#2A3036"};
constexpr Token ink_token{"#1B1F24", "#E7EAEE"};
constexpr Token mute_token{"#66707C", "#98A2AE"};
constexpr Token hover_token{"#EDEFF2", "#252A30"};
constexpr Token missing_token{"#C9CED4", "#4A525A"};
constexpr Token warn_token{"#D55E00", "#D55E00"};
constexpr Token good_token{"#009E73", "#009E73"};

// Okabe and Ito's colour-blind safe palette.
constexpr std::array scheme_colours{"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"};

QFont sized(QStringList families, int pixels) {
  QFont font;
  font.setFamilies(families);
  font.setPixelSize(pixels);
  return font;
}

}  // namespace

QStringList fontFamilies() {
  // One list per process: Qt 6.4 shares a cached engine between lists that differ only in the fallback.
  return {"DejaVu Sans", "Noto Sans CJK SC", "WenQuanYi Micro Hei"};
}

QFont Style::font(int pixels, bool bold) const {
  QFont font = sized(fontFamilies(), pixels);
  font.setBold(bold);
  return font;
}

QFont Style::digits(int pixels) const {
  QFont font = sized({"DejaVu Sans Mono", "Noto Sans CJK SC", "WenQuanYi Micro Hei"}, pixels);
  font.setStyleHint(QFont::Monospace);
  return font;
}

QFont Style::serif(int pixels) const {
  QFont font = sized({"DejaVu Serif", "Noto Sans CJK SC", "WenQuanYi Micro Hei"}, pixels);
  font.setStyleHint(QFont::Serif);
  return font;
}

Style makeStyle(bool dark, Language language) {
  const auto pick = [dark](Token token) { return QColor(QLatin1String(dark ? token.dark : token.light)); };
  Style style;
  style.dark = dark;
  style.language = language;
  style.window = pick(window_token);
  style.panel = pick(panel_token);
  style.line = pick(line_token);
  style.grid = pick(grid_token);
  style.ink = pick(ink_token);
  style.mute = pick(mute_token);
  style.hover = pick(hover_token);
  style.missing = pick(missing_token);
  style.warn = pick(warn_token);
  style.good = pick(good_token);
  return style;
}

QColor schemeColour(int index) {
  const int count = static_cast<int>(scheme_colours.size());
  return QColor(QLatin1String(scheme_colours[static_cast<std::size_t>(((index % count) + count) % count)]));
}

QList<qreal> schemeDashes(int index) {
  static const std::array<QList<qreal>, 6> dashes{QList<qreal>{}, {6, 3}, {2, 2}, {8, 3, 2, 3}, {10, 4}, {4, 2, 1, 2, 1, 2}};
  return dashes[static_cast<std::size_t>(((index % 6) + 6) % 6)];
}

QString numberText(double value, int significant) {
  if (std::isnan(value)) return QStringLiteral("–");
  if (std::isinf(value)) return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
  QString text;
  const double size = std::abs(value);
  constexpr double least_written_out = 1e4;
  constexpr double most_written_out = 1e9;  // of what is no whole number
  if (value == std::floor(value) && size < 1e15) {
    text = QString::number(size, 'f', 0);
  } else if (size >= least_written_out && size < most_written_out) {
    const double unit = std::pow(10.0, std::max(0.0, std::floor(std::log10(size)) + 1 - significant));
    text = QString::number(std::round(size / unit) * unit, 'f', 0);
  } else {
    text = QString::number(size, 'g', significant);
  }
  const qsizetype point = text.indexOf(QLatin1Char('.'));
  qsizetype end = point < 0 ? text.size() : point;
  if (!text.contains(QLatin1Char('e')) && end > 4)
    for (qsizetype at = end - 3; at > 0; at -= 3) text.insert(at, QChar(0x202f));
  return value < 0 ? QChar(0x2212) + text : text;
}

QString tickText(double value) {
  const double size = std::abs(value);
  const QString sign = value < 0 ? QString(QChar(0x2212)) : QString();
  if (size >= 1e9) return sign + QString::number(size / 1e9, 'g', 4) + QStringLiteral("G");
  if (size >= 1e6) return sign + QString::number(size / 1e6, 'g', 4) + QStringLiteral("M");
  if (size >= 1e4) return sign + QString::number(size / 1e3, 'g', 4) + QStringLiteral("k");
  return sign + QString::number(size, 'g', 4);
}

}  // namespace posiscope::ui
