// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/content.h"
#include "core/dataset.h"

namespace posiscope {

/// Names the token axes (i and j) of all maps by the words of the content, where it has any.
void nameTokens(Dataset& dataset, const ContentSpec& content, const Shape& shape);

}  // namespace posiscope
