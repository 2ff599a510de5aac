// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment.h"
#include "core/train/model_spec.h"

#include <functional>
#include <string>

namespace posiscope::train {

/// A trained tensor by its name ("pe.table"); without numbers where only shapes are read, empty where there is none.
using TensorByName = std::function<Array(const std::string& name)>;

/// The scheme of the catalogue that computes what the encoding of a trained model does, with its constants and what it
/// has learned; everything of it may then be changed. `length`: tokens of a training sequence.
SchemeChoice trainedScheme(const ModelSpec& spec, std::int64_t length, const TensorByName& tensor);

/// Tensors of one name in every layer, "layers.L." + name, as one with the layers in front; empty where one is missing
/// or has another shape than the others.
Array layerStack(const std::string& name, std::int64_t num_layers, const TensorByName& tensor);

}  // namespace posiscope::train
