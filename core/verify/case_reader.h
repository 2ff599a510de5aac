// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/array.h"
#include "core/mask.h"
#include "core/parameter.h"
#include "core/verify/manifest.h"

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace posiscope::verify {

/// Reads parameters and arrays of one case. The first problem is kept in `problem()` and the getters then answer
/// harmless values, so a quantity reads all it needs and looks once.
class CaseReader {
 public:
  explicit CaseReader(const Case& c) : case_(c) {}

  const Case& reference() const { return case_; }
  const std::optional<Error>& problem() const { return problem_; }

  bool has(const char* key) const;
  bool hasInput(const char* name) const { return case_.inputs.contains(name); }

  double number(const char* key);
  double number(const char* key, double fallback);
  /// A whole number with limits: sizes are checked before anything is allocated.
  std::int64_t integer(const char* key, std::int64_t minimum, std::int64_t maximum);
  std::int64_t integer(const char* key, std::int64_t minimum, std::int64_t maximum, std::int64_t fallback);
  bool boolean(const char* key, bool fallback);
  std::string word(const char* key, const std::string& fallback);
  std::vector<double> list(const char* key);

  /// A size with the limits of the shape's parameter of that name. `other` = what the manifest also calls it.
  std::int64_t size(const char* shape_key, std::initializer_list<const char*> names);

  /// A parameter that only describes: any value but this one is not supported.
  void expect(const char* key, std::initializer_list<nlohmann::json> allowed);

  /// All positions, or an error when the case has none.
  std::vector<double> positions();

  /// The input of that name; −1 in `shape` fits any size, an empty `shape` any array.
  Array array(const char* name, const std::vector<std::int64_t>& shape = {});

  void notSupported(const std::string& what);
  void wrong(Error error);

 private:
  const nlohmann::json* find(const char* key) const;
  void badParam(const char* key, std::string_view allowed);

  const Case& case_;
  std::optional<Error> problem_;
};

}  // namespace posiscope::verify
