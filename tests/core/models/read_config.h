// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/models/config.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <string>
#include <vector>

namespace posiscope::models {

/// A config.json that must be readable.
inline Inspection read(const std::string& json) {
  Inspection result;
  const Outcome ok = readConfig(json, "config.json", result);
  EXPECT_TRUE(ok) << (ok ? "" : ok.error().message.en);
  return result;
}

inline std::string all(const std::vector<Text>& texts) {
  std::string joined;
  for (const Text& text : texts) joined += text.en + "\n";
  return joined;
}

/// In both languages.
inline bool has(const std::vector<Text>& texts, const std::string& part) {
  return std::ranges::any_of(texts,
                             [&](const Text& t) { return t.en.find(part) != std::string::npos && !t.zh.empty(); });
}

}  // namespace posiscope::models
