// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/shared.h"

#include <cstdlib>
#include <filesystem>

namespace posiscope::test {

std::string dataPath(const std::string& name) { return std::string(POSISCOPE_TEST_DATA "/") + name; }

std::string modelsPath() {
  const char* given = std::getenv("POSISCOPE_MODELS");
  for (const std::string& path : {std::string(given ? given : ""), std::string(POSISCOPE_SHARED_DIR "/models")})
    if (!path.empty() && std::filesystem::exists(path + "/stories260K/config.json")) return path;
  return {};
}

}  // namespace posiscope::test
