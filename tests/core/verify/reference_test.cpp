// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The reference data that this version can compute, in both precisions.
#include "core/verify.h"
#include "core/verify/manifest.h"
#include "tests/support/shared.h"

#include <gtest/gtest.h>

namespace posiscope {
namespace {

struct Run {
  const char* folder;
  verify::Precision precision;
};

class ReferenceTest : public testing::TestWithParam<Run> {};

TEST_P(ReferenceTest, EveryCasePasses) {
  const std::string path = test::dataPath(std::string(GetParam().folder) + "/manifest.json");
  const auto cases = verify::readManifest(path);
  ASSERT_TRUE(cases) << cases.error().message.en;
  const auto report = verify::run(path, {{}, GetParam().precision}, Job{});
  ASSERT_TRUE(report) << report.error().message.en;
  for (const verify::CaseReport& c : report->cases)
    EXPECT_EQ(c.state, verify::State::passed)
        << c.id << ": error " << c.largest_error << ", tolerance " << c.tolerance << " (" << c.line << "): " << c.note;
  EXPECT_EQ(static_cast<std::size_t>(report->passed), cases->size());
  EXPECT_GT(report->passed, 0);
}

std::string nameOf(const testing::TestParamInfo<Run>& info) {
  return std::string(info.param.folder) + (info.param.precision == verify::Precision::single ? "_single" : "_double");
}

INSTANTIATE_TEST_SUITE_P(Manifests, ReferenceTest,
                         testing::Values(Run{"reference", verify::Precision::single},
                                         Run{"reference", verify::Precision::double_},
                                         Run{"reference_rotary", verify::Precision::single},
                                         Run{"reference_rotary", verify::Precision::double_},
                                         Run{"reference_rotary_more", verify::Precision::single},
                                         Run{"reference_rotary_more", verify::Precision::double_},
                                         Run{"reference_bias", verify::Precision::single},
                                         Run{"reference_bias", verify::Precision::double_},
                                         Run{"reference_more", verify::Precision::single},
                                         Run{"reference_more", verify::Precision::double_}),
                         nameOf);

TEST(ReferenceCount, EnoughOfTheReferenceIsCovered) {
  std::size_t covered = 0;
  for (const char* folder : {"reference", "reference_bias"})
    covered += verify::readManifest(test::dataPath(std::string(folder) + "/manifest.json"))->size();
  EXPECT_GE(covered, 190u);
}

}  // namespace
}  // namespace posiscope
