// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parameter.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

namespace posiscope::cli {

/// "seq_len" → "--seq-len".
std::string flagName(std::string_view key);

/// Meaning, unit, range or choices, and default of a parameter in one line of help.
std::string flagHelp(const ParamSpec& spec);

/// The array of a file that was named on the command line. What should be known of its numbers is printed on stderr.
Expected<Array> readArrayFile(const std::string& path);

/// What may stand in a mask of tokens: 1 = real, 0 = padding. Any other number is refused: of a mask that is added to
/// the logits, 0 and −1e9, the zeros are the real tokens. Errors: bad_value.
Expected<std::vector<std::uint8_t>> realOrPadding(const std::string& flag, std::span<const double> numbers);

/// Flags made from parameter tables: one for each parameter, read back as values. Must outlive the parsing.
class ParamFlags {
 public:
  /// `owner` starts the sentence of an error ("shape").
  explicit ParamFlags(std::string owner) : owner_(std::move(owner)) {}

  void add(CLI::App& app, const std::vector<ParamSpec>& specs, const std::string& group);
  /// One parameter under another flag than its key's.
  CLI::Option* add(CLI::App& app, const ParamSpec& spec, const std::string& flag, const std::string& group);

  /// The values of the flags that were given. Errors: bad_value, out_of_range, those of reading arrays.
  Expected<ParamValues> values() const;
  bool given(std::string_view key) const;

 private:
  struct Flag {
    ParamSpec spec;
    std::string name;
    std::string text;
    CLI::Option* option = nullptr;
  };

  std::string owner_;
  std::deque<Flag> flags_;  // CLI11 keeps pointers to the texts
};

}  // namespace posiscope::cli
