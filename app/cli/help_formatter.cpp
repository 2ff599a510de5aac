// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/help_formatter.h"

#include <sstream>
#include <string_view>
#include <utility>

namespace posiscope::cli {
namespace {

std::string without(std::string text, std::string_view part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part)) text.erase(at, part.size());
  return text;
}

}  // namespace

std::string HelpFormatter::make_usage(const CLI::App* app, std::string name) const {
  return without(CLI::Formatter::make_usage(app, std::move(name)), " []");
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  const std::string name = make_option_name(option, is_positional) + make_option_opts(option);
  std::string counted = name;  // one byte a letter, for CLI11 to count
  std::erase_if(counted, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80; });
  std::ostringstream line;
  CLI::detail::format_help(line, counted, make_option_desc(option), get_column_width());
  std::string text = line.str();
  return text.replace(text.find(counted), counted.size(), name);
}

std::string HelpFormatter::make_option_name(const CLI::Option* option, bool is_positional) const {
  return without(CLI::Formatter::make_option_name(option, is_positional), "{false}");
}

}  // namespace posiscope::cli
