// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/shared.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace posiscope::test {

/// The page that the window shows about a scheme; `language` is "en" or "zh". Empty when there is none.
inline std::string schemeDocument(const std::string& scheme, const std::string& language) {
  // Beside tests/data, which need not exist.
  const std::filesystem::path folder = dataPath("../../resources/schemes/");
  std::ifstream file(folder.lexically_normal() / (scheme + "." + language + ".md"));
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace posiscope::test
