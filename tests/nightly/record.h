// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace posiscope::train {

/// Where the values of all seeds must lie.
struct Band {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};
inline Band atLeast(double low) { return {.low = low}; }
inline Band atMost(double high) { return {.high = high}; }

/// Checks every value and keeps them for the record, which is written at the end of the program to the file that
/// POSISCOPE_PHENOMENA_RECORD names: mean, smallest and largest, the band, and whether all seeds are in it.
void expectInBand(const std::string& phenomenon, const std::string& encoding, const std::string& quantity,
                  const std::vector<double>& values, Band band);

/// 1, 2, … as many as POSISCOPE_PHENOMENA_SEEDS says; three without it.
std::vector<std::uint64_t> seedsToRun();

}  // namespace posiscope::train
