// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/terms.h"

#include "core/pooled_queries.h"
#include "core/screen_number.h"

namespace posiscope::measures {
namespace {

/// "q[412]"
std::string at(const char* symbol, double position) { return join(symbol, "[", screenNumber(position), "]"); }

double positionOf(const Shape& shape, std::int64_t token) { return shape.first_position + static_cast<double>(token); }

/// What the scale multiplies, before any bias. `q` is the query's name.
std::string scoreTerm(const Encoding<float>& e, const Shape& shape, const std::string& q, std::int64_t query,
                      std::int64_t key) {
  const std::string k = at("k", positionOf(shape, key));
  if (e.logits.score.prepare) return join("s(", q, ", ", k, ")");
  const std::string scale = e.logit_scale == 1 ? "" : screenFactor(e.logit_scale, 1) + " · ";
  if (!e.rotation) return scale + q + " · " + k;
  // Turning both tokens is the same as turning the key by what lies between them.
  return join(scale, q, "ᵀ R(", screenNumber(static_cast<double>(key - query)), ") ", k);
}

std::string biasOf(const Encoding<float>& e, const Shape& shape, std::int64_t head, std::int64_t i, std::int64_t j) {
  if (const auto* offset = std::get_if<OffsetBias<float>>(&e.logits.bias))
    return biasTerm(*offset, head, i + shape.queryOffset() - j);
  if (const auto* pair = std::get_if<PairBias<float>>(&e.logits.bias))
    return biasTerm(*pair, e.logits.lookup, head, i, j);
  return {};
}

}  // namespace

std::string scaledTerm(double multiplier, const std::string& body) {
  if (multiplier == 1) return body;
  if (multiplier < 1) return body + " / " + screenFactor(1 / multiplier, 1);
  return screenFactor(multiplier, 1) + " · " + body;
}

Text waveName(const RotationPart& rotation, const std::string& wave) {
  const Text plain{join(wave, " of the angle"), join("角度的 ", wave)};
  if (rotation.attention_factor == 1) return plain;
  return {plain.en + " × attention factor", plain.zh + " × 注意力因子"};
}

std::string rotationTerm(const RotationPart& rotation, std::int64_t set, std::int64_t token, std::int64_t pair,
                         const std::string& wave) {
  const std::int64_t length = static_cast<std::int64_t>(rotation.position.size()) / rotation.axes;
  const auto position = [&](std::int64_t axis) {
    return rotation.position[static_cast<std::size_t>(axis * length + token)];
  };
  const auto frequency = [&](std::int64_t axis) {
    return screenFactor(rotation.frequencyOf(set, axis, pair), position(axis));
  };
  const auto waveOf = [&](const std::string& angle) {
    return scaledTerm(rotation.attention_factor, join(wave, "(", angle, ")"));
  };
  if (rotation.axes == 1) {
    const std::string theta = "θ" + subscript(pair);
    return waveOf(screenNumber(position(0)) + " · " + theta) + ", " + theta + " = " + frequency(0);
  }
  std::string angle;
  for (std::int64_t a = 0; a < rotation.axes; ++a)
    angle += (a ? " + " : "") + screenNumber(position(a)) + " · " + frequency(a);
  return waveOf(angle);
}

std::string onesTerm(double multiplier, double n) {
  return scaledTerm(multiplier, "Σₚ cos(" + screenNumber(n) + " · θₚ)");
}

std::function<std::string(std::int64_t i, std::int64_t d)> tableTerm(const InputPart<float>& input) {
  if (input.term) return input.term;
  return [](std::int64_t i, std::int64_t d) { return join("P[", i, ", ", d, "]"); };
}

std::string biasTerm(const OffsetBias<float>& bias, std::int64_t head, std::int64_t n) {
  return bias.term ? bias.term(head, n) : "β" + subscript(head) + "(" + screenNumber(static_cast<double>(n)) + ")";
}

std::string biasTerm(const PairBias<float>& bias, const RowLookup& lookup, std::int64_t head, std::int64_t i,
                     std::int64_t j) {
  if (bias.term) return bias.term(head, i, j);
  const std::string pair =
      "(" + screenNumber(static_cast<double>(i)) + ", " + screenNumber(static_cast<double>(j)) + ")";
  if (lookup.rows == 0) return "β" + subscript(head) + pair;
  const std::int64_t row = lookup.row(i, j);
  return row < 0 ? "0" : join("b[", row, ", ", head, "], ", row, " = row", pair);
}

std::function<std::string(std::int64_t i, std::int64_t j)> attentionTerm(
    std::shared_ptr<const Encoding<float>> encoding, const Shape& shape, std::shared_ptr<const Mask> mask,
    std::int64_t head, bool logits) {
  const bool pooled = pooledQueries(*encoding, shape).has_value();
  return [=](std::int64_t i, std::int64_t j) -> std::string {
    if (!logits && !mask->allows(shape, i, j)) return "exp(−∞) = 0";
    const Encoding<float>& e = *encoding;
    const std::int64_t token = i + shape.queryOffset();
    std::string text =
        scoreTerm(e, shape, at("q", pooled ? static_cast<double>(i) : positionOf(shape, token)), token, j);
    const std::string bias = biasOf(e, shape, head, i, j);
    if (!bias.empty()) text += " + β";
    if (!logits) text = "softmaxⱼ(" + text + ")";
    if (!bias.empty()) text += ", β = " + bias;
    if (e.input.transform) return text + ", q[i] = W_Q f(x)[i]";
    return e.input.hasTable() ? text + ", q[i] = W_Q (x[i] + P[i])" : text;
  };
}

}  // namespace posiscope::measures
