// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace posiscope::verify {

/// |x − ref| ≤ atol + rtol·|ref|.
struct Tolerance {
  double rtol = 0;
  double atol = 0;

  double at(double reference) const;
};

/// One reference case: what to compute, from what, and what is right. Paths are ready to open.
struct Case {
  std::string id;
  std::string scheme;    ///< as the manifest spells it
  std::string key;       ///< short name of the quantity: `output` where the manifest has one, else `quantity`
  std::string quantity;  ///< for people; `key` where the manifest has none
  nlohmann::json params = nlohmann::json::object();
  std::optional<std::vector<double>> positions;
  std::map<std::string, std::string> inputs;  ///< name → file
  std::string file;                           ///< the right answer; empty for a refusal
  bool exact = false;                         ///< integers or copies: equal
  bool refusal = false;                       ///< the right answer is an error
  std::optional<Tolerance> f64, f32, f32_naive;
  std::map<std::string, double> scalars;  ///< further numbers the answer must have
  /// What is wrong with the case itself, naming manifest, case and field; then nothing behind that field is filled.
  std::optional<Error> problem;
};

/// The cases of a manifest, in its order; a malformed one among them stops none of the others. Errors, of the manifest
/// as a whole: file_missing, file_format, too_large.
Expected<std::vector<Case>> readManifest(const std::string& path);
/// The same of a manifest that was read from `path`. Error: file_format.
Expected<std::vector<Case>> readManifest(const nlohmann::json& root, const std::string& path);

}  // namespace posiscope::verify
