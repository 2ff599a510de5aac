// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace posiscope {

/// A word of a formula that stands for a number, and where it stands first.
struct FormulaName {
  std::string_view word;  ///< of the text
  std::size_t byte = 0;

  bool operator==(const FormulaName&) const = default;
};

/// The words of letters, digits and underscores that stand for a number, each once in the order of first use: neither
/// functions nor what every formula knows (pi). Answers for any text, also one that is no formula yet.
std::vector<FormulaName> namesIn(std::string_view text);

}  // namespace posiscope
