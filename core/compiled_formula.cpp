// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compiled_formula.h"

#include <cmath>
#include <numbers>
#include <string>

namespace posiscope {
namespace {

double remainder(double x, double y) { return x - y * std::floor(x / y); }
double down(double x) { return std::floor(x); }
double up(double x) { return std::ceil(x); }

void addBuiltIns(mu::Parser& parser) {
  parser.DefineFun("floor", down);
  parser.DefineFun("ceil", up);
  parser.DefineFun("mod", remainder);
  parser.DefineConst("pi", std::numbers::pi);
}

}  // namespace

CompiledFormula::CompiledFormula(const Formula& formula) : values_(formula.variables.size()) {
  addBuiltIns(parser_);
  for (const auto& [name, value] : formula.constants) parser_.DefineConst(name, value);
  for (std::size_t v = 0; v < values_.size(); ++v) parser_.DefineVar(formula.variables[v], &values_[v]);
  parser_.SetExpr(formula.text);
}

bool isBuiltIn(std::string_view word) {
  static const mu::Parser parser = [] {
    mu::Parser plain;
    addBuiltIns(plain);
    return plain;
  }();
  const std::string name(word);
  return parser.GetFunDef().contains(name) || parser.GetConst().contains(name);
}

}  // namespace posiscope
