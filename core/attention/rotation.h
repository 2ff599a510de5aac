// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding.h"

#include <span>
#include <vector>

namespace posiscope::attention {

/// Cosines, sines and magnitudes of one set for a run of consecutive tokens. Kept in double: a rotation is O(L·d)
/// beside the O(L²·d) of the logits, so exact factors are cheap.
class Rotor {
 public:
  /// `set` as in RotationPart; tokens are indices among the keys.
  Rotor(const RotationPart& rotation, std::int64_t set, std::int64_t first_token, std::int64_t tokens);

  /// Turns rows [tokens, head_dim] in place, from token `first_token` + `skip` on; q and k differ only in the
  /// direction of the xPos magnitude.
  template <class T>
  void turn(std::span<T> rows, std::int64_t head_dim, bool key, std::int64_t skip = 0) const;

 private:
  struct Turn {
    double cosine, sine;
    double magnitude;  ///< of q; k is divided by it
  };
  std::vector<std::int64_t> first_dim_, second_dim_;
  std::vector<Turn> turns_;  ///< [tokens, pairs]
};

}  // namespace posiscope::attention
