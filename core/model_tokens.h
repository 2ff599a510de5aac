// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/content.h"

#include <string>

namespace posiscope {

/// Where token ids may lie beside the weights of the content's model: "…/tokens.npy"; empty when no file is there.
std::string tokenFileBeside(const ContentSpec& content);

/// The ids of that file, ready to be the content's `token_file`. Errors: those of reading it and of the model;
/// bad_shape unless it has one axis of at least one and at most 2²⁰ ids; out_of_range for a number that is no id of the
/// model's vocabulary.
Expected<Array> tokensBeside(const ContentSpec& content);

}  // namespace posiscope
