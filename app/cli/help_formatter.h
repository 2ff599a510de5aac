// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace posiscope::cli {

/// CLI11's help without what only CLI11 understands: "[]" for a hidden word, "{false}" after the flag that negates;
/// and with columns that are counted in letters, not in bytes.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App* app, std::string name) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override;
};

}  // namespace posiscope::cli
