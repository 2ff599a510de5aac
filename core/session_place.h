// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session.h"

#include <string>

namespace posiscope::session {

// The places in a session file ("schemes[2].table") in the words of the window. The command line names the places
// themselves: who edits the file looks for them there.

/// "T5 buckets, table of biases", "content, queries"; a place that is none of these stays as it is.
Text placeName(const std::string& where, const Experiment& experiment);

/// A sentence about the session with every place in it named.
Text inWords(const Text& sentence, const Experiment& experiment);

}  // namespace posiscope::session
