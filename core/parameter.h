// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/array.h"
#include "core/error.h"
#include "core/text.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace posiscope {

/// A parameter's value as sliders, sessions and the command line carry it. Integers travel as double,
/// a choice as its key, a text as it is.
using Value = std::variant<double, bool, std::string, std::vector<double>, Array>;
/// Only what differs from the defaults; keys are `ParamSpec::key`.
using ParamValues = std::map<std::string, Value>;

enum class ParamKind { real, integer, choice, boolean, list, array, text };

struct Choice {
  std::string key;
  Text label;

  bool operator==(const Choice&) const = default;
};

/// Everything known about one parameter, written once: it makes the slider, the flag, the session key, the help.
struct ParamSpec {
  std::string key;    ///< the field's term, e.g. "base"
  Text label;         ///< shown name
  std::string alias;  ///< what other programs call it, e.g. "rope_theta"; may be empty
  Text help;          ///< one sentence: meaning
  std::string unit;   ///< "tokens", "dimensions", …; may be empty
  ParamKind kind = ParamKind::real;
  double minimum = 0;         ///< hard limits (real, integer)
  double maximum = 0;         ///< of a text: how many bytes it may have
  double slider_minimum = 0;  ///< what the slider spans, inside the hard limits
  double slider_maximum = 0;
  bool logarithmic = false;
  Value default_value = 0.0;
  std::vector<Choice> choices;
  /// When given: only meaningful while the parameter `depends_on` has one of `depends_values`.
  std::string depends_on;
  std::vector<std::string> depends_values;
  bool takes_sentence_ends = false;  ///< a list that the ends of the sentences of the typed text can fill
  Text unset;  ///< what 0, the empty list or the empty text stands for ("by share"); empty = a value like others

  bool operator==(const ParamSpec&) const = default;
};

/// The text a value has on the command line and in messages: "500000", "half", "true", "[1,2]", "@file.npy".
std::string valueText(const Value& value);

/// Reads a value of this parameter from such a text (not "@file": arrays are loaded by the caller).
/// Errors: bad_value, out_of_range.
Expected<Value> parseValue(std::string_view owner, const ParamSpec& spec, std::string_view text);

/// Checks kind and hard limits. `owner` ("rope") starts the sentence. Errors: bad_value, out_of_range.
Outcome checkValue(std::string_view owner, const ParamSpec& spec, const Value& value);

/// Is the parameter meaningful beside these values?
bool isRelevant(const ParamSpec& spec, const std::vector<ParamSpec>& all, const ParamValues& values);

/// The value given, or the default.
const Value& valueOf(const ParamSpec& spec, const ParamValues& values);

const ParamSpec* findParam(const std::vector<ParamSpec>& specs, std::string_view key);

/// "rope: base must be 1 to 1e+09, got 0" in both languages.
Error rangeError(std::string_view owner, std::string_view key, double minimum, double maximum, double found);

}  // namespace posiscope
