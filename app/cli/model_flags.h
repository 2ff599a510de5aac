// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/transformers/forward.h"

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace posiscope::cli {

/// The part of the grammar that names a trained model, what it is given, and the knobs that are turned.
class ModelFlags {
 public:
  /// Must outlive the parsing.
  explicit ModelFlags(CLI::App& app);

  struct Loaded {
    transformers::Model model;
    transformers::Prompt prompt;
  };
  /// The model with its settings and the tokens it is given. What was odd in its files is printed on stderr. Errors:
  /// what the user gave wrong; the settings are checked together.
  Expected<Loaded> load(const Job& job) const;

 private:
  std::string model_, tokens_, segments_, attention_mask_, row_;
  std::vector<std::string> settings_;
};

/// A flag's whole number from `least` to `most`. Errors: bad_value, out_of_range; the sentence starts with `flag`.
Expected<std::int64_t> wholeOf(const std::string& flag, const std::string& text, std::int64_t least, std::int64_t most);

}  // namespace posiscope::cli
