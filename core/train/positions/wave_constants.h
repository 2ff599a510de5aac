// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/param_table.h"

#include <numbers>

namespace posiscope::train::positions {

/// A sinusoidal table as the bench adds it. The scale gives its rows the norm of the words at the start.
struct WaveConstants {
  double base = 10000;
  double scale = 0.2 * std::numbers::sqrt2;
};

template <class P>
void addWaveConstants(ParamTable<P>& t) {
  t.real("base", static_cast<double P::*>(&P::base), {1.000001, 1e9, 100, 1e6, true},
         {{"base", "底数"}, {"Sets how slowly the last pair turns.", "决定最后一对转得有多慢。"}});
  t.real("scale", static_cast<double P::*>(&P::scale), {0, 100, 0.01, 4, true},
         {{"scale", "缩放"},
          {"Multiplies the table; 0.283 gives its rows the length of a word's vector at the start.",
           "整张表乘以此数；0.283 使其各行在开始时与词向量同长。"}});
}

/// Of an encoding that has these alone.
inline ParamTable<WaveConstants> waveConstantsTable() {
  ParamTable<WaveConstants> t;
  addWaveConstants(t);
  return t;
}

}  // namespace posiscope::train::positions
