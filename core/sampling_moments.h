// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace posiscope {

/// What a large sample of initial values must look like.
struct SampleMoments {
  double mean = 0;
  double deviation = 0;       ///< the real standard deviation, below the nominal one after a cut
  double within_nominal = 0;  ///< share of |x| < the nominal standard deviation
  double excess_kurtosis = 0;
  double bound = 0;  ///< largest |x|; 0 = none
};

/// A normal of standard deviation `deviation`; with `cut` > 0 redrawn beyond ±cut·deviation (not stretched
/// afterwards), as TensorFlow and BERT do.
SampleMoments normalMoments(double deviation, double cut = 0);

}  // namespace posiscope
