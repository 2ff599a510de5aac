// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace posiscope {

/// A number as people read it on the screen: thousands of whole numbers grouped with thin spaces (131 072), at
/// most six digits otherwise. Never for files.
std::string screenNumber(double value);

}  // namespace posiscope
