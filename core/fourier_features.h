// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding.h"

#include <cstdint>
#include <span>

namespace posiscope {

/// Two orders of the same features, both of Tancik et al. 2020.
enum class FourierOrder {
  code,   ///< all sin 2πb·v, then all cos 2πb·v
  paper,  ///< cos 2πb·v, sin 2πb·v for each row b
};

/// The features of one point: `directions` [m, axes] in turns per unit, `point` [axes], out 2·m numbers.
template <class T>
void fourierFeatures(FourierOrder order, Rows<double> directions, std::span<const double> point, std::span<T> out);

/// γ(v)·γ(v′) = Σ_j cos 2πb_j·(v − v′) for all pairs of `points` [n, axes]; [n, n]. It depends on v − v′ only.
Table<double> fourierKernel(Rows<double> directions, Rows<double> points);

/// The features of NeRF (Mildenhall et al. 2020): one octave a band.
struct FourierBands {
  std::int64_t num_freqs = 10;  ///< bands, 2⁰ … 2^(n−1)
  bool use_pi = true;           ///< sin(2ᵏπv) of the paper; false: sin(2ᵏv) of the released code
  bool include_input = false;   ///< the coordinates themselves stand in front

  std::int64_t width(std::int64_t axes) const { return axes * (2 * num_freqs + (include_input ? 1 : 0)); }
};

/// For each band the sines of all coordinates, then their cosines; out has `width(axes)` numbers.
template <class T>
void bandedFeatures(const FourierBands& bands, std::span<const double> point, std::span<T> out);

}  // namespace posiscope
