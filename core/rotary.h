// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding.h"
#include "core/error.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace posiscope {

/// How the frequencies of a rotary encoding are changed to reach beyond the trained length.
enum class RotaryScaling { none, linear, ntk, dynamic, yarn, yarn_paper, llama3, longrope, proportional };

/// Which program's reading of YaRN's mscale: Hugging Face ignores it when mscale_all_dim is 0, DeepSeek does not.
enum class MscaleRule { hf, deepseek };

/// Everything the rotary formulas need besides the shape.
struct RotaryParams {
  Pairing pairing = Pairing::interleaved;
  double base = 10000;
  std::int64_t rotary_dim = 0;  ///< 0 = head_dim · rotary_share, rounded down
  double rotary_share = 1;
  RotaryScaling scaling = RotaryScaling::none;
  double factor = 4;
  double original_length = 4096;  ///< trained length, in tokens; YaRN, Llama-3, LongRoPE
  double max_length = 4096;       ///< tokens: dynamic NTK starts beyond it, LongRoPE reaches that far
  bool stateful = false;          ///< dynamic NTK: longer sequences seen before are not forgotten
  double longest_seen = 0;        ///< … the longest of them, in tokens
  double beta_fast = 32;          ///< YaRN: pairs that turn more often in training are kept; `yarn` reads 0 as 32
  double beta_slow = 1;           ///< YaRN: pairs that turn less often are interpolated; `yarn` reads 0 as 1
  bool truncate = true;           ///< YaRN: bounds rounded to whole pairs
  double attention_factor = 0;    ///< 0 = by formula; YaRN and LongRoPE
  double mscale = 0;
  double mscale_all_dim = 0;
  MscaleRule mscale_rule = MscaleRule::hf;
  double low_freq_factor = 1;   ///< Llama-3: wavelengths above original_length / this are divided by factor
  double high_freq_factor = 4;  ///< Llama-3: wavelengths below original_length / this are kept
  /// LongRoPE: divisor of each pair up to and beyond original_length tokens; empty = 1 everywhere.
  std::vector<double> short_factor = {};
  std::vector<double> long_factor = {};
};

bool isYarn(const RotaryParams& params);

/// Dimensions of a head that turn. The product is cut, not rounded: int(100 · 0.29) is 28, as in the models. The whole
/// head with proportional scaling, where the rest of the pairs have frequency 0.
std::int64_t rotaryDim(const RotaryParams& params, std::int64_t head_dim);

/// Pairs that turn under proportional scaling: floor(share·d/2), as Hugging Face counts them.
std::int64_t proportionalPairs(const RotaryParams& params, std::int64_t head_dim);

/// Can these parameters rotate a head of this width? Errors: bad_shape (odd, none or too many dimensions),
/// out_of_range (base ≤ 0, bounds in the wrong order), not_defined (YaRN with base 1, NTK with 2 dimensions);
/// for LongRoPE bad_shape and out_of_range (one positive factor for each pair).
/// Everything below may be called after it succeeded.
Outcome checkRotary(std::string_view owner, const RotaryParams& params, std::int64_t head_dim);

/// One sentence each on values that are allowed but hardly meant: base below 1, crossed YaRN bounds, LongRoPE without
/// lists, frequencies kept from a longer sequence.
std::vector<Text> rotaryWarnings(const RotaryParams& params, std::int64_t rotary_dim, std::int64_t seq_len);

/// The length that dynamic NTK scales for, in tokens: max(seq_len, max_length), or, in code that keeps its state, the
/// longest sequence seen until one shorter than max_length comes.
double dynamicLength(const RotaryParams& params, std::int64_t seq_len);

/// The base after NTK-aware or dynamic scaling, otherwise `base`. Only dynamic scaling looks at seq_len.
double effectiveBase(const RotaryParams& params, std::int64_t rotary_dim, std::int64_t seq_len);

/// inv_freq of each of the rotary_dim / 2 pairs, in radians per token, after scaling. LongRoPE looks at seq_len too:
/// one token more than original_length changes all of them.
std::vector<double> inverseFrequencies(const RotaryParams& params, std::int64_t rotary_dim, std::int64_t seq_len);

/// Multiplies cos and sin of queries and keys alike; 1 except for YaRN and LongRoPE.
double attentionFactor(const RotaryParams& params);
/// DeepSeek's factor on the softmax scale, g(factor, mscale_all_dim)²; 1 when mscale_all_dim is 0.
double softmaxScaleMultiplier(const RotaryParams& params);

/// The pairs between which YaRN blends, before they are kept apart by 0.001. high < low can happen for tiny
/// original lengths; the models then interpolate nothing.
struct YarnBounds {
  double low;
  double high;
};
YarnBounds yarnBounds(const RotaryParams& params, std::int64_t rotary_dim);

/// 2π / inv_freq, in tokens.
std::vector<double> wavelengths(const std::vector<double>& inverse_frequencies);

/// How many dimensions complete a turn within `length` tokens: 2·ceil((d/2)·log_b(length/2π)), 0 to rotary_dim.
/// Errors: not_defined for base 1, out_of_range for base ≤ 0 and length ≤ 0.
Expected<std::int64_t> criticalDim(double base, std::int64_t rotary_dim, double length);

}  // namespace posiscope
