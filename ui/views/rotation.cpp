// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/map_views.h"

namespace posiscope::ui {

ViewKind rotationView() { return {}; }

}  // namespace posiscope::ui
