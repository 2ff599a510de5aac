// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measures/first_tokens.h"
#include "core/measures/logit_terms.h"

#include <optional>
#include <vector>

namespace posiscope::measures {

/// Did a table enter the queries and keys of a question's model before the layer?
bool positionEntered(const FirstTokens& part);

/// The content term of a model where it did, in its parts: of the first layer word and position, each as the query and
/// as the key, and what biases and segments bring; nothing where the parts cannot be told. `asked` and `term`: of the
/// head, as `logitTerms` has them. Errors: those of the run; too_large, cancelled.
Expected<std::optional<std::vector<LogitTerm>>> modelTerms(const FirstTokens& part, const HeadAsked& asked,
                                                           const LogitTerm& term, const Job& job);

/// Leaves in the queries and keys of a model's first layer what its words bring to them, or its positions (`words` =
/// false): the terms E·E and P·P. False, and nothing is changed, where the parts cannot be told. Errors: the same.
Expected<bool> keepModelPart(const FirstTokens& part, bool words, Content<float>& content, const Job& job);

/// What a reader of the terms must know: where the position is in them already.
std::vector<Remark> remarksOnTerms(const FirstTokens& part, bool split);

}  // namespace posiscope::measures
