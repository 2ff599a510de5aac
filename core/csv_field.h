// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace posiscope {

/// A text as a field of a CSV file: in quotation marks where it holds what separates fields.
std::string csvField(const std::string& text);

}  // namespace posiscope
