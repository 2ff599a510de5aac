// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/command_line.h"

#include <gtest/gtest.h>
#include <sstream>

namespace posiscope::test {

Ran posiscope(const std::vector<std::string>& arguments) {
  std::vector<const char*> argv{"posiscope"};
  for (const std::string& a : arguments) argv.push_back(a.c_str());
  Ran ran;
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  ran.code = cli::runCommand(static_cast<int>(argv.size()), argv.data(), ran.window);
  ran.err = testing::internal::GetCapturedStderr();
  ran.out = testing::internal::GetCapturedStdout();
  return ran;
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) result.push_back(line);
  return result;
}

}  // namespace posiscope::test
