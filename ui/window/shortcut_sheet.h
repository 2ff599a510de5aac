// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace posiscope::ui {

class Commands;

/// The sheet of shortcuts, in the middle of the window and never larger: it scrolls. Closes by itself.
void popupShortcuts(const Commands& commands, QWidget* window);

}  // namespace posiscope::ui
