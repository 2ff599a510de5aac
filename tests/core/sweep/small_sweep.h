// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sweep/sweep.h"

#include <gtest/gtest.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace posiscope::test {

/// Eighteen items: with maps, with curves, and some without an answer (a table of ten rows).
inline const nlohmann::json& smallSweepJson() {
  static const nlohmann::json root = nlohmann::json::parse(R"({
    "schemes": [{"id": "rope", "grid": {"base": [100, 10000]}}, {"id": "learned", "values": {"max_positions": 10}}],
    "measures": ["relative_decay", "position_table", {"id": "norm_ratio"}],
    "shape": {"d_model": 16, "num_heads": 2, "head_dim": 8},
    "grid": {"shape.seq_len": [8, 12]}})");
  return root;
}

inline sweep::Sweep sweepOf(const nlohmann::json& root) {
  const Expected<sweep::Sweep> sweep = sweep::sweepFromJson(root, "spec.json");
  EXPECT_TRUE(sweep) << (sweep ? "" : sweep.error().message.en);
  return sweep ? *sweep : sweep::Sweep{};
}

/// Every file below a folder: its name there and its bytes.
inline std::map<std::string, std::string> filesIn(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    files[std::filesystem::relative(entry.path(), folder).string()] = {std::istreambuf_iterator<char>(in), {}};
  }
  return files;
}

}  // namespace posiscope::test
