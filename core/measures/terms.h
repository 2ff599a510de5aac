// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace posiscope::measures {

// Which term of its formula a number is, with its own numbers in place of the symbols. Formulas, not sentences: they
// are the same in every language. What only a scheme can tell stands in the `term` of its encoding's parts.

/// "Σₚ cos(405 · θₚ) / 64" for the multiplier 1/64, "2 · …" for 2, the body alone for 1.
std::string scaledTerm(double multiplier, const std::string& body);

/// The cosine or sine of a pair at a token: "cos(412 · θ₂₁), θ₂₁ = 0.0135", times the attention factor.
std::string rotationTerm(const RotationPart& rotation, std::int64_t set, std::int64_t token, std::int64_t pair,
                         const std::string& wave);

/// "cos of the angle", and where an attention factor makes it larger or smaller, that it does: what the numbers
/// of a rotation's table are. Its value stands in each number's term.
Text waveName(const RotationPart& rotation, const std::string& wave);

/// The all-ones score of two tokens n places apart.
std::string onesTerm(double multiplier, double n);

/// The cell of an added table: what the scheme says, or "P[412, 7]".
std::function<std::string(std::int64_t i, std::int64_t d)> tableTerm(const InputPart<float>& input);

/// The bias of a head at an offset or for a query and a key: what the scheme says, or where a table is looked up
/// "b[12, 3], 12 = row(412, 7)", or "β₃(405)".
std::string biasTerm(const OffsetBias<float>& bias, std::int64_t head, std::int64_t n);
std::string biasTerm(const PairBias<float>& bias, const RowLookup& lookup, std::int64_t head, std::int64_t i,
                     std::int64_t j);

/// One cell of a head's attention: "softmaxⱼ(0.125 · q[412]ᵀ R(−405) k[7] + β), β = …". `shape` and `mask` are those
/// attended with.
std::function<std::string(std::int64_t i, std::int64_t j)> attentionTerm(
    std::shared_ptr<const Encoding<float>> encoding, const Shape& shape, std::shared_ptr<const Mask> mask,
    std::int64_t head, bool logits);

}  // namespace posiscope::measures
