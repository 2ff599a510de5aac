// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/views/view.h"

#include <string_view>
#include <vector>

namespace posiscope::ui {

/// All views in the order users see.
const std::vector<ViewKind>& viewCatalogue();
/// Null when there is none of that id.
const ViewKind* findView(std::string_view id);

}  // namespace posiscope::ui
