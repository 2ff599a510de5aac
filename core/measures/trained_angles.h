// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure.h"
#include "core/measures/encoded.h"

#include <cstdint>
#include <string>
#include <vector>

namespace posiscope::measures {

/// Do the positions of all axes count on by the same step from token to token? On a grid they do not, nor do drawn ids.
bool countsTokens(const RotationPart& rotation);

/// How far round the pairs of one head go, radians: so many steps as there are places, L · w in L tokens and on a grid
/// of L rows alike. From the first place to the last it is one step less.
struct Swept {
  std::vector<double> angle;
  std::vector<double> step;  ///< from one place to the next

  bool completes(std::size_t pair) const;
  /// How the turns of a pair come about at positions that are not counted in tokens.
  std::string term(std::size_t pair) const;
  /// Turns of each pair.
  std::vector<double> turns() const;
};

/// The angles of a question and those that training met, which no scaling had changed. Turns, spectrum and card ask
/// the same one.
struct TrainedAngles {
  EncodingPtr now;
  EncodingPtr plain;  ///< before scaling, at the same positions
  /// Before scaling, at the positions of training: another one than `plain` only where a token's step depends on the
  /// length, as where coordinates are stretched to one interval.
  EncodingPtr then;
  /// Positions count tokens, so that any number of them has an angle; else they are those of a grid, drawn ids …
  bool by_token = true;
  bool known = false;  ///< the training length says which angles were met; of a grid, a number of tokens does not
  double tokens = 0;   ///< in which they are counted: those of the training length, or of the question
  double keys = 0;     ///< of the question

  std::int64_t sets() const { return now->rotation ? now->rotation->sets : 1; }
  bool stretched() const { return then != plain; }
  Swept nowOf(std::int64_t set) const;
  Swept seenOf(std::int64_t set) const;
  /// Of this encoding in so many tokens, or at its own positions.
  Swept sweptBy(const Encoding<float>& encoding, std::int64_t set, double length) const;
};
Expected<TrainedAngles> trainedAngles(const Question& question);

/// Pairs that did not complete a turn in training and now go farther than they went then: angles never seen.
std::int64_t unseenPairs(const Swept& now, const Swept& seen);

/// "in 8 192 tokens", or on which grid or at whose positions.
Text placesText(const TrainedAngles& angles, const Shape& shape, double tokens);

}  // namespace posiscope::measures
