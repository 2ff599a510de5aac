// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/presentation.h"

#include <string>

namespace posiscope::ui {

/// The presentation inside a session file: tiles, their views, options and zoom, the selection, the head. Language
/// and theme belong to the person, not to the session, and are not written.
std::string presentationText(const Presentation& presentation);

/// Reads such a text over `present`; what is missing, of the wrong kind or unknown keeps the value of `present`, so
/// that a session of another version opens.
Presentation readPresentation(const std::string& text, Presentation present);

}  // namespace posiscope::ui
