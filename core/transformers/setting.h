// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/aliases.h"
#include "core/transformers/model.h"

#include <string_view>
#include <vector>

namespace posiscope::transformers {

/// Turns one knob of a loaded model: "rope.factor=4", "rope.scaling=ntk", "first_position=100". Before the point stands
/// the scheme the model has (or another name of it, or `rope` where it rotates in any layer), after it one of its
/// parameters, as on the command line; values are checked alone here and together when the model is run. The weights
/// stay. Errors: unknown_name, bad_value, out_of_range, those of `load`; each one sentence that names the setting.
Outcome applySetting(Model& model, std::string_view setting, const ArrayLoader& load);

/// One sentence for each parameter of a setting that has no effect beside the model's other values, however they were
/// set: "rope.factor has no effect while scaling is none". To be asked once all settings are applied.
std::vector<Text> idleParts(const Model& model, std::string_view setting);

/// What the encoding of so many tokens warns of, however it was set: "No short_factor is given, so no pair is
/// stretched". To be asked once the settings are checked.
std::vector<Text> warningsOf(const Model& model, std::int64_t tokens);

/// Do the model's scheme values fit together, for a sequence of so many tokens? Errors: those of the scheme.
Outcome checkSettings(const Model& model, std::int64_t tokens);

}  // namespace posiscope::transformers
