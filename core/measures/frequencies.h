// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure.h"
#include "core/measures/encoded.h"
#include "core/measures/trained_angles.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace posiscope::measures {

/// Angle per token of each pair, radians: of the rotation (set `set`) or, without one, of the added sines or of a score
/// of its own; empty when nothing turns. With several axes the fastest of them counts.
std::vector<double> turning(const Encoding<float>& encoding, std::int64_t set);

/// The encoding before the scheme's scaling; null when nothing was scaled in this question.
EncodingPtr unscaledEncoding(const Question& question);
/// `turning` of it. Empty when nothing was scaled in this question.
std::vector<double> unscaled(const Question& question, std::int64_t set);

/// Why a measure of angles and frequencies has nothing to draw.
Text nothingTurns(const Encoding<float>& encoding);

/// The pair, between two of them where need be, whose wavelength is `length` tokens; nothing when all are longer or all
/// are shorter. For frequencies that fall from pair to pair; pairs that do not turn do not count.
std::optional<double> pairOfWavelength(std::span<const double> frequency, double length);

/// "29 of 64 pairs"; the Chinese has no word after it.
Text someOfPairs(std::int64_t some, std::size_t all);

/// Counts the pairs that meet angles never seen (`unseenPairs`) at `tokens` tokens: the metric "unseen_pairs" and a
/// sentence.
void addUnseen(Dataset& dataset, const Swept& now, const Swept& seen, double tokens);

/// Counts the pairs of frequency 0, where there are any, apart from the slow ones: a metric and a sentence.
void addStill(Dataset& dataset, std::span<const double> w);

/// How many pairs a scaling leaves alone and how far it stretches the others that turn: two metrics and a sentence.
void addScaling(Dataset& dataset, std::span<const double> w, std::span<const double> plain);

}  // namespace posiscope::measures
