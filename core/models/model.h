// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment.h"
#include "core/files/reader.h"

#include <optional>
#include <string>
#include <vector>

namespace posiscope::models {

/// Known facts of a released model: fills shape, train length and the scheme with its parameters.
struct Preset {
  std::string id;    ///< "llama-3.1-8b"
  std::string name;  ///< "Llama 3.1 8B"
  Shape shape;
  Mask mask;
  double train_length = 0;
  SchemeChoice scheme;
  std::string source;  ///< where the facts come from
  Text note = {};      ///< one sentence: what of the model is not in these numbers, or which part of it they are
};
const std::vector<Preset>& presets();
const Preset* findPreset(std::string_view id);
/// The experiment with this model's shape and its scheme in place of all schemes.
Experiment experimentOf(const Preset& preset);

/// What a path holds and which scheme it means.
struct Inspection {
  std::string path;
  std::string kind;        ///< "model folder", "config.json", "safetensors", "npy", "npz"
  std::string model_type;  ///< may be empty
  std::vector<files::TensorEntry> tensors;
  std::vector<std::string> positional;  ///< names of tensors that carry position
  Shape shape;
  Mask mask;
  double train_length = 0;
  std::vector<SchemeChoice> schemes;   ///< what the file means; empty when it carries none
  std::vector<Text> reasons;           ///< "model_type llama → rotary; base 500000 from rope_theta; …"
  std::vector<Text> notes;             ///< warnings
  std::optional<ContentSpec> content;  ///< of attention that another program has stored, beside the scheme "none"
};

/// What is wanted of the tables that carry position.
enum class Tables {
  read,   ///< their numbers, so that the scheme can be computed
  named,  ///< file and shape, as arrays without numbers: what there is can be told of a file of any size
};

/// A model folder, config.json, .safetensors or .npz (or one of their arrays, "m.safetensors#wpe") or .npy. Errors name
/// file, field, found, allowed; `cancelled` when the job was stopped meanwhile.
Expected<Inspection> inspect(const std::string& path, Tables tables = Tables::read, const Job& job = Job());
/// The experiment that shows it, on top of `present`: content and number of schemes beside it are kept, and for a table
/// without a configuration also the heads and the mask, of which it says nothing. Attention takes the place of the
/// content and of all schemes.
Experiment experimentOf(const Inspection& inspection, const Experiment& present);

}  // namespace posiscope::models
