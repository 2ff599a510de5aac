// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a rotary encoding refuses, sentence by sentence.
#include "core/base_range.h"
#include "core/rotary.h"

#include <algorithm>

namespace posiscope {
namespace {

Outcome checkWidth(std::string_view owner, const RotaryParams& p, std::int64_t head_dim) {
  if (p.scaling == RotaryScaling::proportional) {
    if (head_dim % 2 != 0)
      return fail(ErrorCode::bad_shape, join(owner, ": proportional scaling needs an even head_dim, got ", head_dim),
                  join(owner, "：proportional 缩放要求 head_dim 为偶数，得到 ", head_dim));
    if (p.rotary_dim <= head_dim && p.rotary_dim % 2 == 0 && p.rotary_share <= 1) return {};
  }
  const std::int64_t r = p.rotary_dim > 0 ? p.rotary_dim : rotaryDim(p, head_dim);
  if (r >= 2 && r % 2 == 0 && r <= head_dim && p.scaling != RotaryScaling::proportional) return {};
  // Where the whole head turns, the width is nobody's parameter: several schemes have no other.
  if (p.rotary_dim == 0 && r == head_dim)
    return fail(ErrorCode::bad_shape,
                join(owner, ": head_dim must be even where the whole head turns in pairs, got ", head_dim),
                join(owner, "：整个头成对旋转时 head_dim 必须为偶数，得到 ", head_dim));
  const std::string from =
      p.rotary_dim > 0 ? join("head_dim ", head_dim) : join("head_dim ", head_dim, " × rotary_share ", p.rotary_share);
  return fail(ErrorCode::bad_shape,
              join(owner, ": rotary_dim must be an even number from 2 to head_dim, got ", r, " (", from, ")"),
              join(owner, "：rotary_dim 必须是 2 到 head_dim 之间的偶数，得到 ", r, "（", from, "）"));
}

Outcome checkFactors(std::string_view owner, std::string_view name, const std::vector<double>& factors,
                     std::int64_t pairs) {
  if (factors.empty()) return {};
  if (static_cast<std::int64_t>(factors.size()) != pairs)
    return fail(ErrorCode::bad_shape,
                join(owner, ": ", name, " must have ", pairs, " entries, one for each pair, got ", factors.size()),
                join(owner, "：", name, " 必须有 ", pairs, " 项（每个维度对一项），得到 ", factors.size()));
  const auto wrong = std::ranges::find_if(factors, [](double f) { return !(f > 0 && f < 1e12); });
  if (wrong == factors.end()) return {};
  return fail(ErrorCode::out_of_range, join(owner, ": the entries of ", name, " must be above 0, got ", *wrong),
              join(owner, "：", name, " 的每一项必须大于 0，得到 ", *wrong));
}

Outcome checkLongrope(std::string_view owner, const RotaryParams& p, std::int64_t pairs) {
  if (Outcome ok = checkFactors(owner, "short_factor", p.short_factor, pairs); !ok) return ok;
  if (Outcome ok = checkFactors(owner, "long_factor", p.long_factor, pairs); !ok) return ok;
  if (p.attention_factor > 0 || p.original_length > 1 || p.max_length <= p.original_length) return {};
  return fail(ErrorCode::not_defined,
              join(owner, ": LongRoPE needs an original_length above 1, got ", p.original_length,
                   " (its attention factor divides by ln original_length)"),
              join(owner, "：LongRoPE 要求 original_length 大于 1，得到 ", p.original_length,
                   "（注意力系数要除以 ln original_length）"));
}

Outcome checkBounds(std::string_view owner, const RotaryParams& p) {
  if (isYarn(p) && p.base == 1)
    return fail(ErrorCode::not_defined, join(owner, ": YaRN needs a base other than 1, got 1 (it divides by ln base)"),
                join(owner, "：YaRN 要求 base 不等于 1，得到 1（公式要除以 ln base）"));
  if (p.scaling == RotaryScaling::yarn_paper && p.beta_fast <= p.beta_slow)
    return fail(ErrorCode::out_of_range,
                join(owner, ": beta_fast must be above beta_slow ", p.beta_slow, ", got ", p.beta_fast),
                join(owner, "：beta_fast 必须大于 beta_slow ", p.beta_slow, "，得到 ", p.beta_fast));
  if (p.scaling == RotaryScaling::llama3 && p.high_freq_factor < p.low_freq_factor)
    return fail(
        ErrorCode::out_of_range,
        join(owner, ": high_freq_factor must be at least low_freq_factor ", p.low_freq_factor, ", got ",
             p.high_freq_factor),
        join(owner, "：high_freq_factor 不能小于 low_freq_factor ", p.low_freq_factor, "，得到 ", p.high_freq_factor));
  return {};
}

}  // namespace

Outcome checkRotary(std::string_view owner, const RotaryParams& p, std::int64_t head_dim) {
  if (Outcome ok = checkWidth(owner, p, head_dim); !ok) return ok;
  const std::int64_t r = rotaryDim(p, head_dim);
  if (!(p.base > 0))
    return fail(ErrorCode::out_of_range, join(owner, ": base must be above 0, got ", p.base),
                join(owner, "：base 必须大于 0，得到 ", p.base));
  if (p.scaling != RotaryScaling::none && !(p.factor > 0))
    return fail(ErrorCode::out_of_range, join(owner, ": factor must be above 0, got ", p.factor),
                join(owner, "：factor 必须大于 0，得到 ", p.factor));
  const bool changes_base = p.scaling == RotaryScaling::ntk || p.scaling == RotaryScaling::dynamic;
  if (changes_base && r == 2)
    return fail(
        ErrorCode::not_defined,
        join(owner, ": NTK scaling needs a rotary_dim of at least 4, got 2 (its exponent d/(d − 2) has no value)"),
        join(owner, "：NTK 缩放要求 rotary_dim 至少为 4，得到 2（指数 d/(d − 2) 无定义）"));
  if (p.scaling == RotaryScaling::longrope) return checkLongrope(owner, p, r / 2);
  return checkBounds(owner, p);
}

std::vector<Text> rotaryWarnings(const RotaryParams& p, std::int64_t rotary_dim, std::int64_t seq_len) {
  std::vector<Text> warnings = baseWarnings(p.base);
  if (p.scaling != RotaryScaling::none && p.scaling != RotaryScaling::longrope && p.factor < 1)
    warnings.push_back({join("With a factor of ", p.factor, ", below 1, the pairs turn faster than in training."),
                        join("倍数 ", p.factor, " 小于 1，维度对比训练时转得更快。")});
  if (p.scaling == RotaryScaling::yarn) {
    const YarnBounds bounds = yarnBounds(p, rotary_dim);
    if (bounds.high < bounds.low)
      warnings.push_back(
          {join("YaRN interpolates nothing here: its bounds are crossed (low ", bounds.low, ", high ", bounds.high,
                ")."),
           join("此处 YaRN 不插值任何维度对：两个边界交叉（low ", bounds.low, "，high ", bounds.high, "）。")});
  }
  const bool is_long = static_cast<double>(seq_len) > p.original_length;
  if (p.scaling == RotaryScaling::longrope && (is_long ? p.long_factor : p.short_factor).empty()) {
    const std::string name = is_long ? "long_factor" : "short_factor";
    warnings.push_back({join("No ", name, " is given, so no pair is stretched; the lists belong to a checkpoint."),
                        join("没有给出 ", name, "，因此不拉伸任何维度对；这些列表属于具体的检查点。")});
  }
  if (p.scaling == RotaryScaling::dynamic &&
      dynamicLength(p, seq_len) > std::max<double>(p.max_length, static_cast<double>(seq_len)))
    warnings.push_back({join("The frequencies are still those of an earlier sequence of ", p.longest_seen, " tokens."),
                        join("频率仍是之前 ", p.longest_seen, " 个词元的序列所用的频率。")});
  return warnings;
}

}  // namespace posiscope
