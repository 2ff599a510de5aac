// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace posiscope::session {

/// What came out of a session file. Unknown keys are kept in `unknown`, those of a scheme in the scheme (written back
/// on save), and named in `notes`. Arrays whose file moved or changed are named in `missing`: a scheme has them as
/// arrays without numbers (isMissing) until the user finds them, the content goes without.
struct MissingArray {
  std::string where;   ///< "schemes[2].table", "content.q": the place at opening
  std::string path;    ///< as stored
  bool changed = false;  ///< the file is there but its contents are not those of the session
};

/// `notes` are sentences for the user.
struct Opened {
  Experiment experiment;
  std::string presentation;  ///< the presentation's JSON text, "{}" when absent; read by the window
  std::string unknown;       ///< JSON object text of unknown keys
  std::vector<Text> notes;
  std::vector<MissingArray> missing;
};

/// Experiment ↔ JSON, versioned ("posiscope_session": 1). Non-finite numbers as "nan", "inf", "-inf".
nlohmann::json toJson(const Experiment& experiment);
Expected<Opened> fromText(const std::string& text, const std::string& file_name);

/// Atomic: written to a sibling and renamed.
Outcome save(const std::string& path, const Experiment& experiment, const std::string& presentation,
             const std::string& unknown);
/// Paths of arrays are tried as stored, then relative to the session file.
Expected<Opened> open(const std::string& path);

}  // namespace posiscope::session
