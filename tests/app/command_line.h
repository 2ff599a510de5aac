// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/cli.h"

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace posiscope::test {

/// What one command line did.
struct Ran {
  std::optional<int> code;  ///< empty: the window would open
  std::string out;
  std::string err;
  cli::WindowRequest window;
};

/// Runs `posiscope` with these arguments inside this process.
Ran posiscope(const std::vector<std::string>& arguments);

/// The lines of a text.
std::vector<std::string> lines(const std::string& text);

}  // namespace posiscope::test
