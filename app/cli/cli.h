// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"

#include <optional>
#include <string>
#include <vector>

namespace posiscope::cli {

/// What the command line asks of the window.
struct WindowRequest {
  std::vector<std::string> files;  ///< models, arrays or sessions to open, in order
  std::string session;             ///< --session; empty = the last one
  std::string language;            ///< --lang: "en", "zh" or empty = as remembered
  std::string theme;               ///< --theme: "light", "dark", "system" or empty = as remembered
  std::string screenshot;  ///< PNG to save the settled window in; then the program ends
};

/// Exit codes besides 0.
inline constexpr int exit_difference = 1;  ///< verify: something differs, or was not compared
inline constexpr int exit_wrong_use = 2;   ///< what the user can correct; one sentence is on stderr
inline constexpr int exit_interrupted = 130;  ///< stopped by Ctrl-C, as shells count it

/// Runs the command in the arguments and answers its exit code; nothing when the window is to be opened instead.
/// No display is needed. Must be called before a QApplication exists.
std::optional<int> runCommand(int argc, const char* const* argv, WindowRequest& window);

/// Whether the window asked for can be shown. Qt ends the program where there is no display, so this is asked before a
/// QApplication exists. Error: not_supported, naming what works without one.
Outcome checkDisplay(const WindowRequest& window);

}  // namespace posiscope::cli
