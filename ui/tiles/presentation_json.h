// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/presentation.h"

#include <string>
#include <vector>

namespace posiscope::ui {

/// The presentation inside a session file: tiles, their views, options and zoom, the selection, the head, the pinned
/// question. Language and theme belong to the person, not to the session, and are not written.
std::string presentationText(const Presentation& presentation);

struct ReadPresentation {
  Presentation presentation;
  std::vector<Text> notes;  ///< sentences for the user: what this version does not know, what cannot be
};

/// Reads such a text over `present`. What is missing, of the wrong kind or unknown keeps the value of `present`, so
/// that a session of another version opens; it is named in the notes and kept for the next save. `file` is the
/// session's path: the arrays of the pinned question are looked for beside it.
ReadPresentation readPresentation(const std::string& text, Presentation present, const std::string& file = {});

}  // namespace posiscope::ui
