// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/scale.h"

#include "ui/paint/style.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace posiscope::ui {
namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double sparse_decades = 1.3;  ///< an axis of fewer has ticks at 1, 2 and 5

// 1, 2, 2.5 or 5 times a power of ten, not below `least`.
double roundStep(double least) {
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 2.5, 5.0})
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

int decimalsOf(double step) {
  for (int decimals = 0; decimals < 12; ++decimals) {
    const double scaled = step * std::pow(10.0, decimals);
    if (std::abs(scaled - std::round(scaled)) < 1e-6 * scaled) return decimals;
  }
  return 12;
}

/// The largest of 1, 2 and 5 times a power of ten that is not above the value, and the smallest not below it.
double stepBelow(double value) {
  const double power = std::pow(10.0, std::floor(std::log10(value) + 1e-9));
  for (const double factor : {5.0, 2.0})
    if (factor * power <= value * (1 + 1e-9)) return factor * power;
  return power;
}

double stepAbove(double value) {
  const double power = std::pow(10.0, std::floor(std::log10(value) + 1e-9));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= value * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

QString superscript(int exponent) {
  static const QString digits = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
  QString text = exponent < 0 ? QStringLiteral("⁻") : QString();
  for (const QChar digit : QString::number(std::abs(exponent))) text += digits[digit.digitValue()];
  return text;
}

QString decadeText(double value) {
  const double exponent = std::log10(std::abs(value));
  const bool decade = std::abs(exponent - std::round(exponent)) < 1e-9;
  if (decade && (exponent < -3.5 || exponent > 11.5))
    return QStringLiteral("10") + superscript(static_cast<int>(std::lround(exponent)));
  if (value >= 1e3 && value < 1e9)  // three digits: "131k" is the last position, where no round number fits
    return value < 1e6 ? QString::number(value / 1e3, 'g', 3) + QLatin1Char('k')
                       : QString::number(value / 1e6, 'g', 3) + QLatin1Char('M');
  return tickText(value);
}

QString linearText(double value, double step) {
  if (std::abs(value) < step * 1e-6) return QStringLiteral("0");
  const double size = std::abs(value);
  if (step >= 1e4 && std::fmod(step, 1e3) == 0) return tickText(value);
  if (size >= 1e6 || step < 1e-5) return numberText(value, 7);
  if (step >= 1) return numberText(std::round(value * 1e6) / 1e6, 8);
  const QString text = QString::number(size, 'f', decimalsOf(step));
  return value < 0 ? QChar(0x2212) + text : text;
}

void appendTick(Ticks& ticks, double value, QString label) {
  while (ticks.labels.contains(label)) label += QChar(0x200A);  // Qt Charts keys categories by their text
  ticks.values.push_back(value);
  ticks.labels.push_back(label);
}

Ticks linearTicks(const Scale& scale, double step) {
  Ticks ticks;
  const double slack = step * 1e-6;
  for (double k = std::ceil((scale.low - slack) / step); k * step <= scale.high + slack; ++k)
    appendTick(ticks, k * step, linearText(k * step, step));
  return ticks;
}

Ticks indexTicks(const Scale& scale, int wanted) {
  const double least = (scale.high - scale.low) / std::max(1, wanted);
  const double step = std::max(1.0, std::exp2(std::ceil(std::log2(std::max(least, 1e-9)) - 1e-9)));
  // A short axis counts 0, 1, 2 …; a range that is no power of two looks calmer with decimal steps.
  const double span = scale.high - scale.low + 1;
  const bool binary = span < 16 || std::abs(span / step - std::round(span / step)) < 1e-9;
  Ticks ticks = linearTicks(scale, binary ? step : std::max(1.0, roundStep(least)));
  const double last = std::floor(scale.high + 1e-9);
  if (binary && last == scale.high && !ticks.values.empty() && last - ticks.values.back() > 0.6 * step)
    appendTick(ticks, last, linearText(last, 1));
  return ticks;
}

/// Every `stride`-th decade, or all of them with twice and five times as much between.
Ticks ticksOfDecades(const Scale& scale, double stride, bool between) {
  Ticks ticks;
  const double from = std::log10(scale.low), to = std::log10(scale.high);
  for (double k = std::floor(from); k <= to + 1e-9; k += stride)
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double value = factor * std::pow(10.0, k);
      if (factor > 1 && !between) break;
      if (value < scale.low * (1 - 1e-9) || value > scale.high * (1 + 1e-9)) continue;
      appendTick(ticks, value, decadeText(value));
    }
  return ticks;
}

Ticks decadeTicks(const Scale& scale, int wanted, bool indices) {
  constexpr int finest = 64;
  const double decades = std::log10(scale.high) - std::log10(scale.low);
  const double stride = std::max(1.0, std::ceil(decades / std::max(1, wanted)));
  Ticks ticks = ticksOfDecades(scale, stride, decades < sparse_decades);
  // The part that a zoom shows may begin after one decade and end before the next: two labels at least.
  if (ticks.values.size() < 2) ticks = ticksOfDecades(scale, 1, false);
  if (ticks.values.size() < 2) ticks = ticksOfDecades(scale, 1, true);
  for (int parts = std::max(1, wanted); ticks.values.size() < 2 && parts <= finest; parts *= 2)
    ticks = linearTicks(scale, roundStep((scale.high - scale.low) / parts));
  // The last position is what people look for ("131k"), if it does not crowd the decade before it.
  const double last = std::floor(scale.high + 1e-9);
  if (indices && !ticks.values.empty() && last > ticks.values.back() && scale.share(ticks.values.back()) < 0.88)
    appendTick(ticks, last, decadeText(last));
  return ticks;
}

}  // namespace

double Scale::share(double value) const { return ScaleShare(*this)(value); }

ScaleShare::ScaleShare(const Scale& scale)
    : logarithmic_(scale.logarithmic),
      offset_(scale.logarithmic ? std::log(scale.low) : scale.low),
      factor_(1 / ((scale.logarithmic ? std::log(scale.high) : scale.high) - offset_)) {}

double ScaleShare::operator()(double value) const {
  if (!logarithmic_) return (value - offset_) * factor_;
  return value > 0 ? (std::log(value) - offset_) * factor_ : nan_value;
}

double Scale::value(double share) const {
  if (!logarithmic) return low + share * (high - low);
  return low * std::exp(share * std::log(high / low));
}

void Extent::include(double value) {
  if (!std::isfinite(value)) return;
  low = empty ? value : std::min(low, value);
  high = empty ? value : std::max(high, value);
  empty = false;
}

Scale exactScale(const Extent& data, bool logarithmic) {
  if (logarithmic) {
    if (data.empty || data.high <= 0) return {1, 10, true};
    const double low = data.low > 0 ? data.low : std::min(1.0, data.high);
    return {low, data.high > low * (1 + 1e-9) ? data.high : low * 10, true};
  }
  if (data.empty) return {0, 1, false};
  if (data.high - data.low > 1e-12 * std::max(std::abs(data.high), std::abs(data.low)))
    return {data.low, data.high, false};
  const double room = data.low == 0 ? 1 : std::abs(data.low) / 2;
  return {data.low - room, data.high + room, false};
}

Scale roundScale(const Extent& data, bool logarithmic) {
  const Scale scale = exactScale(data, logarithmic);
  // What lies beyond a round number by a rounding error lies inside all the same.
  const auto holding = [&scale](double low, double high) {
    return Scale{std::min(low, scale.low), std::max(high, scale.high), scale.logarithmic};
  };
  if (logarithmic) {
    // One value alone stands in the middle, not on the frame.
    if (!data.empty && data.low > 0 && data.high <= data.low * (1 + 1e-9)) return {data.low / 2, data.low * 2, true};
    const double from = std::log10(scale.low), to = std::log10(scale.high);
    if (to - from < 0.5) return {scale.low / 1.2, scale.high * 1.2, true};
    if (to - from < sparse_decades) return holding(stepBelow(scale.low), stepAbove(scale.high));
    return holding(std::pow(10.0, std::floor(from + 1e-9)), std::pow(10.0, std::ceil(to - 1e-9)));
  }
  const double step = roundStep((scale.high - scale.low) / 6);
  return holding(step * std::floor(scale.low / step + 1e-6), step * std::ceil(scale.high / step - 1e-6));
}

Ticks makeTicks(const Scale& scale, int wanted, bool indices) {
  if (scale.logarithmic) return decadeTicks(scale, wanted, indices);
  if (indices) return indexTicks(scale, wanted);
  return linearTicks(scale, roundStep((scale.high - scale.low) / std::max(1, wanted)));
}

}  // namespace posiscope::ui
