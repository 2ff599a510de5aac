// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "core/job.h"

#include <functional>
#include <string>
#include <vector>

namespace posiscope::verify {

enum class Precision { single, double_ };

struct Options {
  std::vector<std::string> schemes;  ///< only these (our ids or the manifest's); empty = all
  Precision precision = Precision::single;
};

enum class State { passed, failed, unsupported };

struct CaseReport {
  std::string id;
  std::string scheme;
  std::string quantity;
  State state = State::unsupported;
  double largest_error = 0;  ///< largest |x − ref|
  double tolerance = 0;      ///< atol + rtol·|ref| at that place
  std::string line;          ///< "f32", "f32_naive", "f64", "exact", "refusal"
  std::string kernel;        ///< which code computed it: "float", "double"
  std::string note;          ///< why it failed or is not supported
};

struct Report {
  std::vector<CaseReport> cases;
  int passed = 0;
  int failed = 0;
  int unsupported = 0;
};

/// Is the manifest's scheme one that is asked for by `name`: the manifest's own word, our id or another name of it
/// ("cpe" is conditional)? A name that says more than the scheme ("rope_half") means the cases of that name only.
bool isMeant(const std::string& name, const std::string& scheme);
/// By one of the names; true when there are none.
bool isChosen(const std::string& scheme, const std::vector<std::string>& names);

/// Computes every case of a reference manifest with the very kernels the window uses. A malformed case is one that
/// failed. Errors: those of `readManifest`, cancelled.
Expected<Report> run(const std::string& manifest_path, const Options& options, const Job& job,
                     const std::function<void(const CaseReport&)>& each = {});

}  // namespace posiscope::verify
