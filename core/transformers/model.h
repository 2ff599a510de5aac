// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment.h"
#include "core/job.h"
#include "core/transformers/plan.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace posiscope::transformers {

/// A trained model that can be run: what its configuration says, where its weights lie, and how position enters –
/// a scheme of the catalogue, which may be changed before a run like any other choice. A value; copies share the files.
struct Model {
  std::string path;  ///< its folder
  std::string model_type;
  Shape shape;  ///< seq_len: the trained length; layers and heads as in the file
  Mask mask;
  double train_length = 0;
  SchemeChoice scheme;
  Plan plan;
  /// Tokens as the model was trained on, for what it knows of them to be seen: example `number` of `count` tokens that
  /// were never trained on; empty for a length there is none of. Null for a model that does not say.
  std::function<std::vector<std::int64_t>(std::uint64_t number, std::int64_t count)> examples = {};
  std::vector<Text> notes;  ///< what was odd in the files
};

/// Opens a model's folder (or its config.json, or its weights with a config.json beside them): GPT-2, Llama (also
/// Mistral, Qwen 2 and 3, which are built alike), BERT and what the training bench has trained. Weights are mapped,
/// none is read. Errors: those of inspecting the folder and opening its weights; file_format and bad_shape for tensors
/// that do not fit; not_supported for other model types and for what the forward pass of these does not compute.
Expected<Model> openModel(const std::string& path, const Job& job = Job());

}  // namespace posiscope::transformers
