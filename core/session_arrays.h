// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session.h"
#include "core/session_value.h"

#include <optional>

namespace posiscope::session {

/// The array a session names, or what became of its file; `missing.where` is for the caller to fill in.
struct FoundArray {
  std::optional<Array> array;
  MissingArray missing;
};

/// Looks for the file where the session says; then below the folder of `session_file`, from the longest tail of the
/// path to the bare name: a folder with a session and its arrays may be moved as a whole. Right is what has the shape
/// and the digest of the reference.
FoundArray findArray(const ArrayReference& reference, const std::string& session_file, const Job& job);

}  // namespace posiscope::session
