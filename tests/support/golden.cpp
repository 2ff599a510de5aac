// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/golden.h"

#include "core/files/reader.h"
#include "tests/support/shared.h"

#include <gtest/gtest.h>
#include <cmath>

namespace posiscope::test {

Array golden(const std::string& name, const std::string& folder) {
  const auto array = files::readNpy(dataPath(folder + "/" + name + ".npy"));
  if (array) return *array;
  ADD_FAILURE() << array.error().message.en;
  return makeArray({0, 0}, {});
}

void expectClose(std::span<const double> found, const Array& wanted, double relative, double absolute,
                 const std::string& what) {
  ASSERT_EQ(static_cast<std::int64_t>(found.size()), wanted.size()) << what;
  ASSERT_FALSE(found.empty()) << what;
  double worst = 0;
  std::size_t place = 0;
  for (std::size_t e = 0; e < found.size(); ++e) {
    const double target = wanted.data()[e];
    const double error =
        found[e] == target ? 0 : std::abs(found[e] - target) / (absolute + relative * std::abs(target));
    if (!(error <= worst)) {  // a NaN is the worst of all
      worst = error;
      place = e;
    }
  }
  EXPECT_LE(worst, 1.0) << what << ": number " << place << " is " << found[place] << ", wanted "
                        << wanted.data()[place];
}

}  // namespace posiscope::test
