// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Schemes whose logits or inputs depend on the content.
#include "core/verify/attention_case.h"

namespace posiscope::verify {

void addContent(std::vector<Quantity>&) {}

}  // namespace posiscope::verify
