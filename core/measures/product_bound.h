// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measures/probe.h"

namespace posiscope::measures {

enum class Keys { earlier, later };

/// scale · Σ ‖q_g‖ ‖k_g‖ of some queries and the keys on one side of them: what their products cannot exceed, however
/// they turn.
template <class T>
double productBound(const Probe<T>& probe, const ProbedHead<T>& head, Keys side = Keys::earlier);

/// The square of the longest row of an added table: the part of q·k that position makes, up to a constant.
template <class T>
double tableBound(const Encoding<T>& encoding);

}  // namespace posiscope::measures
