// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/reader.h"
#include "tests/app/command_line.h"
#include "tests/support/shared.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <filesystem>

namespace posiscope {
namespace {

using test::posiscope;

std::string lastLine(const std::string& text) {
  const std::vector<std::string> lines = test::lines(text);
  return lines.empty() ? "" : lines.back();
}

TEST(VerifyCommand, PrintsEachCaseThenTheSum) {
  const test::Ran ran = posiscope({"verify", test::dataPath("reference/manifest.json"), "--schemes", "learned"});
  EXPECT_EQ(ran.code, std::optional<int>(0)) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("PASS learned_lookup learned/lookup error 0 tol 0 (exact, float)"), std::string::npos)
      << ran.out;
  EXPECT_EQ(lastLine(ran.out), "18 passed, 0 failed, 0 unsupported");
}

TEST(VerifyCommand, SeveralManifestsAreSummedUp) {
  const test::Ran ran =
      posiscope({"verify", test::dataPath("reference/manifest.json"), test::dataPath("reference_more/manifest.json"),
                 "--schemes", "learned,self_extend", "--double"});
  EXPECT_EQ(ran.code, std::optional<int>(0)) << ran.out << ran.err;
  EXPECT_EQ(lastLine(ran.out), "24 passed, 0 failed, 0 unsupported");
}

TEST(VerifyCommand, AChangedReferenceFails) {
  const test::TemporaryFolder folder;
  const std::string copy = folder.file("reference");
  std::filesystem::copy(test::dataPath("reference"), copy, std::filesystem::copy_options::recursive);
  const std::string manifest = copy + "/manifest.json";
  ASSERT_EQ(posiscope({"verify", manifest, "--schemes", "sinusoidal"}).code, std::optional<int>(0));
  const std::string golden = copy + "/sin_d512_b10k_l32.npy";
  const Expected<Array> array = files::readNpy(golden);
  ASSERT_TRUE(array);
  std::vector<double> values = *array->values;
  values[1000] += 1e-5;
  ASSERT_TRUE(files::writeNpy(golden, makeArray(array->shape, values)));
  const test::Ran ran = posiscope({"verify", manifest, "--schemes", "sinusoidal"});
  EXPECT_EQ(ran.code, std::optional<int>(1));
  EXPECT_NE(ran.out.find("FAIL sin_d512_b10k_l32"), std::string::npos) << ran.out;
  EXPECT_TRUE(lastLine(ran.out).ends_with(" passed, 1 failed, 0 unsupported")) << lastLine(ran.out);
}

TEST(VerifyCommand, UnsupportedCasesFailUnlessTold) {
  const test::TemporaryFolder folder;
  const std::string manifest = folder.write("m.json", R"({"cases": [
    {"id": "odd", "scheme": "rope", "quantity": "inv_freq", "params": {"head_dim": 7}, "file": null, "expect": {"error": "odd"}},
    {"id": "new", "scheme": "unheard_of", "quantity": "table", "params": {}, "file": null, "expect": {"error": "any"}}]})");
  EXPECT_EQ(posiscope({"verify", manifest}).code, std::optional<int>(1));
  const test::Ran told = posiscope({"verify", "--only-supported", manifest});
  EXPECT_EQ(told.code, std::optional<int>(0));
  EXPECT_EQ(lastLine(told.out), "1 passed, 0 failed, 1 unsupported");
}

TEST(VerifyCommand, AWordThatNamesNoSchemeIsNotOverlooked) {
  const std::string manifest = test::dataPath("reference/manifest.json");
  const test::Ran ran = posiscope({"verify", manifest, "--schemes", "learned,bogus"});
  EXPECT_EQ(ran.code, std::optional<int>(1));
  EXPECT_EQ(test::lines(ran.err).size(), 1u) << ran.err;
  EXPECT_NE(ran.err.find("'bogus'"), std::string::npos) << ran.err;
  EXPECT_EQ(lastLine(ran.out), "18 passed, 0 failed, 0 unsupported");
  // A scheme that has no case here, and a name that only manifests use.
  EXPECT_TRUE(posiscope({"verify", manifest, "--schemes", "learned,alibi,derived"}).err.empty());
}

TEST(VerifyCommand, NoNamesAreNotAllSchemes) {
  for (const char* names : {"", ",", ",,"}) {
    const test::Ran ran = posiscope({"verify", test::dataPath("reference/manifest.json"), "--schemes", names});
    EXPECT_EQ(ran.code, std::optional<int>(2)) << names;
    EXPECT_EQ(test::lines(ran.err).size(), 1u) << ran.err;
    EXPECT_NE(ran.err.find("--schemes must be one or more names"), std::string::npos) << ran.err;
    EXPECT_TRUE(ran.out.empty()) << ran.out;
  }
}

TEST(VerifyCommand, NothingComparedFails) {
  const test::Ran ran =
      posiscope({"verify", "--only-supported", test::dataPath("reference/manifest.json"), "--schemes", "alibi"});
  EXPECT_EQ(ran.code, std::optional<int>(1));
  EXPECT_EQ(lastLine(ran.out), "0 passed, 0 failed, 0 unsupported");
}

}  // namespace
}  // namespace posiscope
