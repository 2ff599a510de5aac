// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/run_spec.h"

#include <optional>
#include <string>
#include <vector>

namespace posiscope::ui {

// How the parts of a comparison become rows of forms: "seeds" counts from seed 1, "fine_tune.steps" is that of the part
// `fine_tune`, all other keys are those of the specification's parts.

/// Width, heads, layers, mask; what is set for all tasks is left out.
std::vector<ParamSpec> modelSpecs();
/// Seeds, steps, batch, learning rate.
std::vector<ParamSpec> usualTrainingSpecs();
std::vector<ParamSpec> otherTrainingSpecs();

/// What a comparison of this task is called as long as it has no name of its own.
Text taskName(train::TaskKind kind);

ParamValues trainingValues(const train::ComparisonSpec& spec);
/// Errors: those of the part's table.
Outcome putTrainingValue(train::ComparisonSpec& spec, const std::string& key, const Value& value);
/// The default of a row of the task's, the model's or the training's forms.
std::optional<Value> defaultOf(const std::string& key, bool task, bool model);

/// Writes one value into a part. Errors: those of the table.
template <class P>
Outcome putValue(const ParamTable<P>& table, const char* owner, P& part, const std::string& key, const Value& value) {
  ParamValues values = table.values(part);
  values[key] = value;
  Expected<P> read = table.read(owner, values);
  if (!read) return fail(read.error());
  part = std::move(*read);
  return {};
}

}  // namespace posiscope::ui
