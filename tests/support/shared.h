// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace posiscope::test {

/// A file of tests/data.
std::string dataPath(const std::string& name);

/// The folder of the third-party models: POSISCOPE_MODELS, or `models` in the shared folder beside the checkout.
/// Empty when there is none; with CI=true that is a failure of the calling test.
std::string modelsPath();

}  // namespace posiscope::test
