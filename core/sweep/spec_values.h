// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "core/parameter.h"

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace posiscope::sweep {

/// The values that one parameter takes in turn.
struct Axis {
  std::string key;
  std::vector<Value> values;
};

/// What is wrong at a place of the specification: "sweep.json: measures[0] must be …, got 3". Error: bad_value.
tl::unexpected<Error> wrongAt(const std::string& file, const std::string& where, const Text& allowed,
                              const nlohmann::json& found);
/// "sweep.json: schemes[0] has no part 'valeus'; did you mean values? Known: …".
tl::unexpected<Error> unknownAt(const std::string& file, const std::string& where, const Text& kind,
                                std::string_view word, const std::vector<std::string>& known);

/// Is it an object of these keys only?
Outcome checkParts(const std::string& file, const std::string& where, const nlohmann::json& object,
                   const std::vector<std::string>& known);

/// Reads the parameters of one table out of a specification.
class SpecValues {
 public:
  /// Our names for those of other programs.
  using KeyName = std::function<std::string(std::string_view key)>;
  using WordName = std::function<std::string(std::string_view key, std::string_view word)>;

  SpecValues(const std::string& file, const std::vector<ParamSpec>& specs, KeyName key = {}, WordName word = {})
      : file_(file), specs_(specs), key_(std::move(key)), word_(std::move(word)) {}

  /// An object of values. Errors: unknown_name, bad_value, out_of_range, those of reading arrays.
  Expected<ParamValues> values(const std::string& where, const nlohmann::json& object) const;
  /// An object of lists of values, each a dimension of the grid. Errors: the same.
  Expected<std::vector<Axis>> axes(const std::string& where, const nlohmann::json& object) const;
  /// One dimension: the list at `where`, of the parameter `key`.
  Expected<Axis> axis(const std::string& where, const std::string& key, const nlohmann::json& list) const;

 private:
  Expected<const ParamSpec*> find(const std::string& where, const std::string& key) const;
  Expected<Value> value(const std::string& where, const ParamSpec& spec, const nlohmann::json& found) const;
  Expected<Value> array(const std::string& where, const nlohmann::json& found) const;

  const std::string& file_;
  const std::vector<ParamSpec>& specs_;
  KeyName key_;
  WordName word_;
};

}  // namespace posiscope::sweep
