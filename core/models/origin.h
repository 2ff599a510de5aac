// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/models/model.h"

namespace posiscope::models {

/// Where the weights of a configuration come from. The same Llama is kept with its rows of W_Q and W_K in two orders,
/// and a rotation must form the pairs that its weights were written for.
enum class Origin {
  converted,  ///< Hugging Face's layout: rows permuted for half-split pairs
  original,   ///< the first release: adjacent pairs
  gguf,       ///< permuted back when it was made: adjacent pairs
};
/// "converted", "original", "gguf", in this order.
const std::vector<std::string>& originNames();

/// Sets the pairs of the inspected rotation to those of the origin, with a reason. For a model_type whose conversion
/// does not permute rows nothing is changed, and a note says so.
void setOrigin(Inspection& inspection, Origin origin);

}  // namespace posiscope::models
