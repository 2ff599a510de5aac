// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment.h"
#include "core/job.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace posiscope::session {

/// What came out of a session file. Unknown keys are kept in `unknown`, those of a scheme in the scheme (written back
/// on save), and named in `notes`. Arrays whose file moved or changed are named in `missing`: schemes and content have
/// them as arrays without numbers (isMissing) until the user finds them.
struct MissingArray {
  std::string where;     ///< "schemes[2].table", "content.q": the place at opening
  std::string path;      ///< as stored
  bool changed = false;  ///< the file is there but its contents are not those of the session
  std::string other;     ///< the file is not there; one of its name beside the session, with other contents; else empty
};

/// What is wrong with its file, as one sentence: "schemes[1].table: the file t.npy is missing."
Text describe(const MissingArray& missing);

/// `notes` are sentences for the user. Values that are not allowed are named there too, with what is used instead; in
/// `rejected` they stand alone, each sentence without that, for whoever must not go on with something else.
struct Opened {
  Experiment experiment;
  std::string presentation;  ///< the presentation's JSON text, "{}" when absent; read by the window
  std::string unknown;       ///< JSON object text of unknown keys
  std::vector<Text> notes;
  std::vector<Text> rejected;
  std::vector<MissingArray> missing;
};

/// Experiment ↔ JSON, versioned ("posiscope_session": 1). Non-finite numbers as "nan", "inf", "-inf".
nlohmann::json toJson(const Experiment& experiment);
Expected<Opened> fromText(const std::string& text, const std::string& file_name, const Job& job = Job());

/// With the files of its arrays named from the root: a session must find them from another working directory, too.
Experiment withAbsolutePaths(Experiment experiment);

/// Atomic: written to a sibling and renamed.
Outcome save(const std::string& path, const Experiment& experiment, const std::string& presentation,
             const std::string& unknown);
/// Paths of arrays are tried as stored, then relative to the session file. Error also: cancelled, when the job was
/// stopped meanwhile.
Expected<Opened> open(const std::string& path, const Job& job = Job());

/// Whether the .json file at this path says that it is a session, readable or not: a model's config.json does not.
bool holdsSession(const std::string& path);

}  // namespace posiscope::session
