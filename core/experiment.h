// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/content.h"
#include "core/mask.h"
#include "core/param_table.h"
#include "core/parameter.h"
#include "core/shape.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace posiscope {

/// One of the schemes being compared.
struct SchemeChoice {
  std::string id;
  ParamValues values;  ///< what differs from the defaults
  std::string label;   ///< shown name; empty = made from the scheme and its values
  int colour = 0;      ///< index of the scheme colours, its own for as long as it lives
  bool visible = true;
  /// JSON text of what its session says beside all this: keys of a newer version, files that were not found. It goes
  /// where the scheme goes and is written back on save; empty when there is nothing.
  std::string kept = {};
  /// What the file of a model, or a known model, gave it beside its arrays: what a change departs from and can go back
  /// to. Nothing for a scheme that came from no model.
  std::optional<ParamValues> model_values = {};

  bool operator==(const SchemeChoice&) const = default;
};

/// Most schemes that can be compared at once.
inline constexpr int max_schemes = 6;

/// The question: equal experiments give equal results, so equality is also the cache key, the "modified" flag
/// and the undo step.
struct Experiment {
  Shape shape;
  ContentSpec content;
  Mask mask;
  double train_length = 0;  ///< tokens the model was trained on; 0 = not known
  std::vector<SchemeChoice> schemes;

  bool operator==(const Experiment&) const = default;
};

/// An array of which a session knows the file but not the numbers: the file was not found, or has changed. The schemes
/// would draw it from their seed, so `compute` answers with an error while there is one.
bool isMissing(const Value& value);

/// What belongs to no part of the question: the training length.
const ParamTable<Experiment>& experimentTable();

/// "RoPE · YaRN" – the name shown for a choice, from its label or its values.
Text displayName(const SchemeChoice& choice);
/// The same beside others, where two may have the same name: "RoPE · base 10 000" – with the values that tell it apart
/// from each of its namesakes among `schemes` (which may hold `choice` itself). Equal choices keep equal names.
Text displayName(const SchemeChoice& choice, const std::vector<SchemeChoice>& schemes);
/// "factor 8 · original 8 192" – the first values that differ from the defaults, by their labels.
Text displayValues(const SchemeChoice& choice);

/// What the program starts with: Llama-3.1-8B's rotary encoding beside its own scaling, YaRN and ALiBi.
Experiment startExperiment();

/// Every choice, the shape and the mask are legal. The first error found.
Outcome checkExperiment(const Experiment& experiment);

}  // namespace posiscope
