// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment.h"

#include <vector>

namespace posiscope {

/// A parameter of a scheme that stands at another value than in the model it came from.
struct Override {
  const ParamSpec* spec = nullptr;  ///< of the scheme's table
  Value model;
  Value now;
};

/// In the order of the scheme's parameters; empty for a scheme that came from no model. Arrays are not compared.
std::vector<Override> overridesOf(const SchemeChoice& choice);

/// "The model has 1 000 000, here it is 1 000."
Text describe(const Override& found);

}  // namespace posiscope
