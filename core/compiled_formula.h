// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formula.h"

#include <muParser.h>
#include <span>
#include <string_view>
#include <vector>

namespace posiscope {

/// A formula ready to be computed, with variables of its own: not safe from several threads.
class CompiledFormula {
 public:
  explicit CompiledFormula(const Formula& formula);
  CompiledFormula(const CompiledFormula&) = delete;
  CompiledFormula& operator=(const CompiledFormula&) = delete;

  std::span<double> variables() { return values_; }
  /// Throws mu::ParserError at the first call when the text is no formula.
  double value() { return parser_.Eval(); }
  /// How many values the last call found.
  int results() const { return parser_.GetNumResults(); }

 private:
  std::vector<double> values_;
  mu::Parser parser_;
};

/// Does every formula know the word: a function or a constant such as pi?
bool isBuiltIn(std::string_view word);

}  // namespace posiscope
