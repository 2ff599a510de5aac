// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/param_scale.h"

#include <QLocale>
#include <algorithm>
#include <cmath>

namespace posiscope::ui {
namespace {

struct Span {
  double low;
  double high;
};

/// The slider's ends in the space where it is linear.
Span spanOf(const ParamSpec& spec) {
  if (!spec.logarithmic) return {spec.slider_minimum, spec.slider_maximum};
  const double low = spec.slider_minimum > 0 ? spec.slider_minimum : 1;
  return {std::log(low), std::log(std::max(spec.slider_maximum, low))};
}

double roundedTo(double value, int digits) {
  if (value == 0 || !std::isfinite(value)) return value;
  const double scale = std::pow(10.0, digits - 1 - std::floor(std::log10(std::abs(value))));
  return std::round(value * scale) / scale;
}

double legal(const ParamSpec& spec, double value) {
  if (spec.kind == ParamKind::integer) value = std::round(value);
  return std::clamp(value, spec.minimum, spec.maximum);
}

}  // namespace

double sliderPosition(const ParamSpec& spec, double value) {
  const auto [low, high] = spanOf(spec);
  if (high <= low) return 0;
  if (spec.logarithmic) value = value > 0 ? std::log(value) : low;
  return std::clamp((value - low) / (high - low), 0.0, 1.0);
}

double valueAtPosition(const ParamSpec& spec, double position) {
  if (position <= 0) return spec.slider_minimum;
  if (position >= 1) return spec.slider_maximum;
  const auto [low, high] = spanOf(spec);
  const double plain = low + position * (high - low);
  if (!spec.logarithmic) {
    if (spec.kind == ParamKind::integer) return legal(spec, plain);
    // As many decimals as the span needs for a thousand different values.
    const double unit = std::pow(10.0, std::floor(std::log10(std::max(high - low, 1e-300))) - 3);
    return legal(spec, roundedTo(std::round(plain / unit) * unit, 12));
  }
  const double value = std::exp(plain);
  if (spec.kind == ParamKind::integer) {
    const double power = std::exp2(std::round(std::log2(value)));
    if (std::abs(std::log(power) - plain) < 0.005 * (high - low)) return legal(spec, power);
  }
  return legal(spec, roundedTo(value, 3));
}

double steppedValue(const ParamSpec& spec, double value, int direction, StepSize size) {
  const auto [low, high] = spanOf(spec);
  if (spec.kind == ParamKind::integer && size == StepSize::fine) return legal(spec, value + direction);
  if (spec.logarithmic) {
    if (spec.kind == ParamKind::integer && size == StepSize::coarse)
      return legal(spec, direction > 0 ? std::max(value, 0.5) * 2 : value / 2);
    const double share = size == StepSize::coarse ? 0.1 : size == StepSize::normal ? 0.01 : 0.001;
    const double next = std::exp(std::log(std::max(value, 1e-300)) + direction * share * (high - low));
    if (spec.kind == ParamKind::integer)
      return legal(spec, direction > 0 ? std::max(value + 1, roundedTo(next, 3)) : std::min(value - 1, roundedTo(next, 3)));
    return legal(spec, roundedTo(next, size == StepSize::fine ? 5 : 3));
  }
  if (spec.kind == ParamKind::integer) return legal(spec, value + direction * (size == StepSize::coarse ? 10 : 1));
  const double share = size == StepSize::coarse ? 0.1 : size == StepSize::normal ? 0.01 : 0.001;
  return legal(spec, roundedTo(value + direction * share * (high - low), 9));
}

QString exactText(double value) {
  QString text = QString::number(std::abs(value), 'g', QLocale::FloatingPointShortest);
  // "5e+05" is how Qt writes a short round number; people write it out up to 15 digits.
  if (text.contains(QLatin1Char('e')) && std::abs(value) >= 1 && std::abs(value) < 1e15)
    text = QString::number(std::abs(value), 'f', 0);
  const qsizetype point = text.indexOf(QLatin1Char('.'));
  if (!text.contains(QLatin1Char('e'))) {
    const qsizetype end = point < 0 ? text.size() : point;
    if (end > 4)
      for (qsizetype at = end - 3; at > 0; at -= 3) text.insert(at, QChar(0x202f));
  }
  return value < 0 ? QChar(0x2212) + text : text;
}

std::optional<double> typedNumber(QString text) {
  text = text.trimmed();
  text.replace(QChar(0x2212), QLatin1Char('-'));
  for (const QChar space : {QChar(0x2009), QChar(0x202f), QChar(0xa0), QChar(u' '), QChar(u'_'), QChar(u'\'')})
    text.remove(space);
  double factor = 1;
  if (text.endsWith(QLatin1Char('k'), Qt::CaseInsensitive)) factor = 1e3;
  if (text.endsWith(QLatin1Char('M'))) factor = 1e6;
  if (factor != 1) text.chop(1);
  bool ok = false;
  const double value = QLocale::c().toDouble(text, &ok) * factor;
  if (!ok || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace posiscope::ui
