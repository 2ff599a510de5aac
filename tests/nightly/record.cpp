// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/nightly/record.h"

#include "core/error.h"
#include "core/files/reader.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <numeric>

namespace posiscope::train {
namespace {

using nlohmann::ordered_json;

/// The lines of the record, one for each expectation.
ordered_json& lines() {
  static ordered_json all = ordered_json::array();
  return all;
}

ordered_json numberOrNull(double value) { return std::isfinite(value) ? ordered_json(value) : ordered_json(); }

class WriteAtEnd : public testing::Environment {
 public:
  void TearDown() override {
    const char* path = std::getenv("POSISCOPE_PHENOMENA_RECORD");
    if (!path) return;
    const ordered_json record{{"seeds", seedsToRun()}, {"results", lines()}};
    EXPECT_TRUE(files::writeAtomically(path, record.dump(1) + "\n")) << path;
  }
};
const testing::Environment* const write_at_end = testing::AddGlobalTestEnvironment(new WriteAtEnd);

}  // namespace

void expectInBand(const std::string& phenomenon, const std::string& encoding, const std::string& quantity,
                  const std::vector<double>& values, Band band) {
  bool inside = !values.empty();
  for (const double value : values) {
    EXPECT_GE(value, band.low) << phenomenon << ", " << encoding << ": " << quantity;
    EXPECT_LE(value, band.high) << phenomenon << ", " << encoding << ": " << quantity;
    inside = inside && value >= band.low && value <= band.high;
  }
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  const auto [least, most] = std::ranges::minmax_element(values);
  std::cout << join(phenomenon, ", ", encoding, ": ", quantity, " ", mean, " [", *least, ", ", *most, "]",
                    inside ? "\n" : " outside its band\n")
            << std::flush;
  lines().push_back({{"phenomenon", phenomenon},
                     {"encoding", encoding},
                     {"quantity", quantity},
                     {"mean", numberOrNull(mean)},
                     {"smallest", numberOrNull(*least)},
                     {"largest", numberOrNull(*most)},
                     {"band", {numberOrNull(band.low), numberOrNull(band.high)}},
                     {"inside", inside}});
}

std::vector<std::uint64_t> seedsToRun() {
  const char* asked = std::getenv("POSISCOPE_PHENOMENA_SEEDS");
  std::vector<std::uint64_t> seeds(asked ? static_cast<std::size_t>(std::max(1, std::atoi(asked))) : 3);
  std::iota(seeds.begin(), seeds.end(), std::uint64_t{1});
  return seeds;
}

}  // namespace posiscope::train
