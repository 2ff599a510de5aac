// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/views/view.h"

namespace posiscope::ui {

// What each view shows stands in its file.
#define VIEW(group, name) ViewKind name##View();
#include "ui/views/list.def"
#undef VIEW

}  // namespace posiscope::ui
