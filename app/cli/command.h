// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"

#include <CLI/CLI.hpp>
#include <functional>

namespace posiscope::cli {

/// One subcommand: its part of the grammar and what it does. An error becomes one sentence on stderr and exit code 2.
struct Command {
  CLI::App* app = nullptr;
  std::function<Expected<int>()> run;
};

Command addSchemesCommand(CLI::App& app);
Command addPresetsCommand(CLI::App& app);
Command addViewsCommand(CLI::App& app);
Command addComputeCommand(CLI::App& app);
Command addFigureCommand(CLI::App& app);
Command addInspectCommand(CLI::App& app);
Command addAttentionCommand(CLI::App& app);
Command addHeadsCommand(CLI::App& app);
Command addLossCommand(CLI::App& app);
Command addVerifyCommand(CLI::App& app);
Command addTrainCommand(CLI::App& app);
Command addSweepCommand(CLI::App& app);
Command addMergeCommand(CLI::App& app);
Command addBenchCommand(CLI::App& app);

}  // namespace posiscope::cli
