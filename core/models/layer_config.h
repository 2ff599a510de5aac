// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment.h"
#include "core/models/config_reader.h"
#include "core/models/family.h"
#include "core/models/reason.h"

namespace posiscope::models {

struct LayeredScheme {
  SchemeChoice scheme;
  /// The layers themselves say which of them have the window, even where none has it: it is not the mask's.
  bool own_windows = false;
};

/// What the layers of a model do with the rotation `rope`: two bases (rope with `dual`), layers without rotation or
/// with a limited reach (layer_pattern), or the same in all of them. Read from layer_types, no_rope_layers and the keys
/// of windows; where the file has none, by the family's rule.
LayeredScheme withLayers(const ConfigReader& root, const ModelFamily& family, const Shape& shape, SchemeChoice rope,
                         Reason& reason);

}  // namespace posiscope::models
