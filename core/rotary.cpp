// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rotary.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace posiscope {
namespace {

constexpr double two_pi = 2.0 * std::numbers::pi;

/// The temperature of YaRN, eq. 22 of the paper; m is mscale.
double yarnTemperature(double factor, double m) { return factor <= 1 ? 1.0 : 0.1 * m * std::log(factor) + 1.0; }

std::vector<double> plainFrequencies(double base, std::int64_t rotary_dim) {
  std::vector<double> w(static_cast<std::size_t>(rotary_dim / 2));
  const double d = static_cast<double>(rotary_dim);
  for (std::size_t i = 0; i < w.size(); ++i) w[i] = std::pow(base, -2.0 * static_cast<double>(i) / d);
  return w;
}

void scaleYarn(const RotaryParams& p, std::int64_t rotary_dim, std::vector<double>& w) {
  YarnBounds bounds = yarnBounds(p, rotary_dim);
  if (bounds.low == bounds.high) bounds.high += 0.001;
  for (std::size_t i = 0; i < w.size(); ++i) {
    const double ramp = std::clamp((static_cast<double>(i) - bounds.low) / (bounds.high - bounds.low), 0.0, 1.0);
    w[i] = w[i] / p.factor * ramp + w[i] * (1.0 - ramp);
  }
}

/// As printed in the paper (NTK-by-parts): the ramp is linear in the turns made in training, not in the pair.
void scaleYarnPaper(const RotaryParams& p, std::vector<double>& w) {
  for (double& f : w) {
    const double turns = p.original_length * f / two_pi;
    const double gamma = std::clamp((turns - p.beta_slow) / (p.beta_fast - p.beta_slow), 0.0, 1.0);
    f = (1.0 - gamma) * f / p.factor + gamma * f;
  }
}

/// With equal factors there is no middle band: a wavelength exactly at the step is kept instead of dividing 0 by 0.
void scaleLlama3(const RotaryParams& p, std::vector<double>& w) {
  const double shortest = p.original_length / p.high_freq_factor;
  const double longest = p.original_length / p.low_freq_factor;
  for (double& f : w) {
    const double wavelength = two_pi / f;
    if (wavelength > longest) {
      f /= p.factor;
    } else if (wavelength >= shortest && p.low_freq_factor < p.high_freq_factor) {
      const double smooth =
          (p.original_length / wavelength - p.low_freq_factor) / (p.high_freq_factor - p.low_freq_factor);
      f = (1.0 - smooth) * f / p.factor + smooth * f;
    }
  }
}

void scaleLongrope(const RotaryParams& p, std::int64_t seq_len, std::vector<double>& w) {
  const std::vector<double>& factor = static_cast<double>(seq_len) > p.original_length ? p.long_factor : p.short_factor;
  for (std::size_t i = 0; i < w.size() && !factor.empty(); ++i) w[i] /= factor[i];
}

/// The exponent counts the whole head; pairs beyond the share do not turn.
void scaleProportional(const RotaryParams& p, std::int64_t head_dim, std::vector<double>& w) {
  const auto turning = static_cast<std::size_t>(proportionalPairs(p, head_dim));
  for (std::size_t i = 0; i < w.size(); ++i) w[i] = i < turning ? w[i] / p.factor : 0.0;
}

}  // namespace

bool isYarn(const RotaryParams& p) {
  return p.scaling == RotaryScaling::yarn || p.scaling == RotaryScaling::yarn_paper;
}

std::int64_t rotaryDim(const RotaryParams& p, std::int64_t head_dim) {
  if (p.scaling == RotaryScaling::proportional) return head_dim;
  return p.rotary_dim > 0 ? p.rotary_dim : static_cast<std::int64_t>(static_cast<double>(head_dim) * p.rotary_share);
}

std::int64_t proportionalPairs(const RotaryParams& p, std::int64_t head_dim) {
  if (p.rotary_dim > 0) return p.rotary_dim / 2;
  return static_cast<std::int64_t>(std::floor(p.rotary_share * static_cast<double>(head_dim) / 2.0));
}

double dynamicLength(const RotaryParams& p, std::int64_t seq_len) {
  const auto now = static_cast<double>(seq_len);
  // The state is dropped only by a sequence shorter than max_length; one exactly that long keeps it.
  if (p.stateful && now >= p.max_length) return std::max(now, p.longest_seen);
  return std::max(now, p.max_length);
}

double effectiveBase(const RotaryParams& p, std::int64_t rotary_dim, std::int64_t seq_len) {
  const double d = static_cast<double>(rotary_dim);
  switch (p.scaling) {
    case RotaryScaling::ntk: return p.base * std::pow(p.factor, d / (d - 2.0));
    case RotaryScaling::dynamic: {
      const double length = dynamicLength(p, seq_len);
      return p.base * std::pow(p.factor * length / p.max_length - (p.factor - 1.0), d / (d - 2.0));
    }
    default: return p.base;
  }
}

std::vector<double> inverseFrequencies(const RotaryParams& p, std::int64_t rotary_dim, std::int64_t seq_len) {
  std::vector<double> w = plainFrequencies(effectiveBase(p, rotary_dim, seq_len), rotary_dim);
  switch (p.scaling) {
    case RotaryScaling::none:
    case RotaryScaling::ntk:
    case RotaryScaling::dynamic: break;
    case RotaryScaling::linear:
      for (double& f : w) f /= p.factor;
      break;
    case RotaryScaling::yarn: scaleYarn(p, rotary_dim, w); break;
    case RotaryScaling::yarn_paper: scaleYarnPaper(p, w); break;
    case RotaryScaling::llama3: scaleLlama3(p, w); break;
    case RotaryScaling::longrope: scaleLongrope(p, seq_len, w); break;
    case RotaryScaling::proportional: scaleProportional(p, rotary_dim, w); break;
  }
  return w;
}

double attentionFactor(const RotaryParams& p) {
  const bool longrope = p.scaling == RotaryScaling::longrope;
  if (!isYarn(p) && !longrope) return 1.0;
  if (p.attention_factor > 0) return p.attention_factor;
  if (longrope) {
    const double stretch = p.max_length / p.original_length;
    return stretch <= 1 ? 1.0 : std::sqrt(1.0 + std::log(stretch) / std::log(p.original_length));
  }
  // 0 is "not given", also where a file says it: Hugging Face asks whether both are true. DeepSeek's own code always
  // has the quotient, in which an mscale that is not given is 1 and g(s, 0) is 1.
  const double mscale = p.mscale != 0 ? p.mscale : 1.0;
  const bool both = p.mscale != 0 && p.mscale_all_dim != 0;
  if (both || p.mscale_rule == MscaleRule::deepseek)
    return yarnTemperature(p.factor, mscale) / yarnTemperature(p.factor, p.mscale_all_dim);
  return yarnTemperature(p.factor, 1.0);
}

double softmaxScaleMultiplier(const RotaryParams& p) {
  if (p.scaling == RotaryScaling::none || p.mscale_all_dim == 0) return 1.0;
  const double g = yarnTemperature(p.factor, p.mscale_all_dim);
  return g * g;
}

YarnBounds yarnBounds(const RotaryParams& p, std::int64_t rotary_dim) {
  const double d = static_cast<double>(rotary_dim);
  // The pair (a real number) that makes `turns` turns within the original length.
  const auto pairOf = [&](double turns) {
    return d * std::log(p.original_length / (turns * two_pi)) / (2.0 * std::log(p.base));
  };
  // Programs read "beta_fast or 32": a 0 that is written out stands for the default.
  constexpr double usual_fast = 32, usual_slow = 1;
  double low = pairOf(p.beta_fast == 0 ? usual_fast : p.beta_fast);
  double high = pairOf(p.beta_slow == 0 ? usual_slow : p.beta_slow);
  if (p.truncate) {
    low = std::floor(low);
    high = std::ceil(high);
  }
  // Pairs are counted to d/2 − 1, yet the models clamp at d − 1; clamping lower would change the slope.
  return {std::max(low, 0.0), std::min(high, d - 1.0)};
}

std::vector<double> wavelengths(const std::vector<double>& inverse_frequencies) {
  std::vector<double> lengths(inverse_frequencies.size());
  std::ranges::transform(inverse_frequencies, lengths.begin(), [](double w) { return two_pi / w; });
  return lengths;
}

Expected<std::int64_t> criticalDim(double base, std::int64_t rotary_dim, double length) {
  if (!(base > 0) || !(length > 0))
    return fail(ErrorCode::out_of_range,
                join("critical dimension: base and length must be above 0, got base ", base, " and length ", length),
                join("临界维度：base 和长度必须大于 0，得到 base ", base, "、长度 ", length));
  if (base == 1)
    return fail(ErrorCode::not_defined, "critical dimension: base must differ from 1, got 1 (it divides by ln base)",
                "临界维度：base 不能等于 1，得到 1（公式要除以 ln base）");
  const double d = static_cast<double>(rotary_dim);
  const double dims = 2.0 * std::ceil(d / 2.0 * std::log(length / two_pi) / std::log(base));
  return static_cast<std::int64_t>(std::clamp(dims, 0.0, d));
}

}  // namespace posiscope
