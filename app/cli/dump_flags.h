// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/param_flags.h"
#include "core/experiment.h"
#include "core/models/model.h"

#include <string>

namespace posiscope::cli {

/// What the path of --model holds. An array whose axes the flags of the content name is attention, whatever it looks
/// like. Errors: those of opening it.
Expected<models::Inspection> inspectDump(const std::string& path, const ParamFlags& content);

/// The sizes of given attention, as opening its file finds them; unchanged where the array cannot say them.
void takeSizesOfDump(Experiment& e);
/// The same of its mask. What that mask leaves out is printed on stderr.
void takeMaskOfDump(Experiment& e);
/// "attention: logits: 1 of 24 rows do not sum to 1", on stderr: one number that was lost makes logits of weights.
void noteKindOfDump(const ContentSpec& content);
/// "attention: other is shown; no numbers are stored in attentions", on stderr: of an archive whose only array with
/// numbers was taken, and is perhaps not what was wanted.
void noteEmptyArraysOfDump(const ContentSpec& content);

}  // namespace posiscope::cli
