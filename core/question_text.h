// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure.h"

#include <string>

namespace posiscope {

/// "rope,base=500000": a scheme as `--scheme` takes it, what is not named being a default. On one line, whatever names
/// files and texts have.
std::string schemeText(const SchemeChoice& choice);

/// The question that numbers answer, a line for each part of it: "# scheme: rope,base=500000", then measure, shape,
/// mask and content. For CSV files that stand beside each other and would else not tell whose numbers they hold.
std::string questionComment(const Question& question);

}  // namespace posiscope
