// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measures/attended.h"

#include <cstdint>
#include <functional>

namespace posiscope::measures {

/// What is done with one layer.
using LayerVisit = std::function<Outcome(std::int64_t layer, const Attended& attended, const Job& job)>;

/// Every layer of a question's first `tokens` tokens in turn, as it attends. A trained model is run once for all of
/// them, and they are the model's; other content is the same in each of the shape's, which differ where the scheme
/// does. `maps` maps of all queries and keys will be held at
/// once. Errors: those of `attendedBy` and of `visit`.
Outcome eachLayer(const Question& question, std::int64_t tokens, double maps, const Job& job, const LayerVisit& visit);

}  // namespace posiscope::measures
