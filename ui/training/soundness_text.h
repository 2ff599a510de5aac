// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/comparison_record.h"

#include <QString>

namespace posiscope::ui {

/// What makes this comparison a sound one, point by point, with what is missing ("one seed only: …").
QString soundnessText(const train::ComparisonRecord& record);

}  // namespace posiscope::ui
