// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace posiscope::bench {

/// Runs all benchmarks inside an application, as the window needs one. Offscreen unless QT_QPA_PLATFORM says otherwise.
int runWithWindow(int argc, char** argv);

}  // namespace posiscope::bench
