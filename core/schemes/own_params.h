// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding.h"
#include "core/formula.h"
#include "core/param_table.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace posiscope::schemes {

/// What a formula of one's own gives.
enum class OwnKind { table, frequency, bias, list };

struct OwnParams {
  OwnKind kind = OwnKind::table;
  std::string formula;  ///< empty = the example of its kind
  std::vector<double> list{1, 0.3, 0.1, 0.03};
  Pairing pairing = Pairing::interleaved;
  /// The numbers that the formula names, in the order of their first use. They have no members: who types the formula
  /// also makes up the names.
  std::vector<std::pair<std::string, double>> numbers = {};
};

/// How many numbers a formula may name, and how long a name may be.
inline constexpr std::size_t most_numbers_of_formula = 16;
inline constexpr std::size_t longest_name_of_number = 32;

/// The parameters that there always are; the numbers come from the formula.
const ParamTable<OwnParams>& ownTable();

/// What is computed before anything is typed: the sinusoidal table, RoPE and ALiBi; empty for the list.
std::string exampleOf(OwnKind kind);
/// "pos", "i", "d": what changes from point to point.
std::vector<std::string> variablesOf(OwnKind kind);
/// The formula with its variables and numbers.
Formula formulaOf(const OwnParams& params);

/// The names of the numbers in a formula of any kind, in the order of their first use. Left out are the variables of
/// every kind, the keys of the scheme's other parameters, names that are too long, and all beyond the most.
std::vector<std::string> numbersOf(std::string_view formula);
/// Why a name of the formula is no number. Errors: bad_value with the column.
Outcome checkNumbers(const OwnParams& params);

/// Errors: unknown_name, bad_value, out_of_range. A number that the formula does not name (any more) changes nothing.
Expected<OwnParams> readOwn(const ParamValues& values);

}  // namespace posiscope::schemes
